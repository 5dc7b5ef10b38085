"""The settings of the shim, and of the loops that it ends."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field, field_validator

from festinger.config.sections import Address, Section, Url


class LoopRule(StrEnum):
    """How an agent repeats itself."""

    REPEAT = "repeat"
    """The same turn, with the same result."""
    ERROR = "error"
    """The same call, which fails every time."""
    CYCLE = "cycle"
    """A few turns, round and round."""
    NEAR = "near"
    """Almost the same turn."""
    CAP = "cap"
    """Turn after turn without a word of the user's."""
    ANSWER = "answer"
    """Within one answer."""


class LoopRung(StrEnum):
    """What is done about it: one rung more with every further repeat."""

    TEMPERATURE = "temperature"
    """A higher temperature, and another seed where the client pins one."""
    FORBID = "forbid"
    """The newest user message ends by forbidding what was repeated."""
    TRUNCATE = "truncate"
    """What was repeated is left out of what the model gets, but for the last time."""
    STOP = "stop"
    """The request is not forwarded."""


class Capture(StrEnum):
    """What becomes of conversations that a client marks with `X-Festinger-Subject`."""

    OFF = "off"
    """They are not kept."""
    ON = "on"
    """They are kept, and read when an operator says so."""
    EXTRACT = "extract"
    """They are kept, and the model of `extract_model_id` reads them."""


class LoopSettings(Section):
    """What is done about agents that repeat themselves."""

    enabled: bool = True
    """Whether anything is. `X-Festinger-Loops: off` does the same for a request."""
    rules: tuple[LoopRule, ...] = tuple(LoopRule)
    """What counts as a loop. `X-Festinger-Loops: no-near` leaves a rule out."""
    rungs: tuple[LoopRung, ...] = tuple(LoopRung)
    """What is done about it, in this order; a further rung with every repeat."""
    repeats: int = Field(default=3, ge=2, le=50)
    """So many times the same turn with the same result are a loop."""
    errors: int = Field(default=3, ge=2, le=50)
    """So many failures of the same call are a loop."""
    cycle_rounds: int = Field(default=3, ge=2, le=10)
    """So many rounds of the same turns are a loop."""
    cycle_turns_max: int = Field(default=5, ge=2, le=10)
    """The most turns of a round."""
    near_repeats: int = Field(default=4, ge=2, le=50)
    """So many turns that are almost the same are a loop."""
    near_similarity: float = Field(default=0.9, ge=0.5, le=1.0)
    """Two turns are almost the same if they share this part of their words."""
    turns_max: int = Field(default=100, ge=2, le=1000)
    """The most turns without a message of the user's."""
    answer_repeats: int = Field(default=10, ge=3, le=100)
    """An answer is cut when it has said the same 50 characters so many times."""
    answer_gap_max: int = Field(default=250, ge=50, le=5000)
    """The mean distance of those, in characters; further apart they do not count."""
    polling_tools: tuple[str, ...] = (
        "wait",
        "sleep",
        "poll",
        "scroll",
        "scroll_down",
        "scroll_up",
        "press_key",
        "code_execution_tool:runtime=output",
    )
    """Tools that may be called again and again: NAME, or NAME:ARGUMENT=VALUE. A call
    that sleeps, as in `sleep 30 && make check`, always may."""
    temperature_boost: float = Field(default=0.4, gt=0, le=2)
    """How much is added to the temperature."""
    temperature_max: float = Field(default=1.2, gt=0, le=2)
    """The highest temperature that is set; a client's own may be higher."""
    stop_with: Literal["error", "message"] = "error"
    """How a request is stopped: with status 409, or with an answer that says why."""


class RetoldSettings(Section):
    """How texts begin that clients write in the user's place. They teach nothing."""

    known: bool = True
    """Whether the clients that the shim knows are recognised by their words."""
    summaries: tuple[str, ...] = ()
    """Further first words of messages that stand for earlier ones."""
    errands: tuple[str, ...] = ()
    """Further first words of messages that ask for something on the client's behalf, as
    a title."""
    systems: tuple[str, ...] = ()
    """Further first words of system texts of such requests."""


