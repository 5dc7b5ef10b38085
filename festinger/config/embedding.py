"""Settings of the model that embeds what people said."""

from __future__ import annotations

from pydantic import Field

from festinger.config.sections import Section


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
