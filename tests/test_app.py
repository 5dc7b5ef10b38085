from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import aiohttp
import grpc
import pytest
from grpc_health.v1 import health_pb2
from structlog.testing import capture_logs

from festinger import app, config, maintenance
from festinger.api.v1 import config_service_pb2
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.extraction_service_pb2 import CaptureRequest, ExtractRequest
from festinger.api.v1.memory_service_pb2 import ResolveRequest, Turn
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.core.system.keyforms import detectors
from festinger.credentials import (
    LOCAL,
    OPERATOR,
    SHIM,
    issue,
    read_token,
    revoke,
    token_file,
)
from festinger.errors import (
    AddressInUse,
    ConfigurationError,
    DatabaseUnavailable,
    DataDirectoryInUse,
)
from festinger.programs import server
from festinger.store.embedded import cluster
from festinger.store.embedded.place import settle
from tests.conftest import fastest_place
from tests.databases import dsn_of
from tests.exposition import value
from tests.memories import write_dictionary
from tests.providers import Say
from tests.serving import Client, refused
from tests.waiting import becomes, until

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.fixture
def empty_dir() -> Iterator[Path]:
    """An empty directory that Postgres' user can enter."""
    directory = Path(tempfile.mkdtemp(prefix="festinger-", dir=fastest_place()))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory)


@pytest.fixture(scope="module")
def used_dir() -> Iterator[Path]:
    """A data directory in which a server has run once; its dictionary has few words."""
    directory = Path(tempfile.mkdtemp(prefix="festinger-", dir=fastest_place()))
    directory.chmod(0o755)
    write_dictionary(directory)

    async def run() -> None:
        async with app.serving(settings_of(directory)):
            pass

    asyncio.run(run())
    yield directory
    shutil.rmtree(directory)


@pytest.fixture
def data_dir(empty_dir: Path, used_dir: Path) -> Path:
    """A data directory of the test's own; making one from nothing takes longer."""
    subprocess.run(["cp", "-a", f"{used_dir}/.", empty_dir], check=True)
    return empty_dir


def settings_of(data_dir, **sections):
    """Free ports, no Ollama, and what else a test wants."""
    values = {
        "data_dir": data_dir,
        "server": {"address": "127.0.0.1:0"},
        "shim": {"address": "127.0.0.1:0", "upstream": "http://127.0.0.1:1"},
    }
    return config.load(overrides=values | sections, environment={})


@asynccontextmanager
async def running(data_dir, **sections):
    """A server on a data directory, and a client of it."""
    async with (
        app.serving(settings_of(data_dir, **sections)) as started,
        grpc.aio.insecure_channel(started.server) as channel,
    ):
        yield Client(channel)


async def test_ollama_model_is_asked_at_the_shims_upstream(data_dir, provider):
    """A new memory's own model answers without a key or an address of its own."""
    shim = {"address": "127.0.0.1:0", "upstream": provider.url}
    provider.will(Say({"word": "pong"}))
    async with running(data_dir, shim=shim) as client:
        token = read_token(data_dir, OPERATOR)
        trial = await client.config.TestModel(
            config_service_pb2.TestModelRequest(model_id=1),
            metadata=[("authorization", f"Bearer {token}")],
        )

    assert (trial.answered, trial.error) == (True, "")
    assert provider.asked[0]["model"] == trial.model.model_name


async def test_server_does_not_start_with_keys_that_are_none(data_dir):
    """It would find out when it is too late."""
    with pytest.raises(ConfigurationError, match="FESTINGER_KEYS"):
        async with running(data_dir, models={"keys": "hunter2"}):
            pytest.fail("it started")


async def test_first_start_needs_nothing(empty_dir):
    """An empty directory becomes a memory that takes facts and tells them."""
    async with running(empty_dir) as client:
        await client.states("gnommoweb -isa repo")
        told = await client.says("gnommoweb")

        assert await client.health() == await client.health("database") == SERVING
    assert told.lines[0].text == "gnommoweb: [type] repo"


async def test_next_start_finds_everything(data_dir):
    """Facts, counters and tokens are those of the run before."""
    async with running(data_dir) as client:
        await client.states("gnommoweb -isa repo")
        await client.says("dobby")
        await client.says("dobby again")
        tokens = [read_token(data_dir, name) for name in (SHIM, OPERATOR)]

    async with running(data_dir) as client:
        told = await client.says("gnommoweb")
        dobby = await client.concept("dobby")

    assert told.lines[0].text == "gnommoweb: [type] repo"
    assert dobby.encounter_count == 2
    assert tokens == [read_token(data_dir, name) for name in (SHIM, OPERATOR)]
    assert all(tokens)


