"""`festinger provenance trace`: the provenance of a fact."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import click

from festinger.api.v1 import provenance_service_pb2 as pb
from festinger.cli.calls import call
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options
from festinger.core.graph.proposal import Triple
from festinger.core.provenance.chain import Chain, to_json
from festinger.core.provenance.forms import Content
from festinger.core.provenance.trail import (
    MetaTriple,
    ObjectKind,
    TrailObject,
    extractor,
)
from festinger.core.system.cid import is_cid
from festinger.core.system.excerpt import printable
from festinger.errors import FestingerError

CONNECTION = options(CONFIG, DATA_DIR, SERVER, TENANT)
WHAT = options(
    click.argument("what", metavar="CID|CONCEPT"),
    click.argument("dimension", default=""),
)


@click.command()
@WHAT
@click.option(
    "--json", "as_json", is_flag=True, help="A file for `festinger provenance verify`."
)
@CONNECTION
def trace(what: str, dimension: str, as_json: bool, **values: Any) -> None:
    """Show where a fact comes from, or an answer, a candidate, a message.

    A fact is named by its concept, and by its DIMENSION if not all are wanted. The file of
    --json holds all that `festinger provenance verify --file` needs, wherever it is run.
    """
    chain = fetched(values, what, dimension)
    if as_json:
        try:
            click.echo(to_json(chain))
        except ValueError as error:
            raise FestingerError(
                f"somebody changed what is kept, as `festinger provenance verify` tells: {error}"
            ) from None
        return
    for line in _TraceTree(chain).lines():
        click.echo(printable(line))


def fetched(values: dict[str, Any], what: str, dimension: str) -> Chain:
    """Fetch the chain of a fact or an object from the server."""
    # No concept has the form of a CID.
    request = pb.TraceRequest(concept=what, dimension=dimension)
    if is_cid(what):
        request = pb.TraceRequest(cid=what, dimension=dimension)
    response = call(values, request)
    return Chain(
        tuple(response.start),
        {
            each.cid: TrailObject(
                each.cid, each.kind, each.data, withheld=each.withheld
            )
            for each in response.objects
        },
        frozenset(
            MetaTriple(link.subject, link.predicate, link.object)
            for link in response.links
        ),
        response.more,
    )


class _TraceTree:
    """Formatter of a chain: facts, with indented candidates, messages and answers."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._left = dict(chain.objects)
        self._contents: dict[str, Content] = {}
        for cid, each in chain.objects.items():
            # A withheld or changed object has no content; it is shown by name.
            with suppress(ValueError):
                self._contents[cid] = each.content

    def lines(self) -> Iterator[str]:
        """Yield the lines; each object once, and facts first."""
        # Facts first: what they come from stands below them, and not once more.
        for kind in (ObjectKind.TRIPLE, ObjectKind.CANDIDATE, ObjectKind.EVENT):
            for cid, each in self._chain.objects.items():
                if each.kind == kind:
                    yield from self._object(cid, 0)
        # What no fact leads to, such as a single message.
        for cid in self._chain.objects:
            yield from self._object(cid, 0)
        if self._chain.more:
            yield "There is more than is told."

    def _object(self, cid: str, depth: int) -> Iterator[str]:
        each = self._left.pop(cid, None)
        if each is None:  # shown already, below the first that refers to it
            return
        indent = "    " * depth
        asked = "  ◀" if cid in self._chain.start else ""
        yield f"{indent}{ObjectKind(each.kind).noun} {cid}{asked}"
        content = self._contents.get(cid)
        if content is None:
            yield f"{indent}  not shown: {_WITHHELD.get(each.withheld, each.withheld)}"
            return
        for line in _LINES[ObjectKind(content["kind"])](content):
            yield f"{indent}  {line}"
        if content["kind"] == ObjectKind.TRIPLE:
            # The fact names the answers that decided it; people may answer until the time is over.
            later = len(self._answers(content["factoid"])) - len(content["events"])
            if later > 0:
                yield f"{indent}  answers that came later: {later}"
        for below in self._below(cid, content):
            yield from self._object(below, depth + 1)

    def _below(self, cid: str, content: Content) -> Iterator[str]:
        """Yield the CIDs of the objects that an object refers to."""
        if content["kind"] == ObjectKind.TRIPLE:
            yield content["factoid"]
        elif content["kind"] == ObjectKind.CANDIDATE:
            yield content["message"]
            yield from self._answers(cid)
        elif content["kind"] == ObjectKind.EVENT:
            yield content["context_message"]

    def _answers(self, candidate_cid: str) -> list[str]:
        """Return the CIDs of the answers to a candidate, in their order."""
        answers = [
            (each["ordinal"], cid)
            for cid, each in self._contents.items()
            if each["kind"] == ObjectKind.EVENT and each["factoid"] == candidate_cid
        ]
        return [cid for _, cid in sorted(answers)]


def _triple_lines(content: Content) -> Iterator[str]:
    held = "believed" if content["verdict"] == "belief" else "confirmed"
    yield f"{_statement(content)}  ({content['outcome']}, {_when(content)})"
    by = ", ".join(content["validated_by"])
    yield (
        f"{held} by {by or 'nobody'}: rule {content['rule']}, confidence "
        f"{content['confidence']}, posterior {content['posterior']}"
    )


def _candidate_lines(content: Content) -> Iterator[str]:
    yield (
        f"#{content['number']}  {_statement(content)}  ({extractor(content)}, confidence "
        f"{content['confidence']}, {_when(content)})"
    )
    if content["justification"]:
        yield content["justification"]


def _message_lines(content: Content) -> Iterator[str]:
    name = f"  {content['message_id']}" if content["message_id"] else ""
    said = (
        f"“{content['sentence']}”" if content["sentence"] else "(no sentence was sent)"
    )
    yield f"{content['author'] or 'nobody'}: {said}{name}"


def _question_lines(content: Content) -> Iterator[str]:
    whom = content["recipient"] or content["channel"] or "nobody"
    yield (f"{content['bot']} asked {whom}: “{content['text']}”  ({_when(content)})")


def _event_lines(content: Content) -> Iterator[str]:
    note = f": “{content['note']}”" if content["note"] else ""
    through = f", through {content['bot_id']}" if content["bot_id"] else ""
    yield (
        f"{content['responder']} ({content['role']}) {content['response']}{note}  "
        f"({_when(content)}{through})"
    )


_LINES = {
    ObjectKind.TRIPLE: _triple_lines,
    ObjectKind.CANDIDATE: _candidate_lines,
    ObjectKind.MESSAGE: _message_lines,
    ObjectKind.QUESTION: _question_lines,
    ObjectKind.EVENT: _event_lines,
}
# What the server says of a withheld object; "" is one that came, and does not decode.
_WITHHELD = {
    "": "somebody changed it, as `festinger provenance verify` tells",
    "private": "it holds what is private, and is for operators",
    "open": "whoever can still answer does not see what others said",
}


def _statement(content: Content) -> str:
    return str(
        Triple(
            content["concept"],
            content["parent"],
            content["dimension"],
            content["is_isa"],
            content["negated"],
        )
    )


def _when(content: Content) -> str:
    moment = datetime.fromtimestamp(content["created_us"] / 1e6, UTC)
    return f"{moment:%Y-%m-%d %H:%M} UTC"
