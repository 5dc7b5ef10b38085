"""The store of LangGraph, beside its own store in memory."""

from __future__ import annotations

import operator
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import InvalidNamespaceError
from langgraph.store.memory import InMemoryStore

from festinger.adapters import ContradictionError
from festinger.adapters.langgraph import FestingerStore


class State(TypedDict):
    """State that goes through the graph."""

    seen: Annotated[list[str], operator.add]


ITEMS: list[tuple[tuple[str, ...], str, dict[str, Any]]] = [
    (("users", "nan"), "tea", {"text": "likes tea", "rank": 1}),
    (("users", "nan"), "late", {"text": "gets up late", "rank": 2, "tags": ["a", "b"]}),
    (("users", "bo"), "tea", {"text": "hates tea", "rank": 3, "deep": {"x": 1}}),
    (("docs", "v1", "draft"), "a", {"text": "Ünïcode 🙂 “quotes”\nand lines"}),
]


@pytest.fixture
def store(memory):
    """The store that is tested."""
    return FestingerStore(memory)


@pytest.fixture
def both(store):
    """It, and the reference, with the same items."""
    stores = store, InMemoryStore()
    for each in stores:
        for namespace, key, value in ITEMS:
            each.put(namespace, key, value, index=False)
    return stores


def plain(items):
    """Return items without their times, in an order of their own."""
    return sorted((it.namespace, it.key, repr(it.value)) for it in items)


@pytest.mark.parametrize(
    "question",
    [
        lambda it: it.get(("users", "nan"), "tea").value,
        lambda it: it.get(("docs", "v1", "draft"), "a").value,
        lambda it: it.get(("users", "nan"), "missing"),
        lambda it: it.get(("users",), "tea"),
        lambda it: plain(it.search(("users",))),
        lambda it: plain(it.search(("users", "bo"))),
        lambda it: plain(it.search(())),
        lambda it: plain(it.search(("nobody",))),
        lambda it: plain(it.search(("users",), filter={"rank": 2})),
        lambda it: plain(it.search(("users",), filter={"rank": {"$gte": 2}})),
        lambda it: plain(it.search(("users",), filter={"rank": {"$ne": 2}})),
        lambda it: plain(it.search(("users",), filter={"deep": {"x": 1}})),
        lambda it: plain(it.search(("users",), filter={"tags": ["a", "b"]})),
        lambda it: len(it.search((), limit=3)),
        lambda it: len(it.search((), limit=3, offset=3)),
        lambda it: sorted(it.list_namespaces()),
        lambda it: sorted(it.list_namespaces(prefix=("users",))),
        lambda it: sorted(it.list_namespaces(suffix=("draft",))),
        lambda it: sorted(it.list_namespaces(prefix=("*", "v1"))),
        lambda it: sorted(it.list_namespaces(max_depth=1)),
        lambda it: len(it.list_namespaces(limit=1, offset=1)),
    ],
)
def test_answers_are_those_of_the_reference(both, question):
    """Items, filters, pages and namespaces are as LangGraph's own store has them."""
    ours, reference = map(question, both)

    assert ours == reference


def test_item_is_replaced_and_deleted(store):
    """It keeps the time at which it was made."""
    store.put(("a",), "k", {"n": 1})
    first = store.get(("a",), "k")
    store.put(("a",), "k", {"n": 2})
    second = store.get(("a",), "k")

    assert second.value == {"n": 2}
    assert first.created_at == second.created_at < second.updated_at
    store.delete(("a",), "k")
    assert store.get(("a",), "k") is None
    assert store.search(("a",)) == []


async def test_operations_are_awaited(store):
    """The same without blocking, several at once."""
    await store.aput(("a",), "k", {"n": 1})

    assert (await store.aget(("a",), "k")).value == {"n": 1}
    assert [it.key for it in await store.asearch(("a",))] == ["k"]


def test_words_find_items(store):
    """A query finds what shares words with it, the best first."""
    store.put(("a",), "1", {"text": "the invoice of Kassel"})
    store.put(("a",), "2", {"text": "the invoice of Kassel is late"})
    store.put(("a",), "3", {"text": "a walk in the park"})

    found = [it.key for it in store.search(("a",), query="late invoice")]

    assert found == ["2", "1"]


def test_namespace_is_validated(store):
    """As the interface demands, in a batch as well."""
    with pytest.raises(InvalidNamespaceError):
        store.put(("a.b",), "k", {"n": 1})


def test_contradicting_item_is_refused(store, name):
    """It is not stored; the statement waits, and the item of before is still there."""
    store.put(("facts",), "1", {"text": f"{name} is a repo."})

    with pytest.raises(ContradictionError) as caught:
        store.put(("facts",), "2", {"text": f"{name} is a container."})

    assert caught.value.contradictions[0].held == f"{name} [type] repo"
    assert [it.key for it in store.search(("facts",))] == ["1"]


def test_contradicting_value_does_not_replace_the_former(store, name):
    """The item stays as it was."""
    store.put(("facts",), "1", {"text": f"{name} is a repo."})

    with pytest.raises(ContradictionError):
        store.put(("facts",), "1", {"text": f"{name} is a container."})

    assert store.get(("facts",), "1").value["text"] == f"{name} is a repo."


def test_names_of_any_form_are_kept(store):
    """Identifiers are not taken for secrets."""
    key = "34069224-795e-495e-a95e-fa14b27e5f09"

    store.put(("a", key), key, {"id": key, "kind": "note"})

    assert store.get(("a", key), key).value == {"id": key, "kind": "note"}


def test_graph_uses_the_store(store, name):
    """A node gets it from the runtime, and what it put is the shared memory's."""

    def remember(state: State, runtime: Runtime) -> State:
        assert runtime.store is not None
        runtime.store.put(("facts",), "1", {"text": f"{name} is a repo."})
        return {"seen": [it.key for it in runtime.store.search(("facts",))]}

    builder = StateGraph(State)
    builder.add_node("remember", remember)
    builder.add_edge(START, "remember")
    graph = builder.compile(store=store)

    assert graph.invoke({"seen": []}) == {"seen": ["1"]}
    (edge,) = store._memory.client.concept(name).edges
    assert edge.parent == "repo"


async def test_example_finds(example):
    """The page's example finds what it put."""
    names = await example("LangGraph")

    assert [it.value for it in names["found"]] == [{"text": "Zilpha is a database."}]


async def test_what_they_share_is_as_the_page_says(example, capsys):
    """The page's first example says what it cannot hold, and what is known."""
    await example("What they share")

    told = capsys.readouterr().out
    assert "'zilpha [type] queue', while 'zilpha [type] database' is held" in told
    assert "zilpha: [type?] database" in told
