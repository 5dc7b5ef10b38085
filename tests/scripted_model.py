"""A language model that says what a test wrote down for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from festinger.core.system.models import Model, Purpose
from festinger.errors import BadAnswer
from festinger.llm.interface import Form


@dataclass(frozen=True)
class Asked:
    """A question as it came."""

    tenant: str
    purpose: Purpose
    system: str
    prompt: str
    form: type[Any]


@dataclass
class ScriptedModel:
    """
    Answers with one line of its script after the other; a line that is an exception
    is raised.
    """

    script: Iterable[Mapping[str, Any] | BaseException] = ()
    asked: list[Asked] = field(default_factory=list)

    def __post_init__(self):
        self.says(*self.script)

    def says(self, *lines):
        """Write down what it answers from now on."""
        self._lines = iter(lines)

    async def ask(
        self,
        tenant: str,
        purpose: Purpose,
        *,
        system: str,
        prompt: str,
        form: type[Form],
    ) -> Form:
        """Return the next line of the script, of the form that was asked for."""
        return self._answer(tenant, purpose, system, prompt, form)

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
        """Return the same of a model that was not chosen for the purpose."""
        return self._answer(tenant, purpose, system, prompt, form)

    def _answer(
        self, tenant: str, purpose: Purpose, system: str, prompt: str, form: type[Form]
    ) -> Form:
        self.asked.append(Asked(tenant, purpose, system, prompt, form))
        line = next(self._lines, None)
        assert line is not None, "the script has no further line"
        if isinstance(line, BaseException):
            raise line
        try:
            return form.model_validate(line)
        except ValueError:
            raise BadAnswer("the scripted model answered something else") from None


class InterruptedModel(ScriptedModel):
    """A model that lets a test do something while it thinks."""

    def __init__(self, script, meanwhile):
        super().__init__(script)
        self._meanwhile = iter(meanwhile)

    async def ask(self, *arguments, **fields):
        """Return the next line of the script, after the next thing happened."""
        act = next(self._meanwhile, None)
        if act:
            await act()
        return await super().ask(*arguments, **fields)
