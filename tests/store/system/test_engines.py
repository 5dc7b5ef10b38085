"""The schema and the store's SQL stay fit for Citus, CockroachDB and YugabyteDB.

What is not is listed with its reason.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import festinger.store
from festinger.store.system import queries
from tests.store.system.test_row_security import WITHOUT_TENANT

STORE = Path(festinger.store.__file__).parent

SEQUENCES = {
    # Unique on one node is enough: it tells apart turns of one memory and one moment.
    "unread_turns.number",
}
WITHOUT_KEY = {
    # Rows as they were, which nothing refers to. Citus moves their shards while they are
    # written to once they have `replica identity full`.
    "quarantine",
    "urd_history",
}
DEFERRED = {
    # CockroachDB has none: batches would have to write the ledger before what names it.
    "candidates_tenant_assertion_id_fkey",
    "resolution_queue_tenant_incoming_assertion_id_fkey",
    "tombstones_tenant_again_assertion_id_fkey",
}
NOT_BTREE = {
    # Neither CockroachDB nor YugabyteDB has BRIN; only a forecast of growth reads it.
    "assertions_by_time",
}
ONE_NODE = {
    # The statement names its tenant, so that Citus runs it in one shard. YugabyteDB and
    # CockroachDB have no ctid.
    "place_concepts": ["ctid"],
    # A backup of all tenants at one moment is one node's; a cluster is backed up by node.
    "system/backup.py": ["lock table"],
}
NO_ENGINE_BUT_POSTGRES = re.compile(
    r"\bctid\b|\bxmin\b|\badvisory|_advisory_|\bexport_snapshot|pg_export_snapshot"
    r"|\btransaction snapshot\b|\btxid_|\bpg_current_xact|\bpg_snapshot_"
    r"|\bnextval\b|\bcurrval\b|\blisten \w|\bpg_notify\b|\bnotify \w|\btemp(?:orary)? table\b"
    r"|\bwith hold\b|\btablesample\b|\block table\b"
)
OVER_ALL_TENANTS = {
    # They look for tenants with work to do, or count, in every shard.
    "asking_tenants",
    "directory",
    "dreaming_scheduled",
    "extracting",
    "extracting_waves",
    "list_tenants",
    "queue_ages",
    "scheduled",
    "table_growth",
    "tenant_heads",
    "tenants_over",
    "unread_tenants",
    "validating",
    "with_old_words",
    "with_unsettled_changes",
}


async def found(pool, query):
    """Return the first column of what a query of the catalog finds."""
    async with pool.acquire() as connection:
        return {row[0] for row in await connection.fetch(query)}


async def test_tenant_leads_every_unique_index(pool):
    """
    A distributed table refuses a unique index without the column that it is distributed
    by; one that is led by it is also found in one shard.
    """
    others = await found(
        pool,
        """
        select i.indrelid::regclass::text from pg_index i
        join pg_class c on c.oid = i.indrelid and c.relkind = 'r'
        where c.relnamespace = 'public'::regnamespace and i.indisunique
            and pg_get_indexdef(i.indexrelid, 1, true) <> 'tenant'
        """,
    )

    assert others == WITHOUT_TENANT


async def test_every_table_has_a_key(pool):
    """A table with a key can be moved to another node while it is written to."""
    without = await found(
        pool,
        """
        select relname from pg_class c
        where relnamespace = 'public'::regnamespace and relkind = 'r' and not exists (
            select from pg_index i where i.indrelid = c.oid and i.indisprimary)
        """,
    )

    assert without == WITHOUT_KEY


async def test_references_stay_within_a_tenant(pool):
    """
    A foreign key begins with the tenant on both sides, so that both rows are on one node;
    `tenants` is the only table that may be on all.
    """
    crossing = await found(
        pool,
        """
        select conname from pg_constraint k
        where contype = 'f' and connamespace = 'public'::regnamespace and not (
            (select attname from pg_attribute
             where attrelid = conrelid and attnum = conkey[1]) = 'tenant'
            and (select attname from pg_attribute
                 where attrelid = confrelid and attnum = confkey[1]) = 'tenant'
            and (cardinality(confkey) > 1 or confrelid = 'tenants'::regclass))
        """,
    )
    deferred = await found(
        pool,
        """
        select conname from pg_constraint
        where connamespace = 'public'::regnamespace and condeferrable
        """,
    )

    assert crossing == set()
    assert deferred == DEFERRED


async def test_tenants_can_be_a_reference_table(pool):
    """`tenants` refers to nothing, as a table with a copy on every node must."""
    referring = await found(
        pool,
        """
        select conname from pg_constraint
        where contype = 'f' and conrelid = 'tenants'::regclass
        """,
    )

    assert referring == set()


async def test_no_number_is_given_out_globally(pool):
    """Numbers come from blocks of each tenant; no sequence is asked by all nodes."""
    numbered = await found(
        pool,
        """
        select attrelid::regclass || '.' || attname from pg_attribute
        where attrelid in (select oid from pg_class
                           where relnamespace = 'public'::regnamespace and relkind = 'r')
            and (attidentity <> '' or exists (
                select from pg_attrdef d where adrelid = attrelid and adnum = attnum
                    and pg_get_expr(adbin, adrelid) like '%nextval%'))
        """,
    )
    sequences = await found(
        pool,
        """
        select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'S'
        """,
    )

    assert numbered == SEQUENCES
    assert len(sequences) == len(SEQUENCES)


async def test_nothing_runs_inside_the_database(pool):
    """
    No function, trigger, rule or materialised view, which each engine has otherwise; no
    index but B-trees.
    """
    inside = await found(
        pool,
        """
        select proname::text from pg_proc where pronamespace = 'public'::regnamespace
        union all
        select tgname from pg_trigger where not tgisinternal
        union all
        select relname from pg_class where relnamespace = 'public'::regnamespace
            and relkind not in ('r', 'v', 'i', 'S')
        """,
    )
    indexes = await found(
        pool,
        """
        select c.relname from pg_class c join pg_am am on am.oid = c.relam
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'i'
            and am.amname <> 'btree'
        """,
    )

    assert inside == set()
    assert indexes == NOT_BTREE


def literals():
    """
    Return every text of the store's modules that is no docstring, by the file's name.

    Migrations run on one node, before a table is distributed.
    """
    for file in STORE.rglob("*.py"):
        if "migrations" in file.parts:
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        said = {
            id(each.value)
            for each in ast.walk(tree)
            if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        }
        for each in ast.walk(tree):
            if (
                isinstance(each, ast.Constant)
                and isinstance(each.value, str)
                and id(each) not in said
            ):
                yield file.relative_to(STORE).as_posix(), each.value


def statements():
    """Return the store's SQL without comments, by the statement's or the file's name."""
    yield from literals()
    for name, text in queries._all().items():
        yield name, re.sub(r"--.*", "", text)


