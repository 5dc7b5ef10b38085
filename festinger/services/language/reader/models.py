"""Ask models that a tenant has chosen."""

from __future__ import annotations

from typing import Protocol

from festinger.core.system.models import Model, Purpose
from festinger.llm.interface import Form


class NamedModels(Protocol):
    """Asks models, whichever a tenant has chosen for what."""

    async def ask_model(
        self,
        tenant: str,
        model: Model,
        purpose: Purpose,
        *,
        system: str,
        prompt: str,
        form: type[Form],
    ) -> Form:
        """Ask a model; raises `ModelError` if it gives no answer of that form."""
