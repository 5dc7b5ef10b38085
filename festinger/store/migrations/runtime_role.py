"""The role without a bypass of row-level security that transactions take on.

Superusers, as whom the embedded database is used, and roles with BYPASSRLS are not
subject to row-level security. Their transactions take on a role that may read and write
the tables and views with a tenant, and nothing else. Any other user is subject to it already, even
as the owner of the tables, and needs no second role.
"""

from __future__ import annotations

from contextlib import suppress

import asyncpg

from festinger.errors import ConfigurationError

_IS_READY = """
select not (own.rolsuper or own.rolbypassrls) or (
    run.oid is not null and not run.rolsuper and not run.rolbypassrls
    and pg_has_role(run.oid, 'member')
    and not exists (
        select from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant'
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
            and not a.attisdropped
            and not has_table_privilege(run.oid, c.oid, 'delete')
    )
)
from pg_roles own left join pg_roles run on run.rolname = 'festinger_runtime'
where own.rolname = session_user
"""
_EXISTS = "select to_regrole('festinger_runtime') is not null"
_CREATE = """
do $$ begin
    create role festinger_runtime nologin;
    execute format('grant festinger_runtime to %I', session_user);
end $$
"""
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
