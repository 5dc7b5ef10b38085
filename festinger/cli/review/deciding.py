"""The inbox at a terminal: an item at a time, one key an answer."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any, Final

import click

from festinger import errors
from festinger.api.v1 import inbox_service_pb2 as pb
from festinger.api.v1 import promotion_service_pb2
from festinger.api.v1.inbox_pb2 import InboxDecision, InboxItem
from festinger.cli.keyboard import Keyboard, edited
from festinger.cli.lines import counted, harmless
from festinger.cli.review.inbox_lines import item_page, kind_of, nothing
from festinger.client import Client
from festinger.client.methods import method_of
from festinger.mapping import word_of

LOADED: Final = 100
"""Number of items that are loaded at once; the costliest come first."""
KEYS: Final = {
    "a": "accept: it is so; of a conflict, the statement replaces the fact",
    "r": "reject: it is not so; of a conflict, the fact stands",
    "d": "put it aside",
    "m": "move: a conflict's statement, and its fact, to other dimensions",
    "e": "edit the text of a memory or an entity",
    "o": "only this one, or others of the same statement too",
    "u": "undo your last decision",
    "j": "the next one",
    "k": "the one before",
    "?": "this list",
    "q": "end",
}
# On one line of 80 columns.
HINT: Final = "a accept  r reject  d defer  m move  e edit  o only  u undo  j k  ?  q"
_ACTIONS: Final = {
    "a": InboxDecision.ACTION_ACCEPT,
    "r": InboxDecision.ACTION_REJECT,
    "d": InboxDecision.ACTION_DEFER,
}
REFUSALS: Final = (
    errors.InvalidArgument,
    errors.NotFound,
    errors.AlreadyDecided,
    errors.RecordStatus,
    errors.RecordExists,
    errors.SourceGone,
    errors.CannotUndo,
    errors.ConflictNotSettled,
    errors.EtagMismatch,
    errors.PermissionDenied,
)
"""Errors that are shown to the person; all others end the session."""


@dataclass(eq=False)
class InboxSession:
    """A person who decides, controlled by keys."""

    client: Client
    keyboard: Keyboard
    wanted: pb.InboxFilter
    _items: list[InboxItem] = field(default_factory=list, init=False)
    _place: int = field(default=0, init=False)
    # Whether the next decision leaves others of the same statement.
    _alone: bool = field(default=False, init=False)
    _decided: int = field(default=0, init=False)
    _done: list[str] = field(default_factory=list, init=False)

    def run(self) -> None:
        """Show items and take answers until the person ends it or nothing waits."""
        self._load()
        while self._items:
            self._show()
            # Unknown keys show the list.
            while (key := self.keyboard.next()) in ("?", "") or key not in KEYS:
                click.echo("\n".join(f"  {key}  {told}" for key, told in KEYS.items()))
            if key == "q":
                break
            self._press(key)
            if not self._items:
                self._load()
        # The loop ends without `q`: nothing is left.
        else:
            click.echo(nothing(self.wanted))
        if self._decided > 0:
            click.echo(f"{counted(self._decided, 'item')} decided.")

    @property
    def _current(self) -> InboxItem:
        return self._items[self._place]

    def _press(self, key: str) -> None:
        match key:
            case "j" | "k":
                step = 1 if key == "j" else -1
                self._place = (self._place + step) % len(self._items)
                # "only this one" is meant for the item on the screen.
                self._alone = False
            case "o":
                self._alone = not self._alone
            case "u":
                self._undo()
            case "m":
                self._move()
            case "e":
                self._edit()
            case _:
                self._decide(_ACTIONS[key])

    def _decide(self, action: InboxDecision.Action, **fields: Any) -> None:
        item = self._current
        request = pb.DecideInboxRequest(
            item_ids=[item.id], action=action, alone=self._alone, **fields
        )
        self._alone = False
        answer = self._ask(request)
        gone = [item.id]
        if answer is not None:
            # Others of the same statement were decided along.
            gone = list(answer.decision.item_ids)
            self._decided += len(gone)
            self._done.append(answer.decision.id)
            for failure in answer.failures:
                click.secho(f"{failure.item_id}: {harmless(failure.message)}", fg="red")
            name = word_of(InboxDecision.Action, action)
            more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
            click.echo(f"{name} {item.id}{more}")
        # Somebody else may have decided it meanwhile, and then it goes from the list.
        elif self._find(item.id) is not None:
            return  # it still waits: the person sees why it was refused
        self._items = [each for each in self._items if each.id not in gone]
        self._place = min(self._place, max(len(self._items) - 1, 0))

    def _move(self) -> None:
        if not self._current.HasField("conflict"):
            click.echo("only the two sides of a conflict can be moved")
            return
        with self.keyboard.paused():
            incoming = click.prompt(
                "its statement belongs in the dimension", default=""
            )
            existing = click.prompt("and the fact, if not where it is, in", default="")
        if incoming:
            self._decide(
                InboxDecision.ACTION_ACCEPT,
                incoming_dimension=incoming,
                existing_dimension=existing,
            )

    def _edit(self) -> None:
        item = self._current
        if not item.HasField("record"):
            click.echo("only memories and entities can be edited")
            return
        with self.keyboard.paused():
            text = edited(item.record.content)
        # An editor left without saving changes nothing.
        if text in {"", item.record.content}:
            click.echo("nothing was changed")
            return
        request = promotion_service_pb2.EditRecordRequest(
            record_id=item.record.id, content=text, etag=item.record.etag
        )
        self._ask(request)
        # Shown anew, with its new etag.
        if (changed := self._find(item.id)) is not None:
            self._items[self._place] = changed

    def _undo(self) -> None:
        # Without one of this session the server takes the person's latest.
        request = pb.UndoInboxRequest(
            decision_id=self._done.pop() if self._done else ""
        )
        undone = self._ask(request)
        if undone is None:
            return
        first = undone.decision.item_ids[0]
        self._decided -= len(undone.decision.item_ids)
        click.echo(f"undone: {first}")
        # First in the list again, so that the person sees what was undone.
        item = self._find(first)
        self._load()
        if item is not None:
            self._items = [item, *(it for it in self._items if it.id != first)]
        self._place = 0

    def _load(self) -> None:
        request = pb.ListInboxRequest(filter=self.wanted, page_size=LOADED)
        self._items = list(self.client.call("InboxService.ListInbox", request).items)
        self._place = 0

    def _find(self, item_id: str) -> InboxItem | None:
        found = self._ask(pb.GetInboxItemRequest(item_id=item_id), quietly=True)
        return None if found is None else found.item

    def _ask(self, request: Any, *, quietly: bool = False) -> Any:
        """Make a call; if it is refused, show the reason and return None."""
        # A new id for each key: a call that gRPC repeats decides once.
        if "request_id" in request.DESCRIPTOR.fields_by_name:
            request.request_id = str(uuid.uuid4())
        try:
            return self.client.call(method_of(request), request)
        except REFUSALS as error:
            if not quietly:
                click.secho(harmless(error.message), fg="red")
            return None

    def _show(self) -> None:
        # Read again: others decide at the same time.
        item = self._find(self._current.id) or self._current
        where = f"{self._place + 1}/{len(self._items)}"
        click.echo()
        click.secho(f"{where}  {item.id}  {kind_of(item)}", dim=True)
        click.echo(item_page(item))
        click.echo(f"{HINT}{'  [only this one]' if self._alone else ''}")
