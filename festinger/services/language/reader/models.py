"""Interface to the models of tenants."""

from __future__ import annotations

from typing import Protocol

from festinger.core.system.models import Model, Purpose
from festinger.llm.interface import Form


class NamedModels(Protocol):
    """Interface that asks any given model of a tenant."""

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
        """Ask a model.

        Raises:
            ModelError: The model gave no answer of that form.
        """
