"""The reference of the documentation tells all that there is, and pages lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from festinger import config
from festinger.cli.commands import COMMANDS
from festinger.console import facade
from festinger.core.system.preferences import explanations
from festinger.shim.wire import ROUTES
from tools.reference.__main__ import write

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\]\(([^)#:]+)(?:#[\w-]+)?\)")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The pages of the site, as `make docs` puts them together."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    write(folder)
    return folder


def reference(site, page):
    """Return a page of the reference."""
    return (site / "reference" / page).read_text(encoding="utf-8")


def test_every_setting_is_told(site):
    """Of the configuration file, and of a memory."""
    page = reference(site, "settings.md")
    keys = [each.key for each in config.values(config.Settings())]
    missing = [key for key in keys if f"`{key[-1]}`" not in page]
    sections = {key[:-1] for key in keys if key[:-1]}

    assert missing == []
    assert [it for it in sections if f"`{'.'.join(it)}`" not in page] == []
    assert [it for it in explanations() if f"`{it}`" not in page] == []


def test_every_command_is_told(site):
    """With its room."""
    page = reference(site, "commands.md")
    names = [
        " ".join(filter(None, ("festinger", room, name)))
        for room, commands in COMMANDS.items()
        for name in commands
    ]

    assert [it for it in names if f"### {it}\n" not in page] == []


def test_every_path_is_told(site):
    """Every path is told: whether it is enriched, and whether it answers JSON."""
    page = reference(site, "http.md")
    paths = [f"`POST {it}`" for it in ROUTES]
    paths += [f"`{it.method} {it.path}`" for it in facade.TABLE]

    assert [it for it in paths if it not in page] == []


def test_every_call_is_told(site):
    """On the page of its service's file."""
    for proto in (ROOT / "proto" / "festinger" / "api" / "v1").glob("*.proto"):
        page = reference(site, f"grpc/{proto.stem}.md")
        calls = re.findall(r"^  rpc (\w+)\(", proto.read_text(), re.MULTILINE)
        assert [it for it in calls if f"### {it}\n" not in page] == []


def test_pages_of_the_site_lead_somewhere(site):
    """Each link is to a file of the site; anchors are checked by `make docs`."""
    broken = [
        f"{page.relative_to(site)}: {link}"
        for page in site.rglob("*.md")
        for link in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]

    assert broken == []


def test_navigation_names_pages_that_are_there(site):
    """And every page that was written by hand."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r": ([\w/-]+\.md)$", text, re.MULTILINE))
    written = {
        str(it.relative_to(ROOT / "docs")) for it in (ROOT / "docs").rglob("*.md")
    }

    assert {it for it in named if not (site / it).exists()} == set()
    assert written - named == set()
