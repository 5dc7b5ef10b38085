"""The page of the shim's HTTP paths: what it enriches, answers itself, and the console."""

from __future__ import annotations

import ast
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from festinger import console
from festinger.console import facade
from festinger.console.context import PathRoute
from festinger.console.openapi import described
from festinger.shim.wire import ROUTES
from tools.reference.markdown import cell, table

SHIM: Final = Path(__file__).parents[2] / "festinger" / "shim"
_SAYS_PATH: Final = re.compile(r"((?:GET|POST|DELETE)[^:]* /[^:]*): (.+)", re.DOTALL)

_HEAD: Final = """# HTTP

The shim listens on `shim.address`, 127.0.0.1:11435 by default. Before any path may stand
who asks and where: `/as/alice/in/shop/api/chat`. What is not on this page is forwarded to
Ollama as it is.

This page is generated from the routes; the JSON paths are described for programs, with
their bodies, at `/openapi.json`.
"""
_HEADERS: Final = """| `GET /facts?q=&project=&about=&by=&kind=&since=&limit=` | lines that are known, as JSON |
| `POST /facts {"text": …}` | keep a sentence; answers how it was understood, and what was not kept |
| `DELETE /facts?name=` (or `by=`, `project=`, `session=`, `phrase=`; `preview=1`) | forget; people their own words, operators anybody's |
| `GET /festinger/why?prompt=TEXT` | what that prompt would be told, each line with its score, and the runners-up |

A line is an object with `kind` (`statement` or `memory`), `text` as told, `quote`, `by`,
`project`, `session`, `status` (`active`, `candidate`, `closed`), `subject`, `predicate`,
`value` and `since`; `festinger export --format jsonl` writes the same.

## Headers

| request | |
|---|---|
| `Authorization: Bearer TOKEN` | who asks: a [token](../how-to/security.md) |
| `X-Festinger-Subject: NAME` | whose conversation it is; it is kept for them |
| `X-Festinger-Project: NAME` | where they work |
| `X-Festinger: off` | this request is left alone |
| `X-Festinger-Loops: off` | … and not watched for repetitions; `no-near` and the like switch a rule off |

| answer | |
|---|---|
| `X-Festinger-Recollection` | what became of the prompt: `full`, `replay`, `none`, `skipped:WHY` |
| `X-Festinger-Session` | the conversation's name, for `/festinger/why/SESSION` |
| `X-Festinger-Loop` | what was done about an agent that repeats itself |
"""


def routes_page() -> str:
    """Return the page."""
    documents = dict(_documented())
    enriched = [
        (f"`POST {it}`", cell(documents.get(f"POST {it}", ""))) for it in ROUTES
    ]
    own = [
        (f"`{path}`", cell(text))
        for path, text in sorted(documents.items(), key=lambda it: it[0].split()[-1])
        if path.removeprefix("POST ") not in ROUTES
    ]
    parts = [
        _HEAD,
        "## Prompts, which are enriched\n",
        table(("path", "where the prompt stands"), enriched),
        "## The shim's own paths\n",
        table(("path", "what it does"), own) + _HEADERS,
        "## JSON for operators, bots and agents\n",
        "`?tenant=NAME` names another memory than the shim's own.\n",
        table(("path", "who may", "what it does", "call"), _json()),
        "## Pages of the console\n",
        table(("path", "what it does"), _pages()),
    ]
    return "\n".join(parts)


def _documented() -> Iterator[tuple[str, str]]:
    """Yield paths and what they do, from the modules of the shim that begin with one."""
    for file in sorted(SHIM.rglob("*.py")):
        text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        says = _SAYS_PATH.match(text.partition("\n\n")[0])
        if says:
            yield says[1], says[2]


def _json() -> Iterator[tuple[str, str, str, str]]:
    document: Any = described(facade.TABLE)
    for path, operations in document["paths"].items():
        for method, told in operations.items():
            security = told.get("security", document["security"])
            call = told.get("description", "").removeprefix("The call ").rstrip(".")
            yield (
                f"`{method.upper()} {path}`",
                _audience(security),
                cell(told["summary"]),
                call,
            )


def _audience(security: Any) -> str:
    if {} in security:
        return "anybody"
    return "bots, operators" if len(security) > 1 else "operators"


def _pages() -> Iterator[tuple[str, str]]:
    for route in sorted(_console_routes(), key=lambda it: (it.path, it.method)):
        if not route.json and route.path.startswith("/admin"):
            text = (route.handler.__doc__ or "").strip().partition("\n")[0]
            yield f"`{route.method} {route.path}`", cell(text)


def _console_routes() -> Iterator[PathRoute]:
    """Yield the routes of all modules of the console."""
    for found in pkgutil.walk_packages(console.__path__, f"{console.__name__}."):
        yield from getattr(import_module(found.name), "ROUTES", ())
