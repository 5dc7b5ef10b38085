"""Commands that list typed memories, entities and projects' trusted state."""

from __future__ import annotations

import uuid
from typing import Any, Final

import click

from festinger import mapping
from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.cli.calls import call, items
from festinger.cli.lines import harmless, moment
from festinger.cli.listing import JSON, show
from festinger.cli.options import CONFIG, DATA_DIR, NUMBER, SERVER, TENANT, options
from festinger.cli.review.inbox_lines import record_line
from festinger.cli.rooms import CommandGroup

CONNECTION = options(CONFIG, DATA_DIR, SERVER, TENANT)


def _words(values: Any) -> list[str]:
    # From the API's enums, so that a new type needs no line here; 0 is UNSPECIFIED.
    return [word for word, number in mapping.words_of(values).items() if number]


_RECORD: Final = MemoryRecord.DESCRIPTOR
TYPES: Final = _words(_RECORD.enum_types_by_name["Type"])
STATUSES: Final = _words(_RECORD.enum_types_by_name["Status"])

PROJECT = click.option("--project", default="", help="Only this project's.")
TYPE = click.option(
    "--type", "types", multiple=True, type=click.Choice(TYPES), help="Only such ones."
)
FILTERS = options(
    PROJECT,
    TYPE,
    click.option(
        "--status",
        "statuses",
        multiple=True,
        type=click.Choice(STATUSES),
        help="Only those that stand here; all but overflow without.",
    ),
    click.option("--subject", default="", help="Only those about them."),
    click.option("--contains", default="", help="Only those with this in them."),
    JSON,
)


def records_request(**wanted: Any) -> pb.ListRecordsRequest:
    """Return a request for records, with enum values given by name."""
    # Empty options filter by nothing.
    said = {name: value for name, value in wanted.items() if value}
    said |= {name: list(said[name]) for name in ("types", "statuses") if name in said}
    return mapping.to_message(said, pb.ListRecordsRequest, {})


@click.group(cls=CommandGroup, room="memories", invoke_without_command=True)
@CONNECTION
@FILTERS
@click.pass_context
def memories(context: click.Context, /, as_json: bool, **values: Any) -> None:
    """List typed memories."""
    if context.invoked_subcommand:
        return
    _list(values, "memory", as_json)


@click.command()
@CONNECTION
@FILTERS
def entities(as_json: bool, **values: Any) -> None:
    """List entities."""
    _list(values, "entity", as_json)


def _list(values: dict[str, Any], kind: str, as_json: bool) -> None:
    names = ("project", "types", "statuses", "subject", "contains")
    wanted = {name: values.pop(name) for name in names}
    # Also those that were put aside, as the list is of all.
    request = records_request(kind=kind, deferred=True, **wanted)
    show(items(values, request), record_line, "There is none.", as_json=as_json)


@click.command()
@options(NUMBER, CONFIG, DATA_DIR, SERVER, TENANT)
def revert(number: int, **values: Any) -> None:
    """Take back what is active or rejected: memory or entity NUMBER waits again.

    It is not told any more, and a relation that is held because of it ends.
    """
    # A repeated call reverts once.
    request = pb.RevertRecordRequest(record_id=number, request_id=str(uuid.uuid4()))
    reverted = call(values, request)
    click.echo(record_line(reverted.record))


@click.command()
@CONNECTION
@JSON
@click.option("--history", is_flag=True, help="What each was before, too.")
@click.argument("project")
@click.argument("key", default="")
@click.argument("value", required=False)
def state(
    project: str,
    key: str,
    value: str | None,
    as_json: bool,
    history: bool,
    **values: Any,
) -> None:
    """List the trusted state of PROJECT, or write VALUE as its KEY.

    It is what people hold to be so, and written by people only. An empty VALUE removes
    the item; what it was stays in its history, which --history lists.
    """

    def line(item: pb.StateItem) -> str:
        """Return an item as lines, with its previous values."""
        before = [
            f"    was: {harmless(each) or '(removed)'}" for each in item.previous_values
        ]
        head = harmless(f"{item.key}: {item.value or '(removed)'}")
        by = f"  (by {item.principal}, {moment(item.update_time)})"
        return "\n".join([head + by, *(before if history else [])])

    if value is not None:
        request = pb.SetStateRequest(
            project=project, key=key, value=value, request_id=str(uuid.uuid4())
        )
        written = [call(values, request).item]
        show(written, line, "", as_json=as_json)
        return
    # What was removed has a history only.
    listed = items(values, pb.ListStateRequest(project=project, show_removed=history))
    wanted = (item for item in listed if not key or item.key == key)
    none = f"Nothing is known of {key or project} yet."
    show(wanted, line, none, as_json=as_json)
