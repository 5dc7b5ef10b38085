"""A plug-in for the official client's own tests: its server is reached through the shim.

Runs in an environment of its own and imports nothing of ours. The shim stands before
the port that `PYTEST_HTTPSERVER_PORT` names; where it listens, `FESTINGER_SHIM_URL` says.
"""

from __future__ import annotations

import os

import pytest
from pytest_httpserver import HTTPServer  # type: ignore[import-not-found]


@pytest.fixture(autouse=True)
def _through_shim(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients are given the shim's address in place of the server's."""
    shim = os.environ["FESTINGER_SHIM_URL"]
    monkeypatch.setattr(HTTPServer, "url_for", lambda _, suffix: shim + suffix)
