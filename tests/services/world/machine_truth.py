"""Invariants of a memory at any moment, in its tables and in memory."""

from __future__ import annotations

from collections import Counter
from typing import Any

from festinger.core.graph.gate import judge
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.resolution import ConflictState
from festinger.core.world.draft import Draft
from festinger.core.world.edges import is_root
from festinger.core.world.world import World
from festinger.services.world.tenant_memory import TenantMemory
from festinger.services.world.waiting import WAITING_MAX, as_stated
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import Pool
from tests.services.world.machine import Tenant
from tests.structures import soas_by_token

LIES = {
    "two parents in one dimension": """
        select id, dim_id from urd where tenant = $1
        group by id, dim_id having count(*) > 1""",
    "held and denied": """
        select u.id from urd u join denials d using (tenant, id, parent_id, dim_id)
        where u.tenant = $1""",
    "a circle": """
        with recursive up as (
            select id as start_id, dim_id, parent_id as id from urd
            where tenant = $1 and id <> parent_id
            union
            select up.start_id, up.dim_id, u.parent_id from up
            join urd u on u.tenant = $1 and u.id = up.id and u.dim_id = up.dim_id
            where u.id <> u.parent_id
        )
        select id from up where id = start_id""",
    "settled against, and held": """
        select t.id from tombstones t
        join urd u using (tenant, id, parent_id, dim_id)
        left join resolution_queue q on q.tenant = t.tenant and q.id = t.conflict_id
        where t.tenant = $1 and not t.negated and t.ending in ('retracted', 'replaced')
              and u.is_isa = (
                  -- the other flavour of what ended is another statement
                  select h.is_isa from urd_history h
                  where h.tenant = t.tenant and h.id = t.id and h.dim_id = t.dim_id
                    and h.parent_id = t.parent_id and not h.negated
                  order by h.valid_to desc limit 1)
           or t.tenant = $1 and not t.negated and t.ending = 'dismissed'
              and q.incoming_is_isa = u.is_isa""",
    "settled against, and denied": """
        select t.id from tombstones t join denials using (tenant, id, parent_id, dim_id)
        where t.tenant = $1 and t.negated""",
    "rejected, and held": """
        select t.id from tombstones t
        join urd u using (tenant, id, parent_id, dim_id)
        join assertions a on a.tenant = t.tenant and a.id = u.assertion_id
        where t.tenant = $1 and not t.negated and t.ending = 'rejected' and not exists (
            select from candidates f
            where f.tenant = t.tenant and f.status = 'rejected' and not f.negated
              and f.concept = a.concept and f.parent = a.parent
              and f.dimension = a.dimension and f.is_isa <> u.is_isa)""",
    "waiting, and held": """
        select q.id from resolution_queue q
        join urd u on u.tenant = q.tenant and u.id = q.concept_id
             and u.dim_id = q.dim_id and u.parent_id = q.incoming_parent_id
             and u.is_isa = q.incoming_is_isa
        where q.tenant = $1 and q.status = 'pending' and not q.incoming_negated""",
    "waiting, and denied": """
        select q.id from resolution_queue q
        join denials d on d.tenant = q.tenant and d.id = q.concept_id
             and d.dim_id = q.dim_id and d.parent_id = q.incoming_parent_id
        where q.tenant = $1 and q.status = 'pending' and q.incoming_negated""",
    "an edge without its row of the ledger": """
        select u.id from urd u
        join soas c on c.tenant = u.tenant and c.id = u.id
        join soas p on p.tenant = u.tenant and p.id = u.parent_id
        join soas d on d.tenant = u.tenant and d.id = u.dim_id
        left join assertions a on a.tenant = u.tenant and a.id = u.assertion_id
             and a.concept = c.token and a.parent = p.token and a.dimension = d.token
             and a.is_isa = u.is_isa and not a.negated and a.outcome = 'held'
        where u.tenant = $1 and u.id <> u.parent_id and a.id is null""",
    "a denial without its row of the ledger": """
        select n.id from denials n
        join soas c on c.tenant = n.tenant and c.id = n.id
        join soas p on p.tenant = n.tenant and p.id = n.parent_id
        join soas d on d.tenant = n.tenant and d.id = n.dim_id
        left join assertions a on a.tenant = n.tenant and a.id = n.assertion_id
             and a.concept = c.token and a.parent = p.token and a.dimension = d.token
             and a.negated and a.outcome = 'held'
        where n.tenant = $1 and a.id is null""",
    "held once, and now neither held nor history, or both": """
        select a.id from assertions a
        left join (
            select assertion_id, '' as by from urd where tenant = $1
            union all select assertion_id, '' from denials where tenant = $1
            union all select assertion_id, closed_by from urd_history where tenant = $1
        ) kept on kept.assertion_id = a.id
        where a.tenant = $1 and a.outcome = 'held'
        group by a.id
        -- what a decision ended may be held again, or end again, once it was undone
        having count(kept.assertion_id) = 0 or count(*) filter (where by = '') > 1
               or count(*) filter (where by not like '%conflict %') > 1""",
    "a conflict that counts other statements than were made": """
        select q.id from resolution_queue q
        left join assertions a on a.tenant = q.tenant and a.conflict_id = q.id
        where q.tenant = $1
        group by q.id, q.statement_count having count(a.id) <> q.statement_count""",
    "a candidate that counts other statements than were made": """
        select f.id from candidates f
        left join assertions a on a.tenant = f.tenant and a.candidate_id = f.id
        where f.tenant = $1
        group by f.id, f.statement_count having count(a.id) <> f.statement_count""",
    "a tombstone that counts more than was made again": """
        select t.id from tombstones t
        join soas c on c.tenant = t.tenant and c.id = t.id
        join soas p on p.tenant = t.tenant and p.id = t.parent_id
        join soas d on d.tenant = t.tenant and d.id = t.dim_id
        where t.tenant = $1 and t.statement_count > (
            select count(*) from assertions a
            where a.tenant = t.tenant and a.concept = c.token and a.parent = p.token
              and a.dimension = d.token and a.negated = t.negated
              and a.reason = 'settled')""",
    "a statement of a prompt that was judged twice": """
        select segment from assertions where tenant = $1 and segment is not null
        group by segment, ordinal having count(*) > 1""",
    "a version without its changes": """
        select h.version from heads h
        left join change_log l on l.tenant = h.tenant
        where h.tenant = $1
        group by h.version having coalesce(max(l.version), h.version) <> h.version""",
}
"""What would be a lie: questions that must have no answer."""

