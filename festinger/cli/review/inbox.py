"""`festinger inbox`: everything that waits for a person, and the decisions about it."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Mapping
from contextlib import closing
from typing import Any, Final

import click

from festinger.api.v1 import inbox_service_pb2 as pb
from festinger.api.v1.inbox_pb2 import InboxDecision, InboxItem
from festinger.cli.calls import call, connected, items
from festinger.cli.keyboard import Keyboard
from festinger.cli.lines import counted, harmless
from festinger.cli.listing import JSON, print_message, show
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options
from festinger.cli.review.inbox_lines import (
    decision_line,
    item_line,
    item_page,
    kind_of,
    nothing,
)
from festinger.core.review.itemmarks import ITEM_MARKS
from festinger.errors import FestingerError
from festinger.mapping import choices_of

SECONDS: Final = 600.0
"""Timeout of a decision about many items, in seconds."""
KINDS: Final[Mapping[str, Any]] = choices_of(InboxItem.Kind)
FILTERS: Final = options(
    click.option(
        "--kind",
        "kinds",
        multiple=True,
        type=click.Choice(list(KINDS)),
        help="Only these.",
    ),
    click.option("--project", default="", help="Only this project's."),
    click.option("--who", default="", help="For: moderator, community or @NAME."),
    click.option("--rule", default="", help="Only what this rule found."),
    click.option("--source", default="", help="Only what came this way."),
    click.option("--type", default="", help="Only this dimension, predicate or type."),
    click.option(
        "--mark", type=click.Choice(ITEM_MARKS), help="Only what is marked so."
    ),
    click.option(
        "--days",
        "days_min",
        default=0,
        type=click.IntRange(0, 36_500),
        help="Only what waits for so many days.",
    ),
    click.option("--said", default="", help="Only with these words in its sentence."),
    click.option("--deferred", is_flag=True, help="Those put aside, not the others."),
)
ITEMS: Final = click.argument("item_ids", nargs=-1, metavar="ITEM...")
DECIDED: Final = options(
    ITEMS,
    click.option(
        "--all", "everything", is_flag=True, help="All that the filter leaves."
    ),
    click.option("--only", "alone", is_flag=True, help="Not others of the statement."),
    click.option("--because", "reasoning", default="", help="Why, for the record."),
)


class InboxOptions:
    """Connection and filter, which all commands of the inbox share."""

    def __init__(self, values: dict[str, Any]) -> None:
        # Taken out of the options, so that what is left is the connection.
        kinds = [KINDS[name] for name in values.pop("kinds")]
        self.wanted = pb.InboxFilter(
            kinds=kinds,
            answerer=values.pop("who"),
            **{
                key: values.pop(key)
                for key in (
                    "project",
                    "rule",
                    "source",
                    "type",
                    "mark",
                    "days_min",
                    "said",
                    "deferred",
                )
            },
        )
        self.values = values


@click.group(invoke_without_command=True)
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@FILTERS
@click.option("--list", "only_list", is_flag=True, help="List them, and ask nothing.")
@JSON
@click.pass_context
def inbox(
    context: click.Context, /, only_list: bool, as_json: bool, **values: Any
) -> None:
    """Decide what waits for you, the costliest mistakes first, one key an answer.

    Where there is no terminal the items are listed. The filters also narrow down what
    `accept --all` and the like decide: `festinger inbox --source headings reject --all`.
    """
    asked = InboxOptions(values)  # for the commands below it
    context.obj = asked
    if context.invoked_subcommand:
        return
    # Without a terminal nobody presses a key: a pipe gets the list.
    if only_list or as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        found = items(asked.values, pb.ListInboxRequest(filter=asked.wanted))
        show(found, item_line, nothing(asked.wanted), as_json=as_json)
        return
    # Imported here: only a terminal needs it.
    from festinger.cli.review.deciding import InboxSession

    with connected(**asked.values) as client, closing(Keyboard()) as keyboard:
        InboxSession(client, keyboard, asked.wanted).run()


@inbox.command("show")
@click.argument("item_id", metavar="ITEM")
@JSON
@click.pass_obj
def show_item(asked: InboxOptions, /, item_id: str, as_json: bool) -> None:
    """Show an item: why it is asked, and what each answer changes."""
    item = call(asked.values, pb.GetInboxItemRequest(item_id=item_id)).item
    if as_json:
        print_message(item)
        return
    click.secho(f"{item.id}  {kind_of(item)}", dim=True)
    click.echo(item_page(item))


@inbox.command()
@DECIDED
@click.option("--incoming", "incoming_dimension", default="", metavar="DIMENSION",
              help="Of a conflict: where its statement belongs.")  # fmt: skip
@click.option("--existing", "existing_dimension", default="", metavar="DIMENSION",
              help="Of a conflict: where its fact belongs, which then stands too.")  # fmt: skip
@click.option("--supersedes", default=0, metavar="RECORD",
              help="Of a memory or entity: the active one that it replaces.")  # fmt: skip
@click.pass_obj
def accept(asked: InboxOptions, /, **decided: Any) -> None:
    """It is so: of a conflict, the statement replaces the fact."""
    _decide(asked, InboxDecision.ACTION_ACCEPT, **decided)


@inbox.command()
@DECIDED
@click.pass_obj
def reject(asked: InboxOptions, /, **decided: Any) -> None:
    """It is not so: of a conflict, the fact stands."""
    _decide(asked, InboxDecision.ACTION_REJECT, **decided)


@inbox.command()
@DECIDED
@click.pass_obj
def defer(asked: InboxOptions, /, **decided: Any) -> None:
    """Put items aside; `--deferred` lists them."""
    _decide(asked, InboxDecision.ACTION_DEFER, **decided)


@inbox.command()
@DECIDED
@click.pass_obj
def resume(asked: InboxOptions, /, **decided: Any) -> None:
    """Have items wait that were put aside."""
    # The filter means what waits, and only what was put aside can be resumed.
    asked.wanted.deferred = True
    _decide(asked, InboxDecision.ACTION_RESUME, **decided)


@inbox.command()
@click.argument("decision_id", metavar="DECISION", default="")
@click.option("--because", "reasoning", default="", help="Why, for the record.")
@click.pass_obj
def undo(asked: InboxOptions, /, decision_id: str, reasoning: str) -> None:
    """Undo a decision with all its items; your last one without DECISION.

    An item, such as conflict-7, stands for the decision about it, a model's too.
    """
    # A call that is sent again undoes nothing twice.
    request = pb.UndoInboxRequest(
        decision_id=decision_id, reasoning=reasoning, request_id=str(uuid.uuid4())
    )
    undone = call(asked.values, request, seconds=SECONDS)
    click.echo(f"undone: {decision_line(undone.decision)}")
    _tell(undone.failures)


@inbox.command()
@JSON
@click.pass_obj
def decisions(asked: InboxOptions, /, as_json: bool) -> None:
    """List what was decided, the latest first."""
    found = items(asked.values, pb.ListInboxDecisionsRequest())
    show(found, decision_line, "Nothing was decided.", as_json=as_json)


def _decide(
    asked: InboxOptions,
    action: InboxDecision.Action,
    *,
    item_ids: tuple[str, ...],
    everything: bool,
    **said: Any,
) -> None:
    if bool(item_ids) == everything:
        # Neither would decide everything by accident; both leave open which holds.
        raise click.UsageError("name items, or all of the filter with --all")
    request = pb.DecideInboxRequest(
        item_ids=item_ids,
        filter=asked.wanted if everything else None,
        action=action,
        request_id=str(uuid.uuid4()),
        **said,
    )
    answer = call(asked.values, request, seconds=SECONDS)
    if answer.HasField("decision"):
        click.echo(decision_line(answer.decision))
    elif not answer.failures:
        click.echo(nothing(asked.wanted))
    _tell(answer.failures)


def _tell(failures: Any) -> None:
    for failure in failures:
        click.echo(f"{failure.item_id}: {harmless(failure.message)}", err=True)
    # An exit code for scripts, though other items were decided.
    if failures:
        raise FestingerError(f"{counted(len(failures), 'item')} stayed as before")
