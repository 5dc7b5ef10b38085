"""Commands that search and forget the lines of the memory."""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import click
from google.protobuf.json_format import MessageToDict

from festinger.api.v1 import line_service_pb2 as pb
from festinger.cli.calls import call
from festinger.cli.lines import counted, harmless, statement
from festinger.cli.listing import JSON
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options
from festinger.errors import FestingerError
from festinger.mapping import choices_of, word_of

CONNECTION = options(CONFIG, DATA_DIR, SERVER, TENANT)
PROJECT = click.option(
    "--project",
    default="",
    envvar="FESTINGER_PROJECT",
    help="Only what was said in this project (FESTINGER_PROJECT).",
)
SHOWN_MAX: Final = 20
"""The maximum number of lines in a preview."""
KINDS: Final = list(choices_of(pb.MemoryLine.Kind))


@click.command()
@CONNECTION
@PROJECT
@click.option("--about", default="", help="Only lines that mention this.")
@click.option("--by", default="", help="Only what this person said.")
@click.option("--kind", type=click.Choice(KINDS), help="Only lines of this kind.")
@click.option("--since", type=click.DateTime(), help="Only what was said since then.")
@click.option(
    "--limit",
    type=click.IntRange(1, 500),
    default=20,
    show_default=True,
    help="At most so many.",
)
@JSON
@click.argument("words", nargs=-1)
def facts(
    words: tuple[str, ...],
    project: str,
    about: str,
    by: str,
    kind: str | None,
    since: datetime | None,
    limit: int,
    as_json: bool,
    **values: Any,
) -> None:
    """Show what is known: the lines that fit WORDS best, or the newest.

    \b
    festinger facts stock file
    festinger facts --by nadia --project shop --since 2026-11-01
    """
    request = pb.SearchLinesRequest(
        query=" ".join(words),
        project=project,
        about=about,
        speaker=by,
        kind=f"KIND_{kind.upper()}" if kind else None,
        page_size=limit,
    )
    if since is not None:
        # `click.DateTime` knows no zones: a time is this machine's, as people mean it.
        request.since_time.FromDatetime(since.astimezone(UTC))
    found = call(values, request)
    for line in found.lines:
        click.echo(dump(line) if as_json else _shown(line))
    if as_json:
        return
    if not found.lines:
        click.echo(f"Nothing fits, of {counted(found.total_size, 'line')}.")
    elif found.next_page_token:
        click.echo(f"… and more, of {counted(found.total_size, 'line')}: see --limit.")


@click.command()
@CONNECTION
@click.option("--by", default="", help="What this person said.")
@click.option("--project", default="", help="What was said in this project.")
@click.option("--session", default="", help="What was said in this conversation.")
@click.option("--phrase", default="", help="Sentences with these words in them.")
@click.option("--line", default="", help="One line; `festinger facts` names them.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@JSON
def forget(
    by: str,
    project: str,
    session: str,
    phrase: str,
    line: str,
    yes: bool,
    as_json: bool,
    **values: Any,
) -> None:
    """Forget what people said, everywhere: of several conditions all must hold.

    Shows what would go, and asks. A fact is taken back with `gutask forget`; facts that
    are held for the sake of a forgotten sentence alone end as well.

    \b
    festinger forget --by nadia
    festinger forget --project shop --phrase "staging cluster"
    """
    # The same request previews and forgets, so that it is what was shown.
    request = pb.ForgetLinesRequest(
        speaker=by,
        project=project,
        session=session,
        phrase=phrase,
        name=line,
        preview=True,
    )
    # An empty one would select everything.
    if request == pb.ForgetLinesRequest(preview=True):
        raise click.UsageError(
            "Say what to forget: --by, --project, --session, --phrase or --line."
        )
    found = call(values, request)
    _preview(found, as_json=as_json)
    if found.total_size and not yes:
        # Without a terminal nobody can be asked.
        if not sys.stdin.isatty():
            raise FestingerError("nothing was forgotten: add --yes to forget these")
        click.confirm("Forget this for good?", abort=True)
    if found.total_size:
        request.preview = False
        request.request_id = str(uuid.uuid4())
        found = call(values, request)
    if as_json:
        done = {
            "forgotten": found.total_size,
            "ended": found.statement_count,
            "version": found.version,
        }
        click.echo(json.dumps(done))
    else:
        text = f"Forgotten: {counted(found.total_size, 'line')}."
        if found.statement_count:
            text += f" Ended: {counted(found.statement_count, 'statement')}."
        click.echo(text)


def object_of(line: pb.MemoryLine) -> dict[str, Any]:
    """Return the JSON object of a line, as it is exported."""
    form = word_of(pb.MemoryLine.Kind, line.kind)
    found: dict[str, Any] = {
        # The two kinds that readers of exports tell apart.
        "kind": "statement" if form == "statement" else "memory",
        "form": form,
        "name": line.name,
        "text": line.text,
        "quote": line.quote,
        "by": line.speaker,
        "project": line.project,
        "session": line.session,
        "status": word_of(pb.MemoryLine.Status, line.status),
        "subject": line.subject,
        "predicate": line.predicate,  # so that a line can be read without its text
        "value": line.value,
        "since": line.say_time.ToJsonString() if line.HasField("say_time") else None,
    }
    # Left out if they do not hold, as in most lines.
    for name in ("instruction", "confirmed", "limited"):
        if getattr(line, name):
            found[name] = True
    for name in ("held", "kept"):
        if line.HasField(name):
            part = getattr(line, name)
            found[name] = MessageToDict(part, preserving_proto_field_name=True)
    return found


def dump(line: pb.MemoryLine) -> str:
    """Return the JSON of a line, on one line."""
    return json.dumps(object_of(line), ensure_ascii=False)


def _preview(found: pb.ForgetLinesResponse, *, as_json: bool) -> None:
    """Print what would be forgotten: lines, and the statements that end with them."""
    ending = [harmless(statement(each)) for each in found.statements]
    if as_json:
        for line in found.lines:
            click.echo(dump(line))
        for text in ending:
            click.echo(json.dumps({"kind": "ended", "text": text}, ensure_ascii=False))
        return
    click.echo(f"{counted(found.total_size, 'line')} would be forgotten:")
    _print_first([_shown(line) for line in found.lines], found.total_size)
    if ending:
        count = counted(found.statement_count, "statement")
        click.echo(f"{count} would end with them:")
        _print_first(ending, found.statement_count)


def _print_first(texts: Sequence[str], total: int) -> None:
    for text in texts[:SHOWN_MAX]:
        click.echo(f"  {text}")
    if total > SHOWN_MAX:
        click.echo(f"  … and {total - SHOWN_MAX} more.")


def _shown(line: pb.MemoryLine) -> str:
    """Format a line with its text, name and restrictions."""
    notes = [line.name]
    # Some texts end in their project.
    if line.project and f"({line.project})" not in line.text:
        notes.append(line.project)
    if line.instruction and not line.confirmed:
        notes.append("for its speaker alone, until a person confirms it")
    if line.limited:
        notes.append("kept from some")
    return harmless(f"{line.text}  [{', '.join(notes)}]")
