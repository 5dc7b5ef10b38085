"""The operator's configuration: a YAML file, overridden by the environment.

All settings are validated before use, and frozen. Settings of a tenant are not here:
they live in the `config` table of the database (`festinger.core.system.preferences`),
and no setting is in both (A2a).

A file looks like this; every key is optional, and `festinger check --explain` prints
all of them:

    data_dir: ~/.local/share/festinger
    server: {address: 127.0.0.1:7700}
    shim: {address: 127.0.0.1:11435, upstream: http://127.0.0.1:11434}
    trust: {tool: proposes, assistant: proposes}

The environment overrides it, with two underscores between the levels:
`FESTINGER_SERVER__ADDRESS`, `FESTINGER_SHIM__UPSTREAM`. The settings that people change
most have short names as well: `FESTINGER_DATA_DIR`, `FESTINGER_UPSTREAM`,
`FESTINGER_SHIM`, `FESTINGER_SERVER`, `FESTINGER_DSN`, `FESTINGER_KEYS`.

Running processes read the file again when it changes. An error in it is logged with its
line, and the previous configuration stays in force.
"""

from __future__ import annotations

from festinger.config.addresses import (
    check_upstream,
    host_and_port,
    is_loopback,
    reachable,
    require_encryption,
    url_parts,
    without_password,
)
from festinger.config.callers import CallerSettings
from festinger.config.chatting import (
    ChatSettings,
    MatrixSettings,
    SlackSettings,
    WebhookSettings,
)
from festinger.config.encryption import TlsSettings
from festinger.config.learning import EmbeddingSettings, LearningSettings
from festinger.config.reading import SECRET, ConfigSource, LoadedConfig, load, read
from festinger.config.remembering import (
    FactorSettings,
    GroundingSettings,
    MemorySettings,
    ThresholdSettings,
)
from festinger.config.settings import (
    DatabaseSettings,
    DictionarySettings,
    KeepingSettings,
    LimitSettings,
    LogSettings,
    ModelSettings,
    PromptStorage,
    RetentionSettings,
    RoleTrust,
    ServerSettings,
    Settings,
    TrustSettings,
    default_data_dir,
)
from festinger.config.shim import (
    CaptureMode,
    LoopRule,
    LoopRung,
    LoopSettings,
    RetoldSettings,
    ShimSettings,
    UpstreamSettings,
)
from festinger.config.validating import PersonSettings, ValidationSettings
from festinger.config.values import changes, is_live, values