class UpstreamSettings(Section):
    """A further Ollama."""

    url: Url
    """Where it listens."""
    priority: int = Field(default=0, ge=0)
    """Prompts go to those with the lowest number that answer."""


class ShimSettings(Section):
    """The Ollama-compatible proxy."""

    address: Address = "127.0.0.1:11435"
    """HOST:PORT to listen on. Port 0 takes a free one."""
    upstream: Url = "http://127.0.0.1:11434"
    """The Ollama to forward to."""
    upstreams: tuple[UpstreamSettings, ...] = ()
    """Further Ollamas, with the same models; the first one has priority 0. A session
    stays with the one that has its prefix cached. What is under way at one that is
    taken out ends there."""
    connect_seconds_max: float = Field(default=10.0, gt=0)
    """How long a connection to an Ollama may take."""
    answer_seconds_max: float = Field(default=0.0, ge=0)
    """How long an Ollama may be silent before and within an answer; 0 for as long as it
    likes, since loading a model takes minutes."""
    requests_max: int = Field(default=512, ge=1)
    """Prompts under way at once; further ones wait."""
    queue_max: int = Field(default=512, ge=0)
    """Prompts that may wait; further ones are answered 503."""
    allowed_hosts: tuple[str, ...] = ()
    """Host names that requests may carry beside the loopback ones."""
    trusted_network: bool = False
    """Permits listening beyond loopback, as on a container network."""
    body_bytes_max: int = Field(default=32 * 2**20, ge=2**16)
    """The largest request body that is read, in bytes."""
    memory_milliseconds_max: float = Field(default=50.0, gt=0, le=5000)
    """How long a prompt may wait for the memory before it goes on without (D8)."""
    header_seconds_max: float = Field(default=10.0, gt=0)
    """How long a client may take to send its headers."""
    body_seconds_max: float = Field(default=30.0, gt=0)
    """How long a client may pause while it sends its body."""
    scan_characters_max: int = Field(default=1_000_000, ge=1000)
    """How much of one request's text is given to the memory; the rest is forwarded
    unread."""
    sessions_max: int = Field(default=10_000, ge=1)
    """Sessions remembered at once; the least recently used are dropped."""
    session_idle_seconds: float = Field(default=6 * 3600.0, gt=0)
    """How long an idle session is remembered."""
    drain_seconds: float = Field(default=30.0, ge=0)
    """How long answers under way may take to end at a stop."""
    tenant: str = "default"
    """The memory that its clients share."""
    model_changes: bool = False
    """Lets clients pull, push, create, copy and delete models; otherwise those requests
    are refused."""
    hints: Literal["auto", "always", "never"] = "auto"
    """Who is asked what an unknown word means: `auto`, agents that can run a command
    and so answer with `gutask`; `always`; or `never`."""
    cloud_models: bool = False
    """Enriches prompts to `:cloud` models, which leave the machine."""
    console_sign_in: bool = False
    """Has the console ask for the operator's token on this machine too, as it must behind
    a proxy that does not say whom it forwards."""
    capture: Capture = Capture.ON
    """What becomes of conversations that a client marks with `X-Festinger-Subject`: `off`,
    they are not kept; `on`, they are kept with the memory, for an operator to have them
    read; `extract`, the model of `extract_model_id` reads memories out of them once
    nobody has said anything for ten minutes. Other conversations are never kept."""
    loops: LoopSettings = LoopSettings()
    retold: RetoldSettings = RetoldSettings()

    @field_validator("capture", mode="before")
    @classmethod
    def _as_written(cls, value: object) -> object:
        # YAML reads `on` and `off` as yes and no.
        return {True: "on", False: "off"}[value] if isinstance(value, bool) else value