_ALL_LIES = " union all ".join(
    f"select '{lie}' as lie where exists ({question})" for lie, question in LIES.items()
)


async def assert_true(pool: Pool, tenant: Tenant) -> None:
    """The tables contradict neither themselves nor what was asked of them."""
    async with pool.acquire() as connection:
        lies = await connection.fetch(_ALL_LIES, tenant.name)
        ledger = await connection.fetch(
            "select id, rule, source from assertions where tenant = $1", tenant.name
        )
        tokens = await connection.fetch(
            "select token from soas where tenant = $1 and token like '%\\_%'",
            tenant.name,
        )
    assert not lies, [row["lie"] for row in lies]
    stated = [row for row in ledger if row["rule"] == "iknowthat"]
    said = [
        row
        for row in ledger
        if row["source"] == "inferred" and not row["rule"].startswith("conflict ")
    ]
    assert len(stated) <= tenant.stated
    assert len(said) <= tenant.said
    assert await taught(pool, tenant) == tenant.taught
    assert tenant.acknowledged <= {row["id"] for row in ledger}
    assert all(row["token"].endswith(f"_{tenant.mark}") for row in tokens)


async def assert_in_step(memory: TenantMemory, store: PostgresStore) -> None:
    """The world is exactly what a restart would load."""
    ours, theirs = contents(memory.world), contents(await store.load(memory.tenant))

    for what, content in theirs.items():
        assert ours[what] == content, what


async def assert_opposed(memory: TenantMemory) -> None:
    """Nothing waits for nothing: what is held runs against all that is pending."""
    pending = [ConflictState.PENDING]
    async with memory.store.reading(memory.tenant) as reads:
        conflicts = await reads.conflicts(states=pending, limit=WAITING_MAX)
    draft = Draft(memory.world, now=memory.now())
    for conflict in conflicts:
        outcome = judge(as_stated(conflict, decider="op"), draft)
        assert outcome.verdict is Verdict.CONFLICTED, conflict


def assert_sound(world: World, tenant: Tenant) -> None:
    """In memory, too, ways up end, nothing is held and denied, and nothing leaks in."""
    for edge in filter(lambda edge: not is_root(edge), world.graph):
        place = edge.concept_id, edge.parent_id, edge.dim_id
        assert place not in world.denials
        assert not world.reaches(edge.parent_id, edge.dim_id, edge.concept_id)
    marks = {token[-2:] for token in soas_by_token(world) if "_" in token}
    assert marks <= {f"_{tenant.mark}"}


def contents(world: World) -> dict[str, Any]:
    """Return the contents of a world, with the numbers and the names of everything in it."""
    edges = {edge[:3]: edge for edge in world.graph}
    queue = {key: world.queued(key) for key in world.conflicts}
    keys = (*queue, *world.tombstones, *world.redirects)
    named = {number for place in (*edges, *world.denials) for number in place}
    named |= {number for key in keys for number in key[:3]}
    novel = {
        token: row.novelty for token, row in soas_by_token(world).items() if row.novelty
    }
    return {
        "edges": edges,
        "denials": dict(world.denials),
        "queue": queue,
        "tombstones": dict(world.tombstones),
        "redirects": dict(world.redirects),
        "names": {number: world.token(number) for number in named},
        "novelty": novel,
        "memories": world.people.memories,
        "version": world.version,
    }


async def taught(pool: Pool, tenant: Tenant) -> int:
    """Return the number of statements of prompts without a digest in the ledger."""
    number: int = await pool.fetchval(
        "select count(*) from assertions where tenant = $1 and segment is null "
        "and source = 'inferred' and not starts_with(rule, 'conflict ')",
        tenant.name,
    )
    return number


async def counts(pool: Pool, tenant: Tenant) -> Counter[str]:
    """Return the number of times that each marked name was met, as the tables have it."""
    rows = await pool.fetch(
        "select token, encounter_count from concepts "
        "where tenant = $1 and token like '%\\_%' and encounter_count > 0",
        tenant.name,
    )
    return Counter({row["token"]: row["encounter_count"] for row in rows})
