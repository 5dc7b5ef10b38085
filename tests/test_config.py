from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from festinger import config
from festinger.config.sections import Section
from festinger.config.values import FIXED
from festinger.core.system.preferences import Preferences
from festinger.errors import ConfigurationError

SECTIONS = [
    kind
    for kind in vars(config).values()
    if isinstance(kind, type)
    and issubclass(kind, BaseModel)
    and kind not in {BaseModel, Section}
]

# Written values, and the words that the refusal must hold.
WRONG = [
    ({"shim": {"upstream": "ftp://x"}}, "shim.upstream"),
    ({"shim": {"address": "nowhere"}}, "shim.address"),
    ({"server": {"address": "7700"}}, "server.address"),
    ({"server": {"address": "x:y"}}, "server.address"),
    ({"zork": 1}, "no setting 'zork'"),
    ({"server": {"zork": 1}}, "no setting 'server.zork'"),
    ({"server": {"deadline_seconds_max": 0}}, "server.deadline_seconds_max"),
    ({"database": {"pooler": "postgresql://bouncer/x"}}, "pooler needs dsn"),
    ({"server": {"calls_max": "many"}}, "server.calls_max"),
    ({"shim": {"loops": {"zork": 1}}}, "no setting 'shim.loops.zork'"),
    ({"shim": {"loops": {"repeats": 1}}}, "shim.loops.repeats"),
    ({"shim": {"loops": {"rules": ["zork"]}}}, "shim.loops.rules.0"),
    ({"shim": {"loops": {"rungs": ["jump"]}}}, "shim.loops.rungs.0"),
    ({"shim": {"loops": {"near_similarity": 0.1}}}, "shim.loops.near_similarity"),
    ({"shim": {"loops": {"stop_with": "shouting"}}}, "shim.loops.stop_with"),
    ({"trust": {"assistant": "asserts"}}, "trust.assistant"),
    ({"trust": {"system": "asserts"}}, "trust.system"),
    ({"trust": {"user": "obeys"}}, "trust.user"),
    ({"dictionary": {"zipf_min": 99}}, "dictionary.zipf_min"),
    ({"grounding": {"grounded": 1.5}}, "grounding.grounded"),
    ({"grounding": {"candidate": -0.1}}, "grounding.candidate"),
    ({"grounding": {"candidate": float("nan")}}, "grounding.candidate"),
    ({"grounding": {"grounded": True}}, "grounding.grounded"),
    ({"grounding": {"rejected": 0.1}}, "no setting 'grounding.rejected'"),
    ({"memory": {"keep_days": -1}}, "memory.keep_days: Input should be greater"),
    ({"memory": {"keep_days": 0}}, "memory.keep_days: Input should be greater"),
    ({"memory": {"keep_days": 36_501}}, "memory.keep_days: Input should be less"),
    ({"memory": {"keep_days": 1.5}}, "memory.keep_days"),
    (
        {"memory": {"keep": "everything"}},
        "'utterances', 'statements' or 'nothing' (it is 'everything')",
    ),
    ({"memory": "nothing"}, "must hold keys and values"),
    ({"shim": {"hints": "maybe"}}, "'auto', 'always' or 'never' (it is 'maybe')"),
    ({"memories": {"factors": {"exact": 0}}}, "memories.factors.exact"),
    ({"memories": {"factors": {"often": "much"}}}, "memories.factors.often"),
    (
        {"memories": {"factors": {"contradicting": 0.25}}},
        "memories.factors.contradicting",
    ),
    ({"memories": {"factors": {"luck": 1}}}, "no setting 'memories.factors.luck'"),
    ({"memories": {"thresholds": {"user_fact": 80}}}, "memories.thresholds.user_fact"),
    (
        {"shim": {"upstreams": [{"url": "http://gpu:11434", "priority": -1}]}},
        "upstreams.0.priority",
    ),
    ({"shim": {"upstreams": [{"url": "gpu"}]}}, "upstreams.0.url"),
    ({"validation": {"digest_schedule": "0 0 9 * * *"}}, "wrong number of fields"),
    ({"validation": {"timezone": "Berlin"}}, "Write an IANA name"),
    ({"learning": {"model": True}}, "must be loaded, off, or a number"),
    ({"server": {"callers": []}}, "`festinger system tokens create NAME` makes"),
]


