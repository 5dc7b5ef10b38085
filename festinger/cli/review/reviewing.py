"""`festinger review`: interactive review of candidates in the terminal."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Any, Final

import click
import grpc

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.cli.calls import Call, connected, items
from festinger.cli.keyboard import Keyboard, edited
from festinger.cli.lines import harmless
from festinger.cli.listing import JSON, show
from festinger.cli.review.files import printable
from festinger.cli.review.record_lines import (
    marked,
    record_line,
    record_notes,
    record_status,
    record_words,
)
from festinger.cli.review.records import (
    CONNECTION,
    KINDS,
    PROJECT,
    TYPE,
    promotion,
    records_request,
)
from festinger.cli.rooms import Room

KEYS: Final = {
    "y": "promote it",
    "n": "reject it",
    "e": "edit it",
    "d": "put it aside, or take it up again",
    "a": "answer for all of the same text, or only for this",
    "u": "take the last answer back",
    "j": "the next one",
    "k": "the one before",
    "?": "this list",
    "q": "end",
}
HINT: Final = "y promote  n reject  e edit  d defer  a alike  u undo  j k  ?  q"

REFUSALS: Final = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.ALREADY_EXISTS,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.PERMISSION_DENIED,
}
"""Errors that are shown to the reviewer; all others end the review."""


@click.group(cls=Room, room="review", invoke_without_command=True)
@CONNECTION
@PROJECT
@TYPE
@click.option("--kind", type=click.Choice(KINDS), help="Only memories, or entities.")
@click.option("--subject", default="", help="Only those about them.")
@click.option("--deferred", is_flag=True, help="Those that were put aside, too.")
@click.option("--list", "only_list", is_flag=True, help="List them, and ask nothing.")
@JSON
@click.pass_context
def review(
    context: click.Context, /, only_list: bool, as_json: bool, **values: Any
) -> None:
    """Review the memories and entities that wait, one key an answer.

    Each is shown with the sentence it was found in, the match marked. Where there is no
    terminal they are listed.
    """
    if context.invoked_subcommand:
        return
    wanted = {
        name: values.pop(name)
        for name in ("project", "types", "kind", "subject", "deferred")
    }
    request = records_request(statuses=["candidate"], **wanted)
    waiting = items(dict(values), promotion("ListRecords"), request, "records")
    if only_list or as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        show(waiting, record_line, "Nothing waits for review.", as_json=as_json)
        return
    records = list(waiting)
    with connected(**values) as calling, closing(Keyboard()) as keyboard:
        Reviewer(calling, keyboard, records, wanted["project"]).run()


class Reviewer:
    """Interactive review of candidates, controlled by keys.

    Args:
        calling: Makes calls to the server.
        keyboard: The keyboard.
        records: The pending candidates, oldest first.
        project: The project whose candidates are reviewed; empty for all projects.
    """

    def __init__(
        self,
        calling: Call,
        keyboard: Keyboard,
        records: Sequence[MemoryRecord],
        project: str = "",
    ) -> None:
        self._calling = calling
        self._keyboard = keyboard
        self._records = list(records)
        self._project = project
        self._place = 0
        self._alike = False
        self._done: list[tuple[int, Sequence[int]]] = []

    def run(self) -> None:
        """Run the review until the user ends it, unless nothing is pending."""
        if not self._records:
            click.echo("Nothing waits for review.")
            return
        shown = None
        while True:
            if shown != (self._place, self._current.etag, self._alike):
                self._show()
            shown = (self._place, self._current.etag, self._alike)
            key = self._keyboard.next()
            if key == "q":
                break
            self._press(key)
            if key in {"y", "n"} and all(map(_is_decided, self._records)):
                click.echo("Everything is decided. u takes the last back, q ends.")
        click.echo(self._summary())

    @property
    def _current(self) -> MemoryRecord:
        return self._records[self._place]

    def _press(self, key: str) -> None:
        match key:
            case "y" | "n":
                self._decide(promote=key == "y")
            case "d":
                self._defer()
            case "e":
                self._edit()
            case "u":
                self._undo()
            case "a":
                self._alike = not self._alike
            case "j" | "k":
                self._step(1 if key == "j" else -1)
            case "?":
                for each, meaning in KEYS.items():
                    click.echo(f"  {click.style(each, bold=True)}  {meaning}")
            case _:
                click.echo(HINT)

    # Answers

    def _decide(self, *, promote: bool) -> None:
        record = self._current
        if self._alike:
            request: Any = pb.DecideAlikeRequest(record_id=record.id, promote=promote)
            method = "DecideAlike"
        elif promote:
            request = pb.PromoteRecordRequest(record_id=record.id, etag=record.etag)
            method = "PromoteRecord"
        else:
            request = pb.RejectRecordRequest(record_id=record.id, etag=record.etag)
            method = "RejectRecord"
        answer = self._ask(method, request)
        if answer is None:
            return
        changed = answer.records if self._alike else [answer.record]
        edits = answer.edit_ids if self._alike else [answer.edit_id]
        self._note(record.id, edits)
        for each in changed:
            self._replace(each)
        word = "promoted" if promote else "rejected"
        count = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        outcome = getattr(changed[0], "outcome", "") if promote else ""
        click.echo(f"{word} #{record.id}{count}{f' — {outcome}' if outcome else ''}")
        self._alike = False
        self._step(1, waiting=True)

    def _defer(self) -> None:
        record = self._current
        resume = record.HasField("defer_time")
        request = pb.DeferRecordRequest(record_id=record.id, resume=resume)
        if answer := self._ask("DeferRecord", request):
            self._note(record.id, [answer.edit_id])
            self._replace(answer.record)
            click.echo(f"{'taken up' if resume else 'put aside'} #{record.id}")
            self._step(1, waiting=True)

    def _edit(self) -> None:
        record = self._current
        with self._keyboard.paused():
            text = edited(record.content)
        if text in {"", record.content}:
            click.echo("nothing was changed")
            return
        request = pb.EditRecordRequest(
            record_id=record.id, content=text, etag=record.etag
        )
        if answer := self._ask("EditRecord", request):
            self._note(record.id, [answer.edit_id])
            self._replace(answer.record)

    def _undo(self) -> None:
        if not self._done:
            click.echo("there is nothing to take back")
            return
        number, edits = self._done.pop()
        for place, edit in enumerate(sorted(edits, reverse=True)):
            request = pb.UndoEditRequest(edit_id=edit)
            if self._ask("UndoEdit", request, quietly=place > 0) is None:
                if not place:
                    return
                break  # the edits of one decision are undone together
        for record in list(self._records):
            if record.id == number or len(edits) > 1:
                self._reload(record.id)
        numbers = [record.id for record in self._records]
        self._place = numbers.index(number)
        click.echo(f"#{number} is {record_status(self._current)} again")

    # The position

    def _step(self, by: int, *, waiting: bool = False) -> None:
        """Move by one candidate, or to the next pending one if there is any."""
        count = len(self._records)
        for steps in range(1, count + 1):
            place = (self._place + by * steps) % count
            record = self._records[place]
            if not waiting or _is_waiting(record):
                self._place = place
                break
        self._alike = False

    def _note(self, number: int, edits: Sequence[int]) -> None:
        self._done.append((number, list(edits)))

    def _replace(self, record: MemoryRecord) -> None:
        for place, each in enumerate(self._records):
            if each.id == record.id:
                self._records[place] = record

    def _reload(self, number: int) -> None:
        request = pb.GetRecordRequest(record_id=number)
        if answer := self._ask("GetRecord", request, quietly=True):
            self._replace(answer.record)

    def _ask(self, method: str, request: Any, *, quietly: bool = False) -> Any:
        """Make a call; if it is refused, show the reason and return None."""
        if "request_id" in request.DESCRIPTOR.fields_by_name:
            request.request_id = str(uuid.uuid4())
        try:
            return self._calling(promotion(method), request)
        except grpc.RpcError as error:
            if error.code() not in REFUSALS:
                raise
            if not quietly:
                click.secho(harmless(error.details() or ""), fg="red")
                if method not in {"GetRecord", "UndoEdit"}:
                    self._reload(self._current.id)
            return None

    # Output

    def _show(self) -> None:
        record = self._current
        where = f"{self._place + 1}/{len(self._records)}"
        click.echo()
        click.secho(
            f"{where}  #{record.id} {record_status(record)}  {record_words(record)}",
            dim=True,
        )
        click.secho(harmless(record.content), bold=True)
        if record.original_content and record.original_content != record.content:
            click.echo(f"  it was: {harmless(record.original_content)}")
        origin = record.origin
        if origin.quote:
            click.echo(f"  “{marked(origin)}”")
        place = f"{printable(origin.place)}  " if origin.place else ""
        notes = harmless(", ".join(record_notes(record)))
        click.secho(f"  {place}{notes}", dim=True)
        if record.reasoning:
            click.secho(f"  {harmless(record.reasoning)}", dim=True)
        for number in record.contradicts:
            found = self._ask("GetRecord", pb.GetRecordRequest(record_id=number))
            if found:
                other = (
                    f"#{number} ({record_status(found.record)}): {found.record.content}"
                )
                click.secho(f"  contradicts {harmless(other)}", fg="yellow")
        for_all = "  [for all of the same text]" if self._alike else ""
        click.echo(f"{HINT}{for_all}")

    def _summary(self) -> str:
        decided = sum(map(_is_decided, self._records))
        told = f"{decided} decided, {len(self._records) - decided} wait."
        behind = self._behind()
        return f"{told} {behind} more wait in the queue." if behind else told

    def _behind(self) -> int:
        """Return the number of pending candidates beyond this review; 0 if unknown."""
        request = pb.GetQueueRequest(project=self._project)
        with suppress(grpc.RpcError):
            queue = self._calling(promotion("GetQueue"), request)
            count: int = queue.pending_count + queue.overflow_count
            return max(0, count - sum(map(_is_waiting, self._records)))
        return 0


def _is_decided(record: MemoryRecord) -> bool:
    return record.status != MemoryRecord.STATUS_CANDIDATE


def _is_waiting(record: MemoryRecord) -> bool:
    return not (_is_decided(record) or record.HasField("defer_time"))
