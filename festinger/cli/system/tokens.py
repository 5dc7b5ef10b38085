"""Commands that make, list and revoke tokens of the memory server's callers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from festinger import credentials
from festinger.audit import AuditLog, audit_file
from festinger.cli.listing import JSON, print_json
from festinger.cli.options import CONFIG, DATA_DIR, options, settings
from festinger.config import CallerSettings
from festinger.errors import FestingerError


@click.group()
def tokens() -> None:
    """Make, list and revoke the tokens of callers.

    A running server notices within a second. It is the one of the data directory; servers
    with others need a copy of its tokens.json.
    """


@tokens.command()
@click.argument("name")
@click.option(
    "--tenant",
    "tenants",
    multiple=True,
    default=("default",),
    show_default=True,
    help="A memory that it may use, more than once if need be; * for all.",
)
@click.option("--days", type=click.IntRange(1, 36_500), help="Days until it expires.")
@click.option("--operator", is_flag=True, help="Let it decide, in its memories.")
@click.option(
    "--trusted", is_flag=True, help="Let it speak for others, as the shim does."
)
@options(CONFIG, DATA_DIR)
def create(
    name: str,
    tenants: tuple[str, ...],
    days: int | None,
    config_file: Path | None,
    data_dir: Path | None,
    **rights: bool,
) -> None:
    """Make a token for NAME, and print it; it is not shown again."""
    # Whole seconds, as they are shown.
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(days) if days else None
    directory = settings(config_file, data_dir=data_dir).data_dir
    # Written to the file that the server reads: no server needs to run.
    token = credentials.issue(
        directory, name, tenants=tenants, expire_time=until, **rights
    )
    _note(directory, "create", name)  # the log of the server's calls
    click.echo(token)


@tokens.command("list")
@options(CONFIG, DATA_DIR)
@JSON
def list_(config_file: Path | None, data_dir: Path | None, as_json: bool) -> None:
    """List the tokens: ID, name, memories, rights, and when each was made and expires."""
    directory = settings(config_file, data_dir=data_dir).data_dir
    for caller in credentials.issued(directory):
        if as_json:
            kept = caller.model_dump(mode="json", exclude={"token_sha256"})
            print_json({"id": caller.id} | kept)
        else:
            click.echo(_line(caller))


@tokens.command()
@click.argument("which", metavar="NAME|ID")
@options(CONFIG, DATA_DIR)
def revoke(which: str, config_file: Path | None, data_dir: Path | None) -> None:
    """Revoke all tokens of a NAME, or the one with an ID."""
    directory = settings(config_file, data_dir=data_dir).data_dir
    removed = credentials.revoke(directory, which)
    if not removed:
        raise FestingerError(
            f"there is no token {which}. `festinger system tokens list` shows all"
        )
    for caller in removed:  # a name may have several, made over time
        _note(directory, "revoke", caller.name)
        click.echo(f"revoked {_line(caller)}")


def _note(data_dir: Path, action: str, name: str) -> None:
    """Write to the audit log what was done with a token."""
    AuditLog(audit_file(data_dir)).write(
        method=f"tokens {action}", about={"name": name}, result="ok"
    )


def _line(caller: CallerSettings) -> str:
    rights = [name for name in ("operator", "trusted") if getattr(caller, name)]
    expired = not caller.is_valid(datetime.now(UTC))
    return "  ".join(
        (
            caller.id,
            caller.name,
            ",".join(caller.tenants),
            ",".join(rights) or "caller",
            f"made {_day(caller.create_time)}",
            f"{'expired' if expired else 'expires'} {_day(caller.expire_time)}",
        )
    )


def _day(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M} UTC" if time else "never"