def described(kind):
    """The fields of a section that have a sentence below them, or in the class's own."""
    (node,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(node, ast.ClassDef)
    return {
        field.target.id
        for field, sentence in zip(node.body, node.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(sentence, ast.Expr)
        and isinstance(sentence.value, ast.Constant)
    }


@pytest.mark.parametrize("section", SECTIONS, ids=lambda it: it.__name__)
def test_settings_are_documented(section):
    """Every field says what it is, unless it is a section, which says so itself."""
    subsections = {
        name
        for name, field in section.model_fields.items()
        if inspect.isclass(field.annotation) and issubclass(field.annotation, BaseModel)
    }
    roles = set(config.TrustSettings.model_fields) & set(section.model_fields)

    undescribed = set(section.model_fields) - described(section) - subsections
    assert undescribed - roles == set()
    assert section.__doc__


def test_no_setting_is_in_two_places():
    """A setting that a tenant may change while the server runs is not in the file (A2a)."""
    in_file = {name for section in SECTIONS for name in section.model_fields}

    assert in_file & set(Preferences().rows()) == set()


@pytest.mark.parametrize("section", SECTIONS, ids=lambda it: it.__name__)
def test_settings_are_frozen(section):
    """A checked setting does not change."""
    assert section.model_config["frozen"]
    assert section.model_config["extra"] == "forbid"


def test_defaults_need_no_file():
    """Nothing at all is a valid configuration, and it is a careful one."""
    settings = config.load(environment={})

    assert settings.server.address == "127.0.0.1:7700"
    assert settings.database.dsn is None
    assert settings.trust.tool is config.RoleTrust.PROPOSES


def test_file_is_overridden_by_environment_and_command_line(tmp_path):
    """Defaults, file, environment, command line: the later wins."""
    file = tmp_path / "festinger.yaml"
    file.write_text(
        "server: {address: '127.0.0.1:1', calls_max: 3}\nshim: {tenant: a}\n"
    )
    environment = {
        "FESTINGER_SERVER__ADDRESS": "127.0.0.1:2",
        "FESTINGER_SHIM__TENANT": "b",
    }

    settings = config.load(file, {"server": {"address": "127.0.0.1:3"}}, environment)

    assert settings.server.address == "127.0.0.1:3"
    assert settings.server.calls_max == 3
    assert settings.shim.tenant == "b"


def test_short_names_are_the_long_ones(tmp_path):
    """The five settings that people change most have names of their own."""
    environment = {
        "FESTINGER_DATA_DIR": str(tmp_path),
        "FESTINGER_UPSTREAM": "http://elsewhere:1",
        "FESTINGER_SHIM": "127.0.0.1:1",
        "FESTINGER_SERVER": "127.0.0.1:2",
        "FESTINGER_DSN": "postgresql://x",
        "FESTINGER_EMPTY": "",
        "FESTINGER_REQUIRE_ALL": "1",
    }

    settings = config.load(environment=environment)

    assert settings.data_dir == tmp_path
    assert settings.shim.upstream == "http://elsewhere:1"
    assert (settings.shim.address, settings.server.address) == (
        "127.0.0.1:1",
        "127.0.0.1:2",
    )
    assert settings.database.dsn == "postgresql://x"


def test_empty_file_is_no_file(tmp_path):
    """A file of comments, and a section without keys, are fine."""
    file = tmp_path / "festinger.yaml"
    file.write_text("# nothing yet\n")
    settings = config.load(file, environment={})
    file.write_text("server:\n")

    assert settings == config.load(environment={})
    assert config.load(file, {"server": {"calls_max": 3}}, {}).server.calls_max == 3


def test_on_and_off_are_words(tmp_path):
    """YAML reads them as truth values, which stand for the words again."""
    file = tmp_path / "festinger.yaml"
    file.write_text("learning: {model: off}\nshim: {capture: on}\n")

    settings = config.load(file, {"shim": {"capture": False}}, {})

    assert (settings.learning.model, settings.shim.capture) == ("off", "off")
    assert config.load(file, environment={}).shim.capture == "on"


@pytest.mark.parametrize(("values", "words"), WRONG)
def test_wrong_setting_is_named(values, words):
    """The refusal says which key is wrong, and why."""
    with pytest.raises(ConfigurationError) as caught:
        config.load(overrides=values, environment={})

    assert words in caught.value.message


@pytest.mark.parametrize("text", ["- a\n- b\n", "just words", "a: [1,"])
def test_file_must_hold_keys(tmp_path, text):
    """Another kind of file is refused by its name."""
    file = tmp_path / "festinger.yaml"
    file.write_text(text)

    with pytest.raises(ConfigurationError, match=r"festinger\.yaml"):
        config.load(file, environment={})


def test_missing_file_is_refused():
    """A file that was asked for must exist."""
    with pytest.raises(ConfigurationError, match="cannot read"):
        config.load(Path("/no/such/file"), environment={})


def test_password_is_not_printed():
    """A DSN may hold a password, so that no settings show it."""
    settings = config.load(environment={"FESTINGER_DSN": "postgresql://u:secret@h/d"})

    assert "secret" not in repr(settings)


def test_keys_are_not_printed():
    """The key that encrypts the models' keys is in no representation of the settings."""
    settings = config.load(environment={"FESTINGER_KEYS": "hunter2"})

    assert settings.models.keys is not None
    assert settings.models.keys.get_secret_value() == "hunter2"
    assert "hunter2" not in f"{settings!r} {settings} {settings.models.keys}"


def test_refusal_shows_no_keys():
    """Nor does an error that concerns them."""
    with pytest.raises(ConfigurationError, match=r"models\.keys") as caught:
        config.load(overrides={"models": {"keys": ["hunter2"]}}, environment={})

    assert "hunter2" not in caught.value.message


def test_refusal_shows_no_password():
    """A wrong DSN is not repeated in the error either."""
    with pytest.raises(ConfigurationError) as caught:
        config.load(
            overrides={"database": {"dsn": ["postgresql://u:secret@h/d"]}},
            environment={},
        )

    assert "secret" not in caught.value.message


def test_settings_cannot_be_changed():
    """Assigning is an error."""
    settings = config.load(environment={})

    with pytest.raises(ValidationError):
        settings.server.address = "0.0.0.0:1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("server: {}\nshim:\n  zork: 1\n", "festinger.yaml:3: there is no setting"),
        ("\nserver:\n  calls_max: many\n", "festinger.yaml:3: server.calls_max"),
        ("shim:\n  upstream: ollama\n", "festinger.yaml:2: shim.upstream"),
        ("shim: 3\n", "festinger.yaml:1: shim: must hold keys and values"),
        ("\ndata_dir: 2020-99-99\n", "festinger.yaml:2 is not YAML: what looks like"),
        ("\nshim: {tenant: !!bool x}\n", "festinger.yaml:2 is not YAML"),
        ("\nshim: {tenant: !!timestamp x}\n", "festinger.yaml:2 is not YAML"),
        (f"shim: {{tenant: {'9' * 5000}}}\n", "festinger.yaml:1 is not YAML"),
        ("shim: &a {tenant: *a}\n", "festinger.yaml is nested too deeply"),
        (f"shim: {'[' * 3000}{']' * 3000}\n", "festinger.yaml is nested too deeply"),
        ("shim: {upstreams: [{priority: 1}]}\n", "festinger.yaml:1: shim.upstreams.0"),
        (
            "server: {trusted_network: true}\n",
            "festinger.yaml:1: server.trusted_network is gone: on an address beyond "
            "loopback every caller needs a token",
        ),
        ("shim: {trusted_network: true}\n", "every caller needs a token"),
        ("chat: {trusted_network: true}\n", "what they receive is signed"),
        ("a: b\n c: d\n", "festinger.yaml:2 is not YAML"),
        (
            "grounding:\n  grounded: 0.7\n  candidate: 0.9\n",
            "festinger.yaml:3: grounding.candidate: must not be above grounded, which "
            "is 0.7 (it is 0.9)",
        ),
        (
            "grounding:\n  grounded: 0.3\n",
            "festinger.yaml:2: grounding.grounded: must not be below candidate, which "
            "is 0.5 (it is 0.3)",
        ),
        (
            "memories:\n  factors:\n    twice: 0.1\n    phrases: 0.4\n",
            "festinger.yaml:4: memories.factors.phrases: must not be above exact",
        ),
        (
            "memories: {factors: {often: 0.05}}\n",
            "festinger.yaml:1: memories.factors.often: must not be below twice",
        ),
        (
            "memories:\n  factors: {repeated_pattern: 0.1}\n",
            "festinger.yaml:2: memories.factors.repeated_pattern",
        ),
        (
            "memories:\n  thresholds:\n    user_pattern_active: 0.7\n",
            "festinger.yaml:3: memories.thresholds.user_pattern_active: must not be "
            "below user_pattern",
        ),
    ],
)
def test_refusal_names_the_line(tmp_path, text, words):
    """An error in a file is told with its line."""
    file = tmp_path / "festinger.yaml"
    file.write_text(text)

    with pytest.raises(ConfigurationError) as caught:
        config.load(file, environment={})

    assert words in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        'database: {dsn: "postgresql://u:secret@h/d}\n',
        "shim: {upstream: 'ftp://u:secret@h'}\n",
        "database: {dsn: [postgresql://u:secret@h/d]}\n",
        "database: postgresql://u:secret@h/d\n",
        "database: {dsn: *secret}\n",
        "database: {dsn: !secret h}\n",
        "models: {keys: !!int secret}\n",
    ],
)
def test_refused_file_shows_no_password(tmp_path, text):
    """Not even where the file is broken in the middle of one."""
    file = tmp_path / "festinger.yaml"
    file.write_text(text)

    with pytest.raises(ConfigurationError) as caught:
        config.load(file, environment={})

    assert "secret" not in caught.value.message


