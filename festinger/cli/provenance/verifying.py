"""`festinger provenance verify`: verification of the provenance of a fact."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from festinger.cli.language.dryrun import text_of
from festinger.cli.listing import JSON, print_json
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT
from festinger.core.graph.statement import to_token
from festinger.core.provenance.chain import Chain, of_json
from festinger.core.provenance.verifying import ChainStart, verify
from festinger.core.system.cid import is_cid
from festinger.core.system.excerpt import printable
from festinger.errors import UnreadableFile

UNPROVEN = 1  # an exit code for scripts


@click.command("verify")
@click.argument("what", metavar="CID|CONCEPT", default="")
@click.argument("dimension", default="")
@click.option(
    "--file",
    type=click.Path(path_type=Path),
    help="What `festinger provenance trace --json` printed (- for standard input); no server needed.",
)
@JSON
@CONFIG
@DATA_DIR
@SERVER
@TENANT
def verify_chain(
    what: str, dimension: str, file: Path | None, as_json: bool, **values: Any
) -> None:
    """Check where a fact comes from, trusting nobody.

    Every name is computed again from what it stands for, every link is looked for in what
    is named, and the decision is made again from the answers. The exit code is 0 only if
    all of it could be seen and is right.
    """
    # With a file as well: any chain proves itself, and perhaps not what was asked.
    asked = _asked(what, dimension)
    if asked is None and file is None:
        raise click.UsageError("Name a CID, a concept or a --file.")
    chain = _read(file) if file else _fetched(values, what, dimension)
    steps = verify(chain, asked)
    failed = sum(bool(step.problem) for step in steps)
    # All steps, also behind a failed one: it may not be the only one.
    for step in steps:
        if as_json:
            print_json(
                {"step": step.what, "ok": not step.problem, "problem": step.problem}
            )
        elif step.problem:
            click.echo(printable(f"FAILED  {step.what}: {step.problem}"))
        else:
            click.echo(printable(f"ok      {step.what}"))
    if not as_json and failed:
        click.echo(f"NOT proven: {failed} of {len(steps)} steps failed")
    elif not as_json:
        click.echo(f"proven: {len(steps)} steps")
    if failed:
        sys.exit(UNPROVEN)


def _asked(what: str, dimension: str) -> ChainStart | None:
    """Return the expected start of the chain; None for any."""
    if not what:
        return None
    if is_cid(what):
        return ChainStart(cid=what)
    return ChainStart(
        concept=to_token(what, "concept"),
        dimension=to_token(dimension, "dimension") if dimension else "",
    )


def _read(file: Path) -> Chain:
    """Read a chain from a file. Raises `InvalidArgument`, `UnreadableFile`."""
    try:
        return of_json(text_of(file))
    except ValueError as error:
        raise UnreadableFile(f"{file} holds no chain: {error}") from None


def _fetched(values: dict[str, Any], what: str, dimension: str) -> Chain:
    # Imported on use: a file is verified without gRPC.
    from festinger.cli.provenance.tracing import fetched

    return fetched(values, what, dimension)
