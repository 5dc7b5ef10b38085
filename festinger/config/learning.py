"""The settings of the model that reads what people said, when nobody waits."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field, field_validator

from festinger.config.sections import Section

LOADED: Final = "loaded"
OFF: Final = "off"


class LearningSettings(Section):
    """A language model reads what people said, and what it finds goes to the gate."""

    model: str = LOADED
    """`loaded`: the model that the agents have loaded, while nobody asks it anything; or
    the number of one (`festinger models`), which is asked at once; or `off`. A loaded
    model is never loaded, evicted or reconfigured for it."""
    idle_seconds: float = Field(default=90.0, ge=0, le=86_400)
    """How long nobody may have asked the loaded model anything before it reads."""
    tokens_per_hour: int = Field(default=50_000, ge=0)
    """Tokens that reading may take in an hour; 0 for none."""
    delay_share: float = Field(default=0.017, gt=0, le=10_000)
    """By which share of that time a prompt may be delayed that comes while the loaded
    model evaluates what it is to read, ten seconds at most."""

    @field_validator("model", mode="before")
    @classmethod
    def _written(cls, value: Any) -> Any:
        # YAML reads off as false, and a number as one.
        if value is False:
            return OFF
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return str(value) if is_number else value

    @field_validator("model")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in {LOADED, OFF} and not (value.isdecimal() and int(value) > 0):
            raise ValueError(
                f"must be {LOADED}, {OFF}, or a number that festinger models lists"
            )
        return value

    @property
    def is_on(self) -> bool:
        """Whether any model reads."""
        return self.model != OFF

    @property
    def model_id(self) -> int:
        """The number of the model that reads; 0 for the loaded one, or none."""
        return int(self.model) if self.model.isdecimal() else 0