@pytest.mark.parametrize(
    ("overrides", "environment"),
    [
        ({"database": {"dsn": "postgresql://x"}}, {}),
        ({}, {"FESTINGER_DSN": "postgresql://x"}),
    ],
)
def test_section_that_is_a_value_is_refused(tmp_path, overrides, environment):
    """Also where something else sets a key within it, and without what it holds."""
    file = tmp_path / "festinger.yaml"
    file.write_text("\ndatabase: postgresql://u:secret@h/d\n")

    with pytest.raises(ConfigurationError) as caught:
        config.load(file, overrides, environment)

    assert "festinger.yaml:2: database is a value" in caught.value.message
    assert "secret" not in caught.value.message


@pytest.mark.parametrize("value", ["2020-99-99", "0x_", "!!int secret", "[" * 3000])
def test_variable_that_cannot_be_read_is_named(value):
    """The refusal names it, and does not show it."""
    with pytest.raises(ConfigurationError) as caught:
        config.load(environment={"FESTINGER_SHIM__TENANT": value})

    assert caught.value.message == (
        "FESTINGER_SHIM__TENANT is not a value as YAML has them"
    )


def test_values_know_where_they_were_written(tmp_path):
    """A file's line, a variable, the command line; a default was written nowhere."""
    file = tmp_path / "festinger.yaml"
    file.write_text("server:\n  calls_max: 3\n  drain_seconds: 1\nshim: {tenant: a}\n")
    environment = {"FESTINGER_SERVER__DRAIN_SECONDS": "2"}

    origins = config.read(file, {"shim": {"tenant": "b"}}, environment).origins

    assert origins["server", "calls_max"] == f"{file}:2"
    assert origins["server", "drain_seconds"] == "FESTINGER_SERVER__DRAIN_SECONDS"
    assert origins["shim", "tenant"] == "the command line"
    assert ("shim", "upstream") not in origins


def test_wrong_variable_is_named():
    """If a variable is wrong, the refusal names the variable."""
    with pytest.raises(ConfigurationError) as caught:
        config.load(environment={"FESTINGER_SERVER__CALLS_MAX": "many"})

    assert "FESTINGER_SERVER__CALLS_MAX: server.calls_max" in caught.value.message


def test_changes_say_what_a_running_process_takes():
    """A socket stays where it is until a restart; what may be read, does not."""
    old = config.load(environment={})
    new = config.load(
        overrides={
            "shim": {"address": "127.0.0.1:1", "body_bytes_max": 2**20},
            "trust": {"tool": "nothing"},
        },
        environment={},
    )

    assert config.changes(old, old) == []
    changed = config.changes(old, new)
    assert {key: config.is_live(key) for key in changed} == {
        ("shim", "address"): False,
        ("shim", "body_bytes_max"): True,
        ("trust", "tool"): True,
    }


def test_each_fixed_setting_exists():
    """A setting that needs a restart is the name of a setting or of a section."""
    keys = {each.key for each in config.values(config.load(environment={}))}

    for fixed in FIXED:
        assert any(key[: len(fixed)] == fixed for key in keys), fixed
