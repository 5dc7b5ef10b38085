"""The store over a real Citus cluster, distributed by `deploy/citus.sql`."""

from __future__ import annotations

import os
import re
import time
import uuid
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from festinger.config import DatabaseSettings
from festinger.core.graph.proposal import Proposal, StatementSource, Triple
from festinger.core.language.turns import Role, Turn
from festinger.core.world.publishing import take_over
from festinger.errors import TenantNotFound
from festinger.services.world.memory import Memories
from festinger.store.migrations import migrate
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import open_pool
from festinger.store.system.tenancy import transaction
from tests.databases import command, dsn_of
from tests.memories import TRUST, recollect_prompt, snapshot
from tests.store.world.writing import write

SCRIPT = Path(__file__).parents[2] / "deploy/citus.sql"
NODES = os.environ.get("FESTINGER_CITUS", "").split()
SETTINGS = {
    "citus.propagate_set_commands": "local",
    "citus.show_shards_for_app_name_prefixes": "*",
}

pytestmark = pytest.mark.skipif(
    not NODES,
    reason="NO CITUS: name superusers' DSNs of its nodes in FESTINGER_CITUS, the "
    "coordinator first",
)


@pytest.fixture
async def cluster():
    """
    The DSN of a database that is distributed over the nodes, for a user that is no
    superuser.
    """
    name = f"citus_{uuid.uuid4().hex}"
    databases = [dsn_of(node, name) for node in NODES]
    for node in NODES:
        await command(node, "drop role if exists festinger")
        await command(node, "create role festinger login")
        await command(node, f"create database {name} owner festinger")
    dsn = re.sub(r"//[^@]*@", "//festinger@", databases[0])
    await migrate(dsn)
    for database in databases:
        await command(database, "create extension citus")
    await join(databases)
    await distribute(dsn)
    for key, value in SETTINGS.items():
        await command(databases[0], f"alter database {name} set {key} = '{value}'")
    yield dsn
    for node in NODES:
        await command(node, f"drop database {name} with (force)")
        await command(node, "drop role festinger")


async def distribute(dsn):
    """Run the script's statements one after the other, as psql does."""
    connection = await asyncpg.connect(dsn)
    for statement in re.split(r";\n(?!begin|end|    )", SCRIPT.read_text())[:-1]:
        await connection.fetch(statement)
    await connection.close()


async def join(databases):
    """Make one cluster of the nodes' databases; the coordinator has shards, too."""
    places = [urlsplit(each) for each in databases]
    (host, port), *others = [(each.hostname, each.port) for each in places]
    coordinator = await asyncpg.connect(databases[0])
    await coordinator.execute("select citus_set_coordinator_host($1, $2)", host, port)
    for other in others:
        await coordinator.execute("select citus_add_node($1, $2)", *other)
    await coordinator.execute(
        "select citus_set_node_property($1, $2, 'shouldhaveshards', true)", host, port
    )
    await coordinator.close()


async def follow(store, tenant, world):
    """Take over what was written since, as another server does."""
    take_over(world, await store.news(tenant, world.version))


async def told(store, tenant):
    """Return the block that a prompt is told by a server that just started."""
    memories = Memories(store, now=time.time, trust=TRUST)
    memory = await memories.get(tenant)
    turns = [Turn(Role.USER, "What is gnommoweb?")]
    recollection = recollect_prompt(memory, turns, principal="alice")
    await memories.stop()
    return " ".join(map(str, recollection.lines))


async def test_memories_live_on_the_nodes_of_a_cluster(cluster):
    """
    Statements, a conflict and a candidate are written, followed, read back and told as
    they are on one node, for tenants of each node, and no tenant sees another's rows.
    """
    names = [f"tenant{number}" for number in range(4)]
    async with await open_pool(cluster, DatabaseSettings()) as pool:
        store = PostgresStore(pool)
        for name in names:
            assert await store.add_tenant(name)
            world, behind = await store.load(name), await store.load(name)
            for fact, confidence in (
                (Triple("gnommoweb", "repo", "type", is_isa=True), 1.0),
                (Triple("gnommoweb", "service", "type", is_isa=True), 1.0),
                (Triple("gnommoweb", "node5", "runs-on", is_isa=False), 0.5),
            ):
                said = Proposal(fact, confidence, StatementSource.GUTASK, "alice", "a")
                await write(store, world, said, tenant=name)
            await follow(store, name, behind)
            assert snapshot(behind) == snapshot(world)
            assert snapshot(await store.load(name)) == snapshot(world)
            assert "repo" in await told(store, name)
        await store.assign_tenant(names[0], "eu-1")
        async with transaction(pool, names[1]) as connection:
            seen = await connection.fetch("select distinct tenant from urd")
        directory = await store.directory()
        with pytest.raises(TenantNotFound):
            await store.load("nobody")

    assert [row[0] for row in seen] == [names[1]]
    assert directory == {**dict.fromkeys(names, ""), names[0]: "eu-1"}
