"""Roles and policies of row-level security, which hold the owner of the tables too."""

from __future__ import annotations

from contextlib import suppress

import asyncpg

from festinger.errors import ConfigurationError

LIFT = """
do $$
declare
    name text;
begin
    for name in
        select relname from pg_class
        where relnamespace = 'public'::regnamespace and relforcerowsecurity
            and row_security_active(oid)
    loop
        execute format('alter table %I no force row level security', name);
    end loop;
end $$
"""
"""Has an owner see all rows until `FORCE`, in one transaction: steps change all."""
FORCE = """
do $$
declare
    name text;
begin
    for name in
        select relname from pg_class
        where relnamespace = 'public'::regnamespace
            and relrowsecurity and not relforcerowsecurity
    loop
        execute format('alter table %I force row level security', name);
    end loop;
end $$
"""
# Superusers, as whom the embedded database is used, and roles with BYPASSRLS are not subject to
# it: they need a role that is, and that may write all tables and views with a tenant.
_IS_READY = """
with own as (
    select oid, rolsuper or rolbypassrls as bypasses
    from pg_roles where rolname = session_user
), run as (
    select oid, rolsuper or rolbypassrls as bypasses
    from pg_roles where rolname = 'festinger_runtime'
)
select not own.bypasses or exists (
    select from run
    where not run.bypasses and pg_has_role(own.oid, run.oid, 'member')
        and not exists (
            select from pg_class c
            join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant'
            where c.relnamespace = 'public'::regnamespace
                and c.relkind in ('r', 'v') and not a.attisdropped
                and not has_table_privilege(run.oid, c.oid, 'delete')
        )
)
from own
"""
_EXISTS = "select to_regrole('festinger_runtime') is not null"
# The user has to be a member, or it could not take on the role.
_CREATE = """
do $$ begin
    create role festinger_runtime nologin;
    execute format('grant festinger_runtime to %I', session_user);
end $$
"""
# By the column, since later steps add tables; what has no tenant is not for the role.
_GRANT = """
do $$
declare
    name text;
begin
    for name in
        select c.relname from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant'
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
            and not a.attisdropped
    loop
        execute format(
            'grant select, insert, update, delete on %I to festinger_runtime', name);
    end loop;
end $$
"""


async def is_ready(connection: asyncpg.Connection) -> bool:
    """Return whether transactions of this user are subject to row-level security."""
    ready: bool = await connection.fetchval(_IS_READY)
    return ready


async def prepare(connection: asyncpg.Connection) -> None:
    """Create the role if it is needed, and grant it the tables with a tenant.

    Raises:
        ConfigurationError: The user may not do that.
    """
    # An ordinary user is subject to row-level security already, and needs no second role.
    if await is_ready(connection):
        return
    try:
        # Roles belong to all databases of a server: another may be creating it now.
        with suppress(asyncpg.DuplicateObjectError, asyncpg.UniqueViolationError):
            if not await connection.fetchval(_EXISTS):
                await connection.execute(_CREATE)
        await connection.execute(_GRANT)
    except asyncpg.InsufficientPrivilegeError as error:
        raise await _refused(connection) from error
    # A role of that name, made by hand, may bypass row-level security itself.
    if not await is_ready(connection):
        raise await _refused(connection)


async def _refused(connection: asyncpg.Connection) -> ConfigurationError:
    user = await connection.fetchval("select quote_ident(session_user)")
    return ConfigurationError(
        f"the user of database.dsn, {user}, bypasses row-level security, which keeps "
        "tenants apart, and the role festinger_runtime that does not cannot be set "
        "up. Use a user without SUPERUSER and BYPASSRLS that owns the tables, or "
        "run as an administrator: create role festinger_runtime nologin nosuperuser "
        f"nobypassrls; grant festinger_runtime to {user}"
    )
