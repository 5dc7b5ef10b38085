"""Settings of the models that read and embed what people said, in the background."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field, field_validator

from festinger.config.sections import Section, on_or_off

LOADED: Final = "loaded"
OFF: Final = "off"


class LearningSettings(Section):
    """Background reading of what people said by a language model."""

    model: str = LOADED
    """`loaded`: the model that the agents have loaded, while it is idle; or the number
    of a model (`festinger system models`), which is asked at once; or `off`. A loaded
    model is never loaded, evicted or reconfigured for it."""
    # A pause between two turns is shorter: the reader takes the slot's prefix cache, so that a
    # conversation that goes on is evaluated anew once.
    idle_seconds: float = Field(default=90.0, ge=0, le=86_400)
    """Seconds for which the loaded model must have been idle before it reads."""
    tokens_per_hour: int = Field(default=50_000, ge=0)
    """Tokens that reading may take in an hour; 0 for none."""
    # A sixtieth: 1.5 s after 90 s, since Ollama does not notice while it evaluates the reader's
    # prompt that another one waits.
    delay_share: float = Field(default=0.017, gt=0, le=10_000)
    """The longest delay of a prompt that arrives while the loaded model is reading, as
    a share of the time that the model was idle; ten seconds at most."""

    @field_validator("model", mode="before")
    @classmethod
    def _written(cls, value: Any) -> Any:
        value = on_or_off(value)
        # YAML reads a model's number as one.
        return str(value) if isinstance(value, int) else value

    @field_validator("model")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in {LOADED, OFF} and not (value.isdecimal() and int(value) > 0):
            raise ValueError(
                f"must be {LOADED}, {OFF}, or a number that festinger system models lists"
            )
        return value

    @property
    def is_on(self) -> bool:
        """True if any model reads."""
        return self.model != OFF

    @property
    def model_id(self) -> int:
        """The number of the model that reads; 0 for the loaded one, or none."""
        return int(self.model) if self.model.isdecimal() else 0


class EmbeddingSettings(Section):
    """Embeddings of lines and prompts by a model of the upstream, off by default."""

    model: str = Field(default="", max_length=200)
    """Name of the model at the upstream, such as `all-minilm`; empty for none. There
    must be weights for it."""
    load: bool = False
    """True lets the upstream load the model, and evict another one for it. If not, it
    is used only while it is loaded."""
    idle_seconds: float = Field(default=5.0, ge=0, le=86_400)
    """Seconds without a prompt before lines are embedded."""
    prompt_milliseconds_max: int = Field(default=30, ge=0, le=1_000)
    """The longest time that a prompt waits for its embedding; it goes on without one,
    and so do all others of the next half minute."""
