"""Every setting of the configuration file, with its default and its limits.

The sentence below a field is what `festinger check --explain` prints of it.
"""

from __future__ import annotations

import os
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError
from pydantic import (
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from festinger.config.chatting import ChatSettings
from festinger.config.sections import Address, Url
from festinger.config.sections import Section as _Section

Share = Annotated[float, Field(ge=0, le=1, strict=True)]


class Trust(StrEnum):
    """What the text of a role may do to the memory. A role can only lower trust."""

    ASSERTS = "asserts"
    """Its clean statements become facts."""
    PROPOSES = "proposes"
    """Its statements wait for people."""
    NOTHING = "nothing"
    """It is looked up and teaches nothing."""


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


def _rise(section: _Section, *names: str) -> None:
    """Has settings rise in this order; who is refused is one that was written.

    Raises:
        ValidationError: They do not.
    """
    for low, high in pairwise(names):
        least, most = getattr(section, low), getattr(section, high)
        if least <= most:
            continue
        wrong, why = low, f"must not be above {high}, which is {most:g}"
        if low not in section.model_fields_set:
            wrong, why = high, f"must not be below {low}, which is {least:g}"
        raise ValidationError.from_exception_data(
            type(section).__name__,
            [
                InitErrorDetails(
                    type=PydanticCustomError("order", "{why}", {"why": why}),
                    loc=(wrong,),
                    input=getattr(section, wrong),
                )
            ],
        )


class Caller(_Section):
    """A client that authenticates with a token."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,63}$")
    """Its principal."""
    token_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """SHA-256 of its bearer token, in hexadecimal; the token itself is not stored."""
    trusted: bool = False
    """Whether it may act on behalf of others, as the shim and the bots do."""
    operator: bool = False
    """Whether it may settle conflicts and decide candidates. Agents never are."""
    tenants: tuple[str, ...] = ("default",)
    """The memories it may use; `*` for all."""


class ServerSettings(_Section):
    """The gRPC memory server."""

    address: Address = "127.0.0.1:7700"
    """HOST:PORT to listen on. Port 0 takes a free one."""
    trusted_network: bool = False
    """Permits a plain listener beyond loopback, as on a container network."""
    metrics_address: Address | None = None
    """HOST:PORT on which `GET /metrics` is answered for Prometheus; without it, nowhere.
    The shim answers it where it listens."""
    allowed_hosts: tuple[str, ...] = ()
    """Host names that requests for the metrics may carry beside the loopback ones."""
    message_bytes_max: int = Field(default=4 * 2**20, ge=2**16, le=64 * 2**20)
    """The largest message, in bytes."""
    deadline_seconds_max: float = Field(default=30.0, gt=0, le=600)
    """The longest a call may take, whatever the client asks for."""
    calls_max: int = Field(default=256, ge=1)
    """Calls under way at once; further ones are answered RESOURCE_EXHAUSTED. Half of
    them may be streams."""
    drain_seconds: float = Field(default=30.0, ge=0)
    """How long calls under way may take to end at a stop."""
    callers: tuple[Caller, ...] = ()
    """Who authenticates with which token, beside the ones `festinger up` makes."""


class DatabaseSettings(_Section):
    """Where the memory is kept."""

    dsn: str | None = Field(default=None, repr=False)
    """A PostgreSQL (≥ 15) of your own; without it one is started in the data
    directory. It may hold a password, so it is never printed."""
    connections_max: int = Field(default=8, ge=2, le=100)
    """Size of the connection pool."""
    statement_seconds_max: float = Field(default=30.0, gt=0)
    """The longest a statement may take."""
    start_seconds_max: float = Field(default=60.0, ge=0)
    """How long a start waits for a database that is not there yet."""


class LoopSettings(_Section):
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


class RetoldSettings(_Section):
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


class UpstreamSettings(_Section):
    """A further Ollama."""

    url: Url
    """Where it listens."""
    priority: int = Field(default=0, ge=0)
    """Prompts go to those with the lowest number that answer."""


class ShimSettings(_Section):
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


class ModelSettings(_Section):
    """How language models are asked in the background."""

    keys: SecretStr | None = Field(default=None, repr=False)
    """What the models' keys are encrypted with: 32 bytes in Base64, several for a
    rotation, the newest first. Best in the environment (FESTINGER_KEYS); without it a
    file `model.keys` is made in the data directory. Never printed."""
    answer_seconds_max: float = Field(default=300.0, gt=0, le=3600)
    """How long a model may take to answer, being loaded included."""
    attempts_max: int = Field(default=4, ge=1, le=10)
    """How often a request is made that fails in a way that may pass."""
    calls_max: int = Field(default=2, ge=1, le=64)
    """Requests to one model at once; further ones wait."""


class TrustSettings(_Section):
    """What each role of a conversation may teach (E1)."""

    user: Trust = Trust.ASSERTS
    """What people write."""
    tool: Trust = Trust.PROPOSES
    """What tools answer, and documents."""
    assistant: Literal[Trust.PROPOSES, Trust.NOTHING] = Trust.PROPOSES
    """What models write."""
    system: Literal[Trust.PROPOSES, Trust.NOTHING] = Trust.NOTHING
    """What the client's framework says."""


class GroundingSettings(_Section):
    """Which claims of models a text supports, by a score from 0 to 1 (G1)."""

    grounded: Share = 0.87
    """From this score a claim is grounded, unless it has a number, a name or a negation
    that its text has not."""
    candidate: Share = 0.50
    """From this score people say whether it is; below it is rejected."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _rise(self, "candidate", "grounded")
        return self


class FactorSettings(_Section):
    """What each finding adds to the confidence of what a model read of a person (G2)."""

    exact: float = Field(default=0.30, gt=0, le=1, strict=True)
    """Added if it stands in its text, whatever the endings of its words."""
    phrases: Share = 0.20
    """Added if its text has all of its words."""
    similar: Share = 0.10
    """Added if its text has half of them, or says it in words much alike."""
    twice: Share = 0.10
    """Added if it is mentioned twice."""
    often: Share = 0.20
    """Added if it is mentioned three times or more."""
    consistent: Share = 0.20
    """Added if it contradicts nothing that is known of the person."""
    contradicting: float = Field(default=-0.25, ge=-1, le=0, strict=True)
    """Added if it contradicts what is known of the person; that is lowered by as much."""
    explicit_fact: Share = 0.40
    """Added if it is a fact, and the person said so."""
    repeated_pattern: Share = 0.35
    """Added if it is a pattern that was observed twice or more."""
    single_pattern: Share = 0.25
    """Added if it is a pattern that was observed once."""
    narrative: Share = 0.35
    """Added if it is a shared narrative."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _rise(self, "similar", "phrases", "exact")
        _rise(self, "twice", "often")
        _rise(self, "single_pattern", "repeated_pattern")
        return self


class ThresholdSettings(_Section):
    """The confidence that each type of memory asks for (G3)."""

    user_fact: Share = 0.80
    """From this confidence a fact is told."""
    user_pattern: Share = 0.75
    """From this confidence a pattern is stored, for people to decide."""
    user_pattern_active: Share = 0.80
    """From this confidence a pattern is told."""
    user_pattern_proposal: Share = 0.60
    """From this confidence a pattern that is not stored is logged as a proposal."""
    shared_narrative: Share = 0.60
    """From this confidence a narrative is told."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _rise(self, "user_pattern_proposal", "user_pattern", "user_pattern_active")
        return self


class MemorySettings(_Section):
    """How it is decided what becomes of what models read in conversations."""

    factors: FactorSettings = FactorSettings()
    thresholds: ThresholdSettings = ThresholdSettings()


class DictionarySettings(_Section):
    """The everyday words that are nothing special (B4a)."""

    languages: tuple[str, ...] = ("en",)
    """Language codes of `wordfreq`."""
    zipf_min: float = Field(default=3.3, ge=1.0, le=8.0)
    """Words at least this frequent are in the dictionary, on the Zipf scale: 3 is
    once in a million words, 6 once in a thousand."""


class PersonSettings(_Section):
    """Somebody who may be asked whether a statement is true."""

    matrix: str = ""
    """Their Matrix account. Example: `@alice:example.org`."""
    slack: str = ""
    """Their Slack member number. Example: `U012AB3CD`."""
    webhook: str = ""
    """What the other side of the webhook calls them."""
    moderator: bool = False
    """Whether they decide alone, and are shown what is private."""
    high: bool = False
    """Whether statements of theirs are asked about within hours."""


class ValidationSettings(_Section):
    """Asking people what is too doubtful to be held."""

    predicates: tuple[str, ...] = ("t:joined", "t:worksAt")
    """The predicates for which people are asked, by URI; `*` for all. Other candidates
    wait for an operator for as long as it takes."""
    share: float = Field(default=1.0, ge=0, le=1)
    """For which share of authors people are asked: 0.1 begins with a tenth of them."""
    critical_seconds: float = Field(default=900.0, ge=60, le=86_400)
    """How long a critical candidate waits for moderators."""
    high_seconds: float = Field(default=7200.0, ge=60, le=7 * 86_400)
    """How long a candidate of high priority waits."""
    normal_seconds: float = Field(default=172_800.0, ge=60, le=60 * 86_400)
    """How long any other candidate waits."""
    person_questions_max: int = Field(default=3, ge=0, le=100)
    """Questions to one person in a day."""
    channel_questions_max: int = Field(default=10, ge=0, le=1000)
    """Questions in one channel in a day."""
    gold_share: float = Field(default=0.03, ge=0, le=0.5)
    """Of which share of the questions the answer is known already: they tell how far
    somebody's answers can be relied on."""
    channel: str = ""
    """Where the community is asked about what was said nowhere in particular, as
    PLATFORM:CHANNEL; nowhere if it is empty."""
    moderator_channel: str = ""
    """Where moderators are asked, as PLATFORM:CHANNEL; if it is empty, each in person."""
    digest_schedule: str = "0 9 * * *"
    """When moderators get what waits for them in one message: a cron expression, or
    `never` to ask them one by one."""
    timezone: str = "UTC"
    """Where that is meant, and where a day begins. Example: `Europe/Berlin`."""
    console_url: str = ""
    """Where people reach the console, for "More info". Example:
    `https://memory.example.org`."""
    reversed_max: float = Field(default=0.2, gt=0, le=1)
    """The share of a day's confirmed facts that may be reversed; beyond it everything
    goes to moderators for a day."""
    reversed_min: int = Field(default=5, ge=1)
    """… once so many were."""
    people: dict[str, PersonSettings] = Field(default_factory=dict)
    """Who may be asked, by principal: the name by which the memory knows them."""

    @field_validator("people")
    @classmethod
    def _one_account_one_person(
        cls, value: dict[str, PersonSettings]
    ) -> dict[str, PersonSettings]:
        owners: dict[tuple[str, str], str] = {}
        for name, person in value.items():
            for platform in ("matrix", "slack", "webhook"):
                if not (account := getattr(person, platform)):
                    continue
                owner = owners.setdefault((platform, account), name)
                if owner != name:
                    raise ValueError(
                        f"{owner} and {name} have the same {platform} account"
                    )
        return value

    @field_validator("digest_schedule")
    @classmethod
    def _cron(cls, value: str) -> str:
        if value != "never":
            try:
                CronSim(value, datetime(2000, 1, 1))
            except CronSimError as error:
                raise ValueError(f"no cron expression: {error}") from None
        return value

    @field_validator("timezone")
    @classmethod
    def _zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"no time zone is called {value!r}") from None
        return value


