from __future__ import annotations

import pytest

from festinger.store.embedded import cluster, processes, waiting
from festinger.store.embedded.waiting import ServerWatch
from tests.store.embedded.clusters import place_of

SERVER = 4711


@pytest.fixture
def ended(monkeypatch):
    """The processes that were made to quit; time does not count."""
    pids: list[int] = []
    monkeypatch.setattr(processes, "end_at_once", pids.extend)
    monkeypatch.setattr(processes, "is_postmaster", lambda pid, name: pid == SERVER)
    monkeypatch.setattr(cluster, "postmaster", lambda place: None)
    monkeypatch.setattr(waiting, "PROGRESS_SECONDS", 0)
    monkeypatch.setattr(waiting, "STARTLESS_SECONDS", 0)
    return pids


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (["checkpointer", "background writer", "io worker 0"], [SERVER]),
        (["checkpointer", "background writer", "startup recovering 0000"], []),
        (["checkpointer", "background writer", "walwriter"], []),
        (["checkpointer", "io worker 0"], []),
    ],
    ids=["between", "recovering", "running", "stopping"],
)
def test_server_that_nobody_starts_is_ended(
    empty, monkeypatch, ended, others, expected
):
    """A server that waits for its startup process, which is gone, is made to quit."""
    titles = {SERVER: ["postgres", "-D", "postgres"]}
    titles |= {pid: [f"postgres: name: {it}"] for pid, it in enumerate(others)}
    monkeypatch.setattr(processes, "of_server", lambda name: list(titles))
    monkeypatch.setattr(processes, "arguments", titles.__getitem__)

    ServerWatch(place_of(empty), alone=True).look()

    assert ended == expected