async def test_first_key_in_a_prompt_waits_for_no_import(data_dir):
    """The detectors of keys are there soon after the start, before a prompt has one."""
    detectors.cache_clear()

    async with running(data_dir):
        await until(lambda: detectors.cache_info().currsize == 1)


async def test_tokens_of_the_directory_are_the_servers(data_dir):
    """The operator's token decides, the shim's speaks for others."""
    async with running(data_dir) as client:
        shim, operator = (str(read_token(data_dir, name)) for name in (SHIM, OPERATOR))
        await client.states("ant -isa pet")
        await client.states("ant -isa beast", *Client.as_(shim, principal="bob"))
        conflict = await client.conflict(1)
        with refused() as refusal:
            await client.memory.Resolve(decision(), metadata=Client.as_(shim))
        await client.memory.Resolve(decision(), metadata=Client.as_(operator))

        assert conflict.incoming_principal == "bob"
        assert refusal.reason == "PERMISSION_DENIED"
        assert (await client.concept("ant")).edges[0].parent == "beast"


def decision():
    """Settle the first conflict by an update."""
    return ResolveRequest(conflict_id=1, decision=Conflict.DECISION_UPDATE)


async def test_everything_listens_together(data_dir):
    """Server and shim start on free ports; without an Ollama the shim still answers."""
    async with (
        app.everything(settings_of(data_dir)) as started,
        aiohttp.ClientSession() as session,
        session.get(f"http://{started.shim}/api/tags") as response,
    ):
        assert response.status >= 500
        assert started.server != started.shim


async def test_console_decides_with_the_token_of_the_directory(data_dir):
    """On the machine itself the operator opens /admin, and needs nothing else."""
    own = {"Sec-Fetch-Site": "same-origin"}
    async with (
        app.everything(settings_of(data_dir)) as started,
        grpc.aio.insecure_channel(started.server) as channel,
        aiohttp.ClientSession(f"http://{started.shim}") as http,
    ):
        client = Client(channel)
        await client.states("gnommoweb -isa repo")
        await client.states("gnommoweb -isa container")
        async with http.post(
            "/admin/inbox/accept", data={"item": "conflict-1"}, headers=own
        ) as answer:
            page = await answer.text()
        concept = await client.concept("gnommoweb")

    assert answer.status == 200
    assert "Undo" in page
    assert concept.edges[0].parent == "container"


async def test_second_server_is_refused(data_dir):
    """One server serves a data directory; the second says who does and what to do."""
    async with running(data_dir) as client:
        with pytest.raises(DataDirectoryInUse, match="FESTINGER_DATA_DIR"):
            async with app.serving(settings_of(data_dir)):
                pass

        assert await client.health() == SERVING


async def test_taken_port_is_refused_and_leaves_nothing(data_dir):
    """After the refusal nothing runs: the same directory starts elsewhere."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        taken = f"127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(AddressInUse):
            async with app.serving(settings_of(data_dir, server={"address": taken})):
                pass
    assert postmaster_of(data_dir) is None

    async with running(data_dir) as client:
        assert await client.health() == SERVING


async def test_open_address_needs_the_token_of_the_data_directory(data_dir):
    """Whoever can read it calls a server that others can reach too, and nobody else does."""
    settings = settings_of(
        data_dir, server={"address": "0.0.0.0:0", "plain_text": True}
    )
    async with app.serving(settings) as started:
        address = started.server.replace("0.0.0.0", "127.0.0.1")
        async with grpc.aio.insecure_channel(address) as channel:
            client = Client(channel)
            token = token_file(data_dir, LOCAL).read_text().strip()
            with refused() as refusal:
                await client.states("gnommoweb -isa repo")
            answer = await client.states("gnommoweb -isa repo", *Client.as_(token))

    assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
    assert answer.outcome.verdict == Outcome.VERDICT_HELD


async def test_tokens_are_replaced_without_a_restart(data_dir):
    """One that is made works within seconds, and one that is revoked ends with its stream."""
    section = {"address": "127.0.0.1:0", "require_tokens": True}
    async with running(data_dir, server=section) as client:
        who = Client.as_(issue(data_dir, "alice"))
        await let_in(lambda: client.states("gnommoweb -isa repo", *who))
        stream = client.memory.RecollectStream(metadata=who)
        await stream.initial_metadata()

        revoke(data_dir, "alice")

        with refused() as refusal:
            await stream.read()
        assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
        with refused() as refusal:
            await client.states("gnommoweb -isa repo", *who)
        assert refusal.code is grpc.StatusCode.UNAUTHENTICATED


async def let_in(call):
    """Repeat a call until it is not refused any more."""
    return await until(call, despite=grpc.aio.AioRpcError)


async def test_programs_find_a_replaced_token(data_dir):
    """The server makes a token that was removed anew."""
    async with running(data_dir):
        before = read_token(data_dir, SHIM)
        token_file(data_dir, SHIM).unlink()
        after = await until(lambda: read_token(data_dir, SHIM))

    assert after != before


async def test_file_in_the_way_is_refused(data_dir):
    """A data directory that cannot be one is a configuration's mistake."""
    file = data_dir / "file"
    file.touch()

    for wrong in (file, file / "below"):
        with pytest.raises(ConfigurationError, match="data directory"):
            async with app.serving(settings_of(wrong)):
                pass