class LogSettings(_Section):
    """What the processes write to standard error. Prompts are never in it."""

    format: Literal["auto", "console", "json"] = "auto"
    """Lines for people, or one JSON object a line; `auto` is for people on a terminal
    and JSON elsewhere."""
    level: Literal["debug", "info", "warning", "error"] | None = None
    """What is worth a line; by default `warning` for `festinger up` and `info` for a
    process of its own."""


class Settings(_Section):
    """The whole configuration."""

    data_dir: Path = Field(default_factory=lambda: default_data_dir())
    """Where the embedded database, the tokens and the dictionary are kept."""
    server: ServerSettings = ServerSettings()
    database: DatabaseSettings = DatabaseSettings()
    shim: ShimSettings = ShimSettings()
    models: ModelSettings = ModelSettings()
    trust: TrustSettings = TrustSettings()
    grounding: GroundingSettings = GroundingSettings()
    memories: MemorySettings = MemorySettings()
    dictionary: DictionarySettings = DictionarySettings()
    validation: ValidationSettings = ValidationSettings()
    chat: ChatSettings = ChatSettings()
    log: LogSettings = LogSettings()

    @field_validator("data_dir")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()


def default_data_dir() -> Path:
    """The data directory of this user, as the XDG convention has it."""
    if os.geteuid() == 0:
        # Postgres will not run as root, and its stand-in cannot enter /root.
        return Path("/var/lib/festinger")
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "festinger"
