"""Every setting of the configuration file, with its default and its limits.

The text below a field is the description that `festinger check --explain` prints. The
larger sections have modules of their own.
"""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, SecretStr, model_validator

from festinger.config.chatting import ChatSettings
from festinger.config.encryption import TlsSettings
from festinger.config.learning import EmbeddingSettings, LearningSettings
from festinger.config.remembering import GroundingSettings, MemorySettings
from festinger.config.sections import AbsolutePath, Address, Section
from festinger.config.shim import ShimSettings
from festinger.config.validating import ValidationSettings


class RoleTrust(StrEnum):
    """Effect of a role's text on the memory; a role can only lower trust."""

    ASSERTS = "asserts"
    """Its clean statements become facts."""
    PROPOSES = "proposes"
    """Its statements wait for people."""
    NOTHING = "nothing"
    """It is only looked up, and nothing is learnt from it."""


class PromptStorage(StrEnum):
    """Part of the prompts that is stored."""

    UTTERANCES = "utterances"
    """The sentences that people type, and the facts that they state."""
    STATEMENTS = "statements"
    """The facts alone."""
    NOTHING = "nothing"
    """Nothing: prompts are only looked up, and nothing is learnt from them."""


class LimitSettings(Section):
    """Limits of one memory, which leave room for the others."""

    requests_per_second: float = Field(default=0.0, ge=0, le=1_000_000)
    """Prompts and calls that a memory takes in a second; 0 for any number. As many may
    come at once. Calls of operators are not counted."""
    lines_max: int = Field(default=0, ge=0)
    """Lines that a memory may hold, as `festinger facts` shows them; 0 for any number. A
    full one is told as before, and learns nothing until lines are forgotten."""


class ServerSettings(Section):
    """The gRPC memory server."""

    address: Address = "127.0.0.1:7700"
    """HOST:PORT to listen on, and where clients connect to. Port 0 takes a free one."""
    name: str = Field(default="", pattern=r"^[A-Za-z0-9._:-]{0,128}$")
    """Its name in the directory of several servers over one database. It serves the
    tenants that are assigned to it, and those that are assigned to none."""
    tls: TlsSettings = TlsSettings()
    """Its certificates, and those of its clients. On a machine with clients only they
    are the clients' own, and the authority is that of the server."""
    plain_text: bool = False
    """Permits listening beyond loopback without encryption, as on a container network.
    Whoever is on the way can read tokens and what people say."""
    require_tokens: bool = False
    """Whether callers on this machine need a token too, as they must behind a proxy that
    others can reach. On an address beyond loopback every caller needs one."""
    metrics_address: Address | None = None
    """HOST:PORT on which the server answers `GET /metrics` for Prometheus; without it,
    it does not. Beyond loopback Prometheus needs a token. The shim answers on its own
    address."""
    allowed_hosts: tuple[str, ...] = ()
    """Host names that requests for the metrics may carry beside the loopback ones."""
    # 4 MB is gRPC's own limit as well.
    message_bytes_max: int = Field(default=4 * 2**20, ge=2**16, le=64 * 2**20)
    """The largest message, in bytes."""
    deadline_seconds_max: float = Field(default=30.0, gt=0, le=600)
    """The longest a call may take, whatever the client asks for."""
    calls_max: int = Field(default=256, ge=1)
    """Concurrent calls; further ones are answered RESOURCE_EXHAUSTED, with the time to
    wait. Half of them may be streams."""
    # As long as the shim waits (D8): after that nobody reads the answer.
    queue_milliseconds_max: float = Field(default=50.0, gt=0, le=5000)
    """How long a prompt may wait for those before it. If more arrive than can be
    answered, prompts that waited longer are dropped unread, the oldest first, and
    their senders are told when to try again (J12)."""
    drain_seconds: float = Field(default=30.0, ge=0)
    """How long calls in progress may take to end at a stop."""
    limits: LimitSettings = LimitSettings()
    tenant_limits: dict[str, LimitSettings] = Field(default_factory=dict)
    """Limits of single memories, in the place of `limits`. Example:
    `{acme: {requests_per_second: 50, lines_max: 100000}}`."""

    def limits_of(self, tenant: str) -> LimitSettings:
        """Return the limits of a memory."""
        return self.tenant_limits.get(tenant, self.limits)


class DatabaseSettings(Section):
    """The database of the memories."""

    dsn: str | None = Field(default=None, repr=False)
    """A PostgreSQL (≥ 15) of your own; without it one is started in the data
    directory. It may hold a password, so it is never printed."""
    pooler: str | None = Field(default=None, repr=False)
    """A PgBouncer before this database, in transaction mode, which servers then use.
    Migrations, backups and checks go to `dsn` itself. Never printed either."""
    connections_max: int = Field(default=8, ge=2, le=100)
    """Size of the connection pool."""
    statement_seconds_max: float = Field(default=30.0, gt=0)
    """The longest a statement may take."""
    start_seconds_max: float = Field(default=60.0, ge=0)
    """How long a start waits for a database that is not there yet, or a standby."""

    @model_validator(mode="after")
    def _check_pooler(self) -> Self:
        if self.pooler is not None and self.dsn is None:
            raise ValueError("pooler needs dsn: migrations go to the database itself")
        return self