async def test_lock_that_cannot_be_opened_is_refused(data_dir):
    """Whatever is in its place, or whoever it belongs to, is told by its name."""
    (data_dir / "server.lock").unlink()
    (data_dir / "server.lock").mkdir()

    with pytest.raises(ConfigurationError, match=r"server\.lock: Is a directory"):
        async with running(data_dir):
            pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
async def test_unwritable_directory_is_refused(data_dir):
    """Nothing is started where nothing can be kept."""
    data_dir.chmod(0o555)

    with pytest.raises(ConfigurationError, match="not writable"):
        async with app.serving(settings_of(data_dir)):
            pass


async def test_database_of_ones_own_is_brought_up_to_date(data_dir, empty_database):
    """A DSN replaces the embedded server, and its empty database gets the schema."""
    async with running(data_dir, database={"dsn": empty_database}) as client:
        answer = await client.states("gnommoweb -isa repo")

    assert answer.outcome.verdict == Outcome.VERDICT_HELD
    assert postmaster_of(data_dir) is None


@pytest.mark.parametrize("host", ["127.0.0.1:1", "/no/such/socket"])
async def test_absent_database_is_waited_for_and_reported(data_dir, host):
    """A start without a database ends with what to do."""
    address = f"@/x?host={host}" if host.startswith("/") else f"@{host}/x"
    database = {"dsn": f"postgresql://u:secret{address}", "start_seconds_max": 0.3}

    with pytest.raises(DatabaseUnavailable, match="FESTINGER_DSN") as caught:
        async with app.serving(settings_of(data_dir, database=database)):
            pass

    assert "secret" not in caught.value.message


async def test_refusing_database_is_not_waited_for(data_dir, postgres):
    """An error that waiting does not mend is told at once."""
    database = {"dsn": dsn_of(postgres, "no_such_database")}

    with pytest.raises(ConfigurationError, match="no_such_database"):
        async with app.serving(settings_of(data_dir, database=database)):
            pass


async def test_tenants_are_added_while_serving(data_dir):
    """The command works beside a running server, which opens the memory on first use."""
    async with running(data_dir) as client:
        used = settings_of(data_dir)
        added = [await maintenance.add_tenant(used, "acme") for _ in range(2)]
        listed = await maintenance.directory(used)
        operator = str(read_token(data_dir, OPERATOR))
        who = Client.as_(operator, tenant="acme")

        answer = await client.states("gnommoweb -isa repo", *who)

    assert (added, listed) == ([True, False], {"acme": "", "default": ""})
    assert answer.version == 1


