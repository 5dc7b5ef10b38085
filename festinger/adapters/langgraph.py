"""A LangGraph store, whose items pass the gate.

store = FestingerStore(AgentMemory(Client(project="shop")))
graph = builder.compile(store=store)
"""

from __future__ import annotations

import asyncio
import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import islice
from typing import Any, Final

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

from festinger.adapters.memory import AgentMemory, contradicted, require_held
from festinger.api.v1.line_service_pb2 import MemoryLine, Note

PAGE_SIZE: Final = 500
_LETTERS: Final = str.maketrans("0123456789abcdef", "bcdfghjklmnpqrst")
# The filters that LangGraph's own stores know.
_OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


class FestingerStore(BaseStore):
    """Keeps items as notes of the shared memory, each exactly as it was put.

    What the texts of an item state passes the gate. An item that contradicts what is held
    is not stored, nor does it replace its former value: `put` raises `ContradictionError`,
    and the statement waits for a person. An item with `index=False` states nothing.
    `search` with a query finds items that share words with it. As everywhere in the
    memory, what looks like a password or a key is cut out.

    Args:
        memory: The memory; its project is that of the items.
        collection: Names the store within the memory.
    """

    def __init__(self, memory: AgentMemory, collection: str = "langgraph") -> None:
        self._memory = memory
        self._collection = collection

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """Execute operations one after the other."""
        return [self._execute(op) for op in ops]

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """Execute operations one after the other, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _execute(self, op: Any) -> Any:
        validate_op_namespace(op)
        match op:
            case GetOp():
                found = self._find(op.namespace, op.key)
                return found and _item(Item, found[1])
            case PutOp():
                return self._put(op)
            case SearchOp():
                wanted = (it for it in self._records(op.query) if _fits(it, op))
                page = islice(wanted, op.offset, op.offset + op.limit)
                return [_item(SearchItem, it) for it in page]
            case ListNamespacesOp():
                return self._namespaces(op)
        raise ValueError(f"unknown operation {type(op).__name__}")

    def _put(self, op: PutOp) -> None:
        # Found first, forgotten last: if the new value is refused the former one stays.
        former = self._find(op.namespace, op.key)
        if op.value is not None:
            now = datetime.now(UTC).isoformat()
            record = {
                "item": _token(op.namespace, op.key),
                "namespace": list(op.namespace),
                # What stands behind the word "key" may be taken for a secret.
                "name": op.key,
                "value": dict(op.value),
                "created_at": former[1]["created_at"] if former else now,
                "updated_at": now,
            }
            # Only texts that may be sentences are read for statements.
            reading = "" if op.index is False else "\n".join(_texts(op.value))
            note = Note(text=json.dumps(record, ensure_ascii=False), reading=reading)
            client = self._memory.client
            kept = client.keep_notes([note], self._collection, self._memory.project)
            # The note was kept although its statement was not held: take it back, then raise.
            if list(contradicted(kept.outcomes)):
                client.forget([it.name for it in kept.lines])
            require_held(kept.outcomes)
        if former:
            self._memory.client.forget([former[0]])

    def _find(
        self, namespace: tuple[str, ...], key: str
    ) -> tuple[str, dict[str, Any]] | None:
        """Return the name of an item's line, and its record."""
        # The word stands in this item's note; a search also finds lines that are similar.
        for line in self._lines(_token(namespace, key)):
            record = _record(line)
            if record and (tuple(record["namespace"]), record["name"]) == (
                namespace,
                key,
            ):
                return line.name, record
        return None

    def _records(self, query: str | None = None) -> Iterator[dict[str, Any]]:
        for line in self._lines(query or ""):
            if record := _record(line):
                yield record

    def _lines(self, words: str) -> Iterator[MemoryLine]:
        # By session: notes of other collections are not searched.
        token = ""
        while True:
            page = self._memory.client.search(
                words,
                limit=PAGE_SIZE,
                session=self._collection,
                project=self._memory.project,
                page_token=token,
            )
            yield from page.lines
            if not (token := page.next_page_token):
                return

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        # A set, as several items have the same namespace.
        every = {tuple(it["namespace"]) for it in self._records()}
        wanted = {
            it[: op.max_depth]
            for it in every
            if all(_matches(condition, it) for condition in op.match_conditions or ())
        }
        return sorted(wanted)[op.offset : op.offset + op.limit]


def _token(namespace: tuple[str, ...], key: str) -> str:
    """Return a word that stands in the note of one item only."""
    place = json.dumps([*namespace, key]).encode()
    digits = blake2b(place, digest_size=10).hexdigest()
    # Letters alone: a word with digits may be taken for a secret.
    return digits.translate(_LETTERS)


def _record(line: MemoryLine) -> dict[str, Any] | None:
    try:
        record = json.loads(line.quote)
    except ValueError:
        return None
    # The collection may hold notes that are no items.
    known = (
        isinstance(record, dict)
        and {"item", "namespace", "name", "value"} <= record.keys()
    )
    return record if known else None


def _item(kind: type[Any], record: dict[str, Any]) -> Any:
    return kind(
        namespace=tuple(record["namespace"]),
        key=record["name"],
        value=record["value"],
        created_at=datetime.fromisoformat(record["created_at"]),
        updated_at=datetime.fromisoformat(record["updated_at"]),
    )


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts of an item that may be sentences."""
    if isinstance(value, str):
        # A single word states nothing.
        if " " in value.strip():
            yield value
    elif isinstance(value, Mapping | list | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def _fits(record: dict[str, Any], op: SearchOp) -> bool:
    prefix = tuple(record["namespace"][: len(op.namespace_prefix)])
    if prefix != op.namespace_prefix:
        return False
    value = record["value"]
    return all(_equals(value.get(key), it) for key, it in (op.filter or {}).items())


def _equals(value: Any, wanted: Any) -> bool:
    """Return whether a value is as a filter wants it."""
    if isinstance(wanted, Mapping):
        if any(key.startswith("$") for key in wanted):
            # As in LangGraph's own store, an absent value fits no comparison.
            return value is not None and all(
                _OPERATORS[key](value, it) for key, it in wanted.items()
            )
        return isinstance(value, Mapping) and all(
            _equals(value.get(key), it) for key, it in wanted.items()
        )
    return bool(value == wanted)


def _matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    path = tuple(condition.path)
    if len(path) > len(namespace):
        return False
    # The other type is `prefix`; `*` fits any label.
    suffix = condition.match_type == "suffix"
    part = namespace[len(namespace) - len(path) :] if suffix else namespace[: len(path)]
    return all(it in ("*", label) for it, label in zip(path, part, strict=True))
