"""Base class and field types of the sections of a configuration."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from festinger.config.addresses import check_address, check_upstream
from festinger.config.schedules import check_cron, check_timezone
from festinger.errors import ConfigurationError


def _checked(check: Callable[[str], str]) -> AfterValidator:
    """Wrap a check as a validator of pydantic, whose errors name the key."""

    def validate(value: str) -> str:
        """Return the checked value; raise ValueError for pydantic."""
        try:
            return check(value)
        except ConfigurationError as error:
            # Pydantic adds the key to a `ValueError`, and lets other exceptions through.
            raise ValueError(error.message) from None

    return AfterValidator(validate)


def on_or_off(value: object) -> object:
    """Return a truth value as `on` or `off`, which YAML reads as one; others unchanged."""
    return ("off", "on")[value] if isinstance(value, bool) else value


Key = tuple[str, ...]
"""Path of a setting. Example: ("shim", "upstream")."""

Address = Annotated[str, _checked(check_address)]
Url = Annotated[str, _checked(check_upstream)]
# Processes may have other working directories.
AbsolutePath = Annotated[Path, AfterValidator(lambda it: it.expanduser().absolute())]
Cron = Annotated[str, AfterValidator(check_cron)]
Timezone = Annotated[str, AfterValidator(check_timezone)]


class Section(BaseModel):
    """A part of the configuration: frozen, and strict about unknown keys."""

    model_config = ConfigDict(
        # One value is shared by all tasks of a process.
        frozen=True,
        # A setting that is misspelt would be ignored.
        extra="forbid",
        # It may be a password.
        hide_input_in_errors=True,
    )


@cache
def descriptions(section: type[BaseModel]) -> Mapping[str, str]:
    """Return the text below each field of a section."""
    # It is in the source only. Pydantic would parse that whenever the sections are imported,
    # which took every command 0.1 s.
    (defined,) = ast.parse(dedent(inspect.getsource(section))).body
    assert isinstance(defined, ast.ClassDef)
    found = {}
    # A field and the text below it are neighbours in the body of the class.
    for field, text in pairwise(defined.body):
        match field, text:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(written))),
            ):
                found[name] = inspect.cleandoc(written)
    return found