async def test_changed_file_is_in_force_without_a_restart(data_dir, tmp_path):
    """The trusted callers and the permitted hosts follow the file."""
    file = tmp_path / "festinger.yaml"
    file.write_text("trust: {user: nothing}\n")
    settings = settings_of(data_dir, trust={"user": "nothing"})
    overrides = {
        "data_dir": data_dir,
        "server": {"address": "127.0.0.1:0"},
        "shim": {"address": "127.0.0.1:0", "upstream": "http://127.0.0.1:1"},
    }
    source = config.ConfigSource(file, overrides)
    async with (
        app.everything(settings, source=source) as started,
        grpc.aio.insecure_channel(started.server) as channel,
    ):
        client = Client(channel)
        before = await client.says("Gnommoweb is a repo.")
        assert await status_for_host(started.shim, "agents.example") == 403

        file.write_text(
            "trust: {user: asserts}\nshim: {allowed_hosts: [agents.example]}\n"
        )
        await becomes(lambda: status_for_host(started.shim, "agents.example"), 200)
        after = await client.says("Dobby is a worker.")

    assert list(before.outcomes) == []
    assert [it.verdict for it in after.outcomes] == [Outcome.VERDICT_HELD]


async def test_changed_limit_holds_without_a_restart(data_dir, tmp_path, monkeypatch):
    """The limits of a memory follow the file, that of its lines too when it is loaded."""
    monkeypatch.setattr(app, "LOOK_SECONDS", 0.02)
    file = tmp_path / "festinger.yaml"
    file.write_text("server: {limits: {lines_max: 0}}\n")
    overrides = {"data_dir": data_dir, "server": {"address": "127.0.0.1:0"}}
    source = config.ConfigSource(file, overrides)
    with capture_logs() as logs:
        async with (
            app.serving(source.read(), source=source) as started,
            grpc.aio.insecure_channel(started.server) as channel,
        ):
            client = Client(channel)
            await client.states("gnommoweb -isa repo")
            file.write_text(
                "server: {tenant_limits: {default: {lines_max: 1, requests_per_second: 1}}}\n"
            )
            change = await event(logs, "configuration_changed")
            with refused() as full:
                await client.states("catalog -isa service")
            with refused() as hurried:
                await asyncio.gather(*(client.says("hello") for _ in range(3)))

    assert change["in_force"] == ["server.tenant_limits"]
    assert full.metadata["limit"] == "lines_max"
    assert hurried.metadata["limit"] == "requests_per_second"


async def test_changed_factor_decides_without_a_restart(
    data_dir, tmp_path, provider, monkeypatch
):
    """
    Memories that are worth less in the file are not stored from the next conversation
    on; nonsense is refused with its line, and changes nothing.
    """
    monkeypatch.setattr(app, "LOOK_SECONDS", 0.02)
    file = tmp_path / "festinger.yaml"
    file.write_text("memories:\n  factors:\n    explicit_fact: 0.4\n")
    overrides = {
        "data_dir": data_dir,
        "server": {"address": "127.0.0.1:0"},
        "shim": {"upstream": provider.url},
    }
    source = config.ConfigSource(file, overrides)
    loves = {"text": "Loves fettuccini", "type": "USER_FACT", "reasoning": "said so"}
    provider.will(*[Say({"extractions": [loves | {"confidence": 0.95}]})] * 3)
    with capture_logs() as logs:
        async with (
            app.serving(source.read(), source=source) as started,
            grpc.aio.insecure_channel(started.server) as channel,
        ):
            client = Client(channel)
            await choose_model(client, data_dir)
            usual = await extracted(client, data_dir, "alice")

            file.write_text("memories:\n  factors:\n    phrases: 0.4\n")
            refusal = await event(logs, "configuration_refused")
            refused = await extracted(client, data_dir, "bob")

            file.write_text("memories:\n  factors:\n    explicit_fact: 0.05\n")
            change = await event(logs, "configuration_changed")
            changed = await extracted(client, data_dir, "carol")

    assert [it.outcome for it in (usual, refused, changed)] == [
        "active",
        "active",
        "rejected",
    ]
    assert changed.reason == "confidence_below_threshold"
    assert "festinger.yaml:3: memories.factors.phrases" in refusal["problem"]
    assert change["in_force"] == ["memories.factors.explicit_fact"]


async def choose_model(client, data_dir):
    """Has the memory's own model read conversations."""
    request = config_service_pb2.UpdateSettingRequest(key="extract_model_id", value="1")
    who = Client.as_(str(read_token(data_dir, OPERATOR)))
    await client.config.UpdateSetting(request, metadata=who)


async def extracted(client, data_dir, subject):
    """Extract a model's reading of somebody's conversation; return the outcome."""
    text = "I absolutely love fettuccini. Yes, I love fettuccini. I love fettuccini!"
    shim = str(read_token(data_dir, SHIM))
    captured = await client.extraction.Capture(
        CaptureRequest(
            turns=[Turn(role=Turn.ROLE_USER, text=text)], session="s1", extract=True
        ),
        metadata=Client.as_(shim, principal=subject, subject=subject),
    )
    answer = await client.extraction.Extract(
        ExtractRequest(interaction_id=captured.interaction.id),
        metadata=Client.as_(str(read_token(data_dir, OPERATOR))),
    )
    (finding,) = answer.interaction.findings
    return finding