class ModelSettings(Section):
    """Background requests to language models."""

    keys: SecretStr | None = Field(default=None, repr=False)
    """The keys that encrypt the models' API keys: 32 bytes in Base64, several for a
    rotation, the newest first. Best in the environment (FESTINGER_KEYS); without it a
    file `model.keys` is made in the data directory. Never printed."""
    answer_seconds_max: float = Field(default=300.0, gt=0, le=3600)
    """How long a model may take to answer, including the time to load it."""
    attempts_max: int = Field(default=4, ge=1, le=10)
    """How often a request is tried that fails with a temporary error."""
    calls_max: int = Field(default=2, ge=1, le=64)
    """Requests to one model at once; further ones wait."""


class KeepingSettings(Section):
    """Storage of what people say to their agents."""

    keep: PromptStorage = PromptStorage.UTTERANCES
    """`utterances`, the sentences that people type; `statements`, only the facts that
    they state; or `nothing`."""
    keep_days: int = Field(default=90, ge=1, le=36_500)
    """Days after which a sentence is forgotten."""


class RetentionSettings(Section):
    """Retention of rows; old ones are deleted a few thousand at a time."""

    requests_days: int = Field(default=30, ge=1, le=36_500)
    """Days after which a repeated call with the same `request_id` is a new one."""
    rejections_days: int = Field(default=90, ge=1, le=36_500)
    """Days for which `festinger memories rejections` lists what was not stored."""
    usage_days: int = Field(default=400, ge=2, le=36_500)
    """Days for which it is kept what was spent on models."""
    reports_days: int = Field(default=365, ge=1, le=36_500)
    """Days after which the report of a wave of documents is deleted."""
    history_days: int = Field(default=3650, ge=30, le=36_500)
    """Days after which it is forgotten that a fact was held which no longer is."""


class TrustSettings(Section):
    """Trust in the text of each role of a conversation (E1)."""

    user: RoleTrust = RoleTrust.ASSERTS
    """What people write."""
    tool: RoleTrust = RoleTrust.PROPOSES
    """What tools answer, and documents."""
    # A role can only lower trust (E1): what a model writes never asserts.
    assistant: Literal[RoleTrust.PROPOSES, RoleTrust.NOTHING] = RoleTrust.PROPOSES
    """What models write."""
    system: Literal[RoleTrust.PROPOSES, RoleTrust.NOTHING] = RoleTrust.NOTHING
    """What the client's framework says."""


class DictionarySettings(Section):
    """The dictionary of everyday words, which never count as salient (B4a)."""

    languages: tuple[str, ...] = ("en",)
    """Language codes of `wordfreq`."""
    zipf_min: float = Field(default=3.3, ge=1.0, le=8.0)
    """Words at least this frequent are in the dictionary, on the Zipf scale: 3 is
    once in a million words, 6 once in a thousand."""


class LogSettings(Section):
    """Log that the processes write to standard error; prompts are never in it."""

    format: Literal["auto", "console", "json"] = "auto"
    """Readable lines (`console`), or one JSON object per line; `auto` is `console` on a
    terminal and `json` elsewhere."""
    level: Literal["debug", "info", "warning", "error"] | None = None
    """The lowest level that is logged; by default `warning` for `festinger up` and
    `info` for a process of its own."""


class Settings(Section):
    """The whole configuration."""

    # At run time, since it depends on the user and the environment.
    data_dir: AbsolutePath = Field(default_factory=lambda: default_data_dir())
    """The directory of the embedded database, the tokens and the dictionary."""
    server: ServerSettings = ServerSettings()
    database: DatabaseSettings = DatabaseSettings()
    shim: ShimSettings = ShimSettings()
    models: ModelSettings = ModelSettings()
    memory: KeepingSettings = KeepingSettings()
    retention: RetentionSettings = RetentionSettings()
    learning: LearningSettings = LearningSettings()
    embeddings: EmbeddingSettings = EmbeddingSettings()
    trust: TrustSettings = TrustSettings()
    grounding: GroundingSettings = GroundingSettings()
    memories: MemorySettings = MemorySettings()
    dictionary: DictionarySettings = DictionarySettings()
    validation: ValidationSettings = ValidationSettings()
    chat: ChatSettings = ChatSettings()
    log: LogSettings = LogSettings()


def default_data_dir() -> Path:
    """Return the data directory of this user, by the XDG convention."""
    if os.geteuid() == 0:
        # Postgres refuses to run as root, and the user that runs it cannot enter /root.
        return Path("/var/lib/festinger")
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "festinger"
