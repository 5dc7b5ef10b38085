from __future__ import annotations

import sys

import pytest

from festinger.core.memories.types import MemoryType
from festinger.core.review.chunks import chunks
from festinger.core.review.extractors import (
    FOUND_CHARACTERS_MAX,
    FOUND_MAX,
    GROUP,
    ExtractionSource,
    ExtractorFinding,
    attempt,
    builtin,
    further,
)
from festinger.core.review.findings import (
    DocumentPlace,
    StoredChunk,
    StoredDocument,
    sweep,
    whole_of,
)
from festinger.errors import UnreadableFile
from tests.documents import swept

PLUGIN = '''
from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import ExtractorFinding

EXTRACTOR_VERSION = "1.2.3"


class Shouting:
    """Finds what is shouted."""

    name, version, whole = "shouting", EXTRACTOR_VERSION, False

    def wants(self, path):
        return path.endswith(".md")

    def extract(self, source):
        at = source.text.find("HEAR")
        if at < 0:
            return []
        span = at, len(source.text)
        return [ExtractorFinding(MemoryType.REQUIREMENT, "Hear ye all", "shout", 0.4, span)]


ready = Shouting()


class Nameless:
    version, whole = "1", False

    def wants(self, path): ...
    def extract(self, source): ...


class Leaving:
    def __init__(self):
        raise SystemExit(3)
'''
POINTS = f"""\
[{GROUP}]
a-class = speaking_trumpet:Shouting
absent = speaking_trumpet:Absent
an-object = speaking_trumpet:ready
leaving = speaking_trumpet:Leaving
missing = no_such_module:Extractor
nameless = speaking_trumpet:Nameless
"""

DOCUMENT = """\
# Shop

We decided to use Postgres.

## Decision: No SQLite here

Really.
"""


@pytest.fixture
def plugged_in(tmp_path, monkeypatch):
    """A package with extractors, of which only two are good, is installed."""
    (tmp_path / "speaking_trumpet.py").write_text(PLUGIN)
    info = tmp_path / "speaking_trumpet-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: speaking-trumpet\nVersion: 1.0\n"
    )
    (info / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("speaking_trumpet", None)


class Saying:
    """An extractor that finds what it is told to, or fails."""

    name, version, whole = "saying", "0.0.1", False

    def __init__(self, *found, error=None):
        self.found = found
        self.error = error

    def wants(self, path):
        """It reads everything."""
        return True

    def extract(self, source):
        """Return what the test gave it."""
        if self.error:
            raise self.error
        return self.found


def found(
    content="Use Postgres", prior=0.5, span=(0, 3), fact="", type=MemoryType.DECISION
):
    """Return a finding."""
    return ExtractorFinding(type, content, "rule", prior, span, fact)


def test_a_package_brings_its_extractors(plugged_in):
    """A class is called, an object is taken as it is, and both read like the others."""
    working, _ = further()

    assert [extractor.name for extractor in working] == ["shouting", "shouting"]
    assert {extractor.version for extractor in working} == {"1.2.3"}
    found = swept("HEAR ye!", [*builtin(), working[0]], "a.md").found
    assert [it.found.content for it in found] == ["Hear ye all"]


def test_broken_extractors_are_told_of(plugged_in):
    """
    An extractor that cannot be imported, made or used is named with its reason; nothing
    ends.
    """
    _, broken = further()

    reasons = {each.name: each.reason for each in broken}
    assert set(reasons) == {"absent", "leaving", "missing", "nameless"}
    assert "no_such_module" in reasons["missing"]
    assert reasons["nameless"] == "it has no name"


def test_without_packages_there_are_none():
    """Nothing is plugged in by itself."""
    assert further() == ((), ())


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UnreadableFile("no YAML", 7), "saying: line 7: no YAML"),
        (ZeroDivisionError("by zero"), "saying failed: ZeroDivisionError: by zero"),
        (RecursionError("too deep"), "saying failed: RecursionError: too deep"),
    ],
)
def test_a_failing_extractor_is_a_value(error, said):
    """Whatever an extractor raises, the others go on."""
    assert attempt(Saying(error=error), ExtractionSource("abc")).error == said


@pytest.mark.parametrize(
    "wrong",
    [
        found(span=(0, 4)),
        found(span=(-1, 2)),
        found(span=(2, 1)),
        found(prior=1.5),
        found(content=" "),
        found(content="x" * (FOUND_CHARACTERS_MAX + 1)),
        found(fact="not a fact"),
        found(type="song"),
    ],
)
def test_promises_are_checked(wrong):
    """A finding that breaks its promises is left out and told of, the others are kept."""
    reading = attempt(Saying(found(), wrong), ExtractionSource("abc"))

    assert reading.found == (found(),)
    assert reading.error.startswith("saying: ")


def test_an_extractor_may_find_so_much():
    """An extractor that finds something everywhere reads nothing."""
    reading = attempt(Saying(*[found()] * (FOUND_MAX + 1)), ExtractionSource("abc"))

    assert len(reading.found) == FOUND_MAX
    assert "1 findings beyond" in reading.error


def test_a_document_is_read_by_all():
    """Each finding has its chunk and its place in there."""
    parts = chunks(DOCUMENT, project="shop", path="a.md")
    reading = sweep(whole_of(DocumentPlace("shop", "", "a.md"), parts), builtin())

    by_id = {it.id: it for it in parts}
    told = {
        (
            it.extractor,
            it.found.content,
            by_id[it.chunk_id].text[slice(*it.found.span)],
            by_id[it.chunk_id].headings,
        )
        for it in reading.found
    }
    assert told == {
        (
            "sentences",
            "We decided to use Postgres",
            "We decided to use Postgres.",
            ("Shop",),
        ),
        (
            "headings",
            "No SQLite here",
            "## Decision: No SQLite here",
            ("Shop", "Decision: No SQLite here"),
        ),
    }
    assert reading.errors == []


@pytest.mark.parametrize("fresh", [True, False])
def test_only_new_chunks_are_read(fresh):
    """A wave sweeps what it added."""
    old, new = chunks(DOCUMENT, path="a.md")
    stored = [
        StoredChunk(old.id, old.headings, old.text, fresh=False),
        StoredChunk(new.id, new.headings, new.text, fresh=fresh),
    ]

    found = sweep(StoredDocument(1, "a.md", "", None, stored), builtin()).found

    assert [it.found.content for it in found] == ["No SQLite here"] * fresh


def test_a_whole_file_is_placed_in_its_chunks():
    """A finding in a long file stands in the chunk where it begins."""
    services = "".join(f"  web{at}:\n    image: nginx:{at}\n" for at in range(600))
    parts = chunks(f"services:\n{services}", path="compose.yaml")
    stored = whole_of(DocumentPlace("", "", "compose.yaml"), parts)

    reading = sweep(stored, builtin())

    by_id = {it.id: it for it in parts}
    assert len({it.chunk_id for it in reading.found}) > 1
    for each in reading.found:
        text = by_id[each.chunk_id].text[slice(*each.found.span)]
        assert text.split(":")[0].strip() == each.found.content.split()[0]
    assert "beyond" in reading.errors[0]


def test_an_error_is_told_once():
    """An extractor that fails in every chunk fails once."""
    failing = Saying(error=ZeroDivisionError())

    reading = sweep(
        whole_of(DocumentPlace("", "", "a.md"), chunks(DOCUMENT)), [failing]
    )

    assert len(reading.errors) == 1