async def event(logs, name):
    """Wait until something of that name is logged."""
    return await until(lambda: next((it for it in logs if it["event"] == name), None))


async def status_for_host(shim, host):
    """Return the shim's answer to a request for a host's health."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(
            f"http://{shim}/festinger/health", headers={"Host": host}
        ) as response,
    ):
        return response.status


def postmaster_of(data_dir):
    """Return the process that is the directory's Postgres; None if it has none."""
    if not data_dir.joinpath("postgres").exists():
        return None
    return cluster.postmaster(settle(data_dir, data_dir))


async def test_killed_postgres_comes_back(data_dir, monkeypatch):
    """Reads go on, writes fail at once, and both work again soon, without a restart."""
    monkeypatch.setattr(server, "WATCH_SECONDS", 0.5)
    async with running(data_dir) as client:
        await client.states("gnommoweb -isa repo")
        os.kill(postmaster_of(data_dir).pid, signal.SIGKILL)
        with refused() as refusal:
            # A process that has lost its postmaster may go on until it notices.
            async with asyncio.timeout(20):
                for number in count():
                    await client.states(f"name{number}x -isa thing")
        told = await client.says("gnommoweb is a container.")
        await becomes(lambda: client.health("database"), NOT_SERVING)
        overall = await client.health()

        await becomes(lambda: client.health("database"), SERVING)
        answer = await client.states("dobby -isa worker")
        conflict = await client.conflict(1)

    assert (refusal.code, refusal.reason) == (
        grpc.StatusCode.UNAVAILABLE,
        "DATABASE_UNAVAILABLE",
    )
    assert told.lines[0].text == "gnommoweb: [type?] repo — conflict pending"
    assert overall == SERVING
    assert answer.outcome.verdict == Outcome.VERDICT_HELD
    assert conflict.incoming.parent == "container"


async def test_stop_under_load_loses_nothing(data_dir):
    """Every statement that was acknowledged before, during or after the stop is there."""
    acknowledged = []

    async def state(client, number):
        fact = f"name{number}x -isa thing"
        answer = await client.states(fact, request_id=f"r{number}")
        acknowledged.append(answer.outcome.triple.concept)

    serving = app.serving(settings_of(data_dir))
    started = await serving.__aenter__()
    async with grpc.aio.insecure_channel(started.server) as channel:
        client = Client(channel)
        calls = [asyncio.create_task(state(client, number)) for number in range(300)]
        await until(lambda: len(acknowledged) >= 20, pause=0.001)
        await serving.__aexit__(None, None, None)
        await asyncio.gather(*calls, return_exceptions=True)

    async with running(data_dir) as client:
        for concept in acknowledged:
            assert (await client.concept(concept)).edges


async def test_metrics_where_the_settings_say(data_dir):
    """A server tells its numbers at an address of its own, and only there."""
    server = {"address": "127.0.0.1:0", "metrics_address": "127.0.0.1:0"}
    async with (
        app.serving(settings_of(data_dir, server=server)) as started,
        aiohttp.ClientSession() as http,
        http.get(f"http://{started.metrics}/metrics") as answer,
    ):
        text = await answer.text()

    assert value(text, "festinger_worlds_loaded") == 1
    assert value(text, "festinger_follower_lag_seconds") < 60


async def test_metrics_are_not_for_everybody(data_dir):
    """Beyond loopback they are told to those with a token."""
    server = {
        "address": "127.0.0.1:0",
        "metrics_address": "0.0.0.0:0",
        "plain_text": True,
    }
    async with (
        app.serving(settings_of(data_dir, server=server)) as started,
        aiohttp.ClientSession() as http,
    ):
        url = f"http://{started.metrics}/metrics".replace("0.0.0.0", "127.0.0.1")
        token = token_file(data_dir, LOCAL).read_text().strip()
        async with (
            http.get(url) as refusal,
            http.get(url, headers={"Authorization": f"Bearer {token}"}) as answer,
        ):
            statuses = refusal.status, answer.status

    assert statuses == (403, 200)
