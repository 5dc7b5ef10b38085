"""Settings of the shim and of its loop detection."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from festinger.config.addresses import host_and_port, is_loopback
from festinger.config.encryption import TlsSettings
from festinger.config.sections import Address, Section, Url, on_or_off


class LoopRule(StrEnum):
    """Rule by which the repetition of an agent counts as a loop."""

    REPEAT = "repeat"
    """The same turn with the same result."""
    ERROR = "error"
    """The same call, failing every time."""
    CYCLE = "cycle"
    """The same few turns in a cycle."""
    NEAR = "near"
    """Almost the same turn."""
    CAP = "cap"
    """Too many turns without a message of the user."""
    ANSWER = "answer"
    """Repetition within one answer."""


class LoopRung(StrEnum):
    """Measure against a loop; every further repeat adds the next one."""

    TEMPERATURE = "temperature"
    """A higher temperature, and another seed where the client pins one."""
    FORBID = "forbid"
    """A ban on what was repeated is appended to the newest user message."""
    TRUNCATE = "truncate"
    """Repeated turns are left out of the request, except for the last one."""
    STOP = "stop"
    """The request is not forwarded."""


class CaptureMode(StrEnum):
    """Handling of conversations that a client marks with `X-Festinger-Subject`."""

    OFF = "off"
    """They are not kept."""
    ON = "on"
    """They are kept, and read when an operator requests it."""
    EXTRACT = "extract"
    """They are kept, and the model of `extract_model_id` reads them."""


class LoopSettings(Section):
    """Detection of agents that repeat themselves, and the measures against it."""

    enabled: bool = True
    """Whether loops are detected. `X-Festinger-Loops: off` exempts a request."""
    rules: tuple[LoopRule, ...] = tuple(LoopRule)
    """What counts as a loop. `X-Festinger-Loops: no-near` leaves a rule out."""
    rungs: tuple[LoopRung, ...] = tuple(LoopRung)
    """The measures against a loop, in this order; every repeat adds the next one."""
    # Only with the same result: to edit something and run it again is no loop.
    repeats: int = Field(default=3, ge=2, le=50)
    """The number of equal turns with the same result that counts as a loop."""
    errors: int = Field(default=3, ge=2, le=50)
    """The number of failures of the same call that counts as a loop."""
    cycle_rounds: int = Field(default=3, ge=2, le=10)
    """The number of rounds of the same turns that counts as a loop."""
    cycle_turns_max: int = Field(default=5, ge=2, le=10)
    """The largest number of turns in a round."""
    near_repeats: int = Field(default=4, ge=2, le=50)
    """The number of almost equal turns that counts as a loop."""
    # The Jaccard index of the turns' sets of tokens.
    near_similarity: float = Field(default=0.9, ge=0.5, le=1.0)
    """The share of common words from which two turns are almost equal."""
    # A limit of its own, whatever the other rules say.
    turns_max: int = Field(default=100, ge=2, le=1000)
    """The largest number of turns without a message of the user."""
    # Not in code, tables and lists, which repeat themselves by nature.
    answer_repeats: int = Field(default=10, ge=3, le=100)
    """An answer is cut when it has repeated the same 50 characters this many times."""
    answer_gap_max: int = Field(default=250, ge=50, le=5000)
    """The largest mean distance of these repetitions, in characters."""
    speech_characters: int = Field(default=40, ge=1, le=1000)
    """The shortest answer without a call that counts as repeated; "Done." does not."""
    # Tools that agents call until something happens; without them their polling is a loop.
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
    # 409, since clients retry 408, 429 and 5xx.
    stop_with: Literal["error", "message"] = "error"
    """How a request is stopped: with status 409, or with an answer that says why."""


class RetoldSettings(Section):
    """First words of texts that clients write for the user; they teach nothing."""

    known: bool = True
    """Whether the texts of clients that the shim knows are recognised."""
    summaries: tuple[str, ...] = ()
    """Further first words of messages that stand for earlier ones."""
    errands: tuple[str, ...] = ()
    """Further first words of messages that ask for something on the client's behalf,
    such as a title."""
    systems: tuple[str, ...] = ()
    """Further first words of system texts of such requests."""


class UpstreamSettings(Section):
    """A further Ollama."""

    url: Url
    """Its URL."""
    priority: int = Field(default=0, ge=0)
    """Prompts go to the Ollamas with the lowest number among those that answer."""


class ShimSettings(Section):
    """The Ollama-compatible proxy."""

    address: Address = "127.0.0.1:11435"
    """HOST:PORT to listen on. Port 0 takes a free one. On an address beyond loopback
    every request needs a token of the data directory."""
    tls: TlsSettings = TlsSettings()
    """Its certificate and key, by which agents and browsers use https; an authority has
    no meaning here."""
    plain_text: bool = False
    """Permits listening beyond loopback without encryption, as on a container network.
    Whoever is on the way can read tokens and what people say."""
    upstream: Url = "http://127.0.0.1:11434"
    """The Ollama to forward to."""
    upstreams: tuple[UpstreamSettings, ...] = ()
    """Further Ollamas, with the same models; the first one has priority 0. A session
    stays with the one that has its prefix cached. Requests in progress at one that is
    removed end there."""
    connect_seconds_max: float = Field(default=10.0, gt=0)
    """How long a connection to an Ollama may take."""
    answer_seconds_max: float = Field(default=0.0, ge=0)
    """How long an Ollama may be silent before and within an answer; 0 for no limit,
    since loading a model takes minutes."""
    requests_max: int = Field(default=512, ge=1)
    """Concurrent prompts; further ones wait."""
    queue_max: int = Field(default=512, ge=0)
    """Prompts that may wait; further ones are answered 503."""
    allowed_hosts: tuple[str, ...] = ()
    """Host names that requests may carry beside the loopback ones."""
    body_bytes_max: int = Field(default=32 * 2**20, ge=2**16)
    """The largest request body that is read, in bytes."""
    memory_milliseconds_max: float = Field(default=50.0, gt=0, le=5000)
    """How long a prompt may wait for the memory before it is forwarded without (D8)."""
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
    """How long answers in progress may take to end at a stop."""
    tenant: str = "default"
    """The memory that its clients share."""
    model_changes: bool = False
    """Whether clients may pull, push, create, copy and delete models; otherwise those
    requests are refused."""
    hints: Literal["auto", "always", "never"] = "auto"
    """Which agents are asked what an unknown word means: `auto`, those that can run a
    command and so answer with `gutask`; `always`, all of them; `never`, none."""
    cloud_models: bool = False
    """Whether to enrich prompts to `:cloud` models, which leave the machine."""
    require_tokens: bool = False
    """Whether requests need a token on a loopback address too, as they must behind a
    proxy that others can reach."""
    console_sign_in: bool = False
    """Whether the console asks for the operator's token on this machine too, as it must
    behind a proxy that does not name the client it forwards."""
    capture: Annotated[CaptureMode, BeforeValidator(on_or_off)] = CaptureMode.ON
    """What happens to conversations that a client marks with `X-Festinger-Subject`:
    `off`, they are not kept; `on`, they are kept with the memory, for an operator to
    have them read; `extract`, the model of `extract_model_id` reads memories out of
    them after ten minutes without a message. Other conversations are never kept."""
    loops: LoopSettings = LoopSettings()
    retold: RetoldSettings = RetoldSettings()

    @property
    def asks_to_sign_in(self) -> bool:
        """Return whether people of this machine must sign in to the console too."""
        # On an open address everybody needs a token.
        is_open = not is_loopback(host_and_port(self.address)[0])
        return self.console_sign_in or self.require_tokens or is_open