def test_no_statement_needs_what_only_one_node_has():
    """
    No row's place, session lock, snapshot, sequence, channel or temporary table: other
    nodes, and other engines, do not know them.
    """
    used: dict[str, set[str]] = {}
    for name, text in statements():
        if words := NO_ENGINE_BUT_POSTGRES.findall(text.lower()):
            used.setdefault(name, set()).update(words)

    assert {name: sorted(words) for name, words in used.items()} == ONE_NODE


@pytest.mark.parametrize(
    "text",
    [
        "delete from urd where ctid = any($1)",
        "select pg_advisory_xact_lock(1)",
        "select pg_advisory_lock(1)",
        "select pg_export_snapshot()",
        "set transaction snapshot 'x'",
        "listen news",
        "select nextval('s')",
        "create temp table t (a int)",
    ],
)
def test_what_one_node_has_would_be_found(text):
    """The check above sees each."""
    assert NO_ENGINE_BUT_POSTGRES.search(text)


def copied(text: str) -> bool:
    """
    Return whether a statement has an `insert … select` of an array with no result:
    Citus sends its rows by COPY, which row-level security refuses.
    """
    return any(
        "unnest(" in part and not re.search(r"\breturning\b|\bon conflict\b", part)
        for part in re.split(r"\binsert into\b", text)[1:]
    )


def test_rows_get_to_other_nodes_under_row_level_security():
    """No rows are sent to a node in the one way that row-level security refuses."""
    assert [name for name, text in statements() if copied(text)] == []
    assert copied("insert into urd select $1, id from unnest($2::bigint[]) as it (id)")


def test_statements_name_their_tenant():
    """
    A statement on a table with tenants says which one, so that one node answers it; what
    asks all nodes is listed.
    """
    names = "|".join(sorted(distributed()))
    table = re.compile(rf"\b(?:from|join|into|update|using)\s+(?:{names})\b")
    one = re.compile(
        r"\btenant\s*=\s*\$\d|\(\s*tenant\b[^()]*\)\s*(?:values\s*\(\s*|select\s+)\$1"
        r"|\btenant\b[^;]*\bselect\s+\$1"
    )
    everywhere = {
        name
        for name, text in queries._all().items()
        if table.search(re.sub(r"--.*", "", text)) and not one.search(text)
    }

    assert everywhere == OVER_ALL_TENANTS


def distributed():
    """Return the names of the tables that have a tenant, and of the views over them."""
    created = re.compile(r"create table(?: if not exists)? (\w+)")
    renamed = re.compile(r"alter table \w+ rename to (\w+)")
    text = "".join(
        file.read_text(encoding="utf-8")
        for file in sorted((STORE / "migrations/versions").glob("*.sql"))
    )
    return {
        *created.findall(text),
        *renamed.findall(text),
        "concepts",
        "named_concepts",
    }
