"""Base class and field types of the sections of a configuration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from festinger.config.addresses import check_address, check_upstream
from festinger.errors import ConfigurationError


def _checked(check: Callable[[str], str]) -> AfterValidator:
    """Wrap a check as a validator of pydantic, whose errors name the key."""

    def validate(value: str) -> str:
        try:
            return check(value)
        except ConfigurationError as error:
            raise ValueError(error.message) from None

    return AfterValidator(validate)


Address = Annotated[str, _checked(check_address)]
Url = Annotated[str, _checked(check_upstream)]


class Section(BaseModel):
    """A part of the configuration: frozen, and strict about unknown keys."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        hide_input_in_errors=True,
    )
