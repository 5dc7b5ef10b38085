from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from festinger.core.review.waves import WaveState
from festinger.errors import InvalidArgument, PermissionDenied, WaveClosed
from festinger.services.review import wavepass
from festinger.services.review.extraction import WaveExtraction
from festinger.services.review.ingester import Ingester, IngestionCaller
from festinger.services.review.offers import offer_again
from festinger.services.review.promotion import delete
from festinger.store.review.reports import ReportFolders
from festinger.store.review.results import OfferedDocument, OfferOutcome
from festinger.workers.worker_process import WorkerProcess
from tests.documents import (
    ALICE,
    OPERATOR,
    add,
    finish,
    ingest,
    opening,
    report,
    rows,
    told,
)
from tests.waiting import becomes

STATUS = """# Status

## Decision: Use Postgres for everything that lasts

## Weather

It rains.
"""
CHUNKS = """
    select d.path, c.ordinal, c.text, c.current, c.extracted_wave_id is not null
    from chunks c join documents d on d.id = c.document_id and d.tenant = c.tenant
    order by d.path, c.ordinal, c.text
"""
RECORDS = """
    select content, status, confidence, rank, re_extraction_count, place, cycle
    from memory_records order by content
"""


def decision(number: int, *words: str) -> str:
    """Return a document with a decision that has a rank of its own."""
    return f"# About\n\n## Decision: Take the number {number} {' '.join(words)}\n"


def decisions(count: int) -> dict[str, str]:
    """As many documents with a decision each."""
    return {f"{number:03}.md": decision(number) for number in range(count)}


async def test_second_wave_reads_nothing(ingester, pool):
    """
    An unchanged document is not sent again, has no new chunk, and is not extracted
    from.
    """
    first = await ingest(ingester, {"a.md": STATUS})
    before = await rows(pool, "select * from chunks order by id")
    wave, resumed = await ingester.start(ALICE, opening())

    verdicts = await add(ingester, wave, {"a.md": STATUS})
    second = await finish(ingester, wave)

    assert (resumed, verdicts["a.md"].added) == (False, OfferOutcome.UNCHANGED)
    assert (first.tally.chunks_new, second.tally.chunks_new) == (3, 0)
    assert (second.tally.unchanged, second.tally.chunks_kept) == (1, 3)
    assert told(second).chunks == 0
    assert await rows(pool, "select * from chunks order by id") == before


async def test_changed_document_keeps_what_did_not_change(ingester, pool):
    """
    Only the part that changed is new; the one it was is no longer current, and the record
    found in it still says where.
    """
    await ingest(ingester, {"a.md": STATUS})

    wave = await ingest(
        ingester, {"a.md": STATUS.replace("Use Postgres", "Rely on Postgres")}
    )

    assert (wave.tally.chunks_new, wave.tally.chunks_kept) == (1, 2)
    assert [(row[1], row[3]) for row in await rows(pool, CHUNKS)] == [
        (0, True),
        (1, True),
        (1, False),
        (2, True),
    ]
    assert [row[0] for row in await rows(pool, RECORDS)] == [
        "Rely on Postgres for everything that lasts",
        "Use Postgres for everything that lasts",
    ]


async def test_removed_document_comes_back(ingester, pool):
    """
    A document missing in a wave is removed with its chunks; when it is there again they
    are the same, and nothing is extracted a second time.
    """
    await ingest(ingester, {"a.md": STATUS, "b.md": "Hello there"})
    removed = await ingest(ingester, {"b.md": "Hello there"})
    gone = await rows(pool, "select path, state from documents order by path")
    current = await rows(pool, "select count(*) from chunks where current")

    back = await ingest(ingester, {"a.md": STATUS, "b.md": "Hello there"})

    assert (removed.tally.removed, removed.tally.files) == (1, 1)
    assert gone == [("a.md", "removed"), ("b.md", "read")]
    assert current == [(1,)]
    assert (back.tally.removed, back.tally.chunks_new) == (0, 0)
    assert told(back).found == 0
    assert all(current and done for *_, current, done in await rows(pool, CHUNKS))


async def test_scope_leaves_what_lies_beside_it(ingester, pool):
    """A wave of a folder within the root removes nothing beside that folder."""
    await ingest(ingester, {"docs/a.md": "A", "docs2/b.md": "B", "c.md": "C"})

    wave = await ingest(ingester, {}, scope="docs")

    assert wave.tally.removed == 1
    assert await rows(
        pool, "select path from documents where state = 'read' order by path"
    ) == [("c.md",), ("docs2/b.md",)]


async def test_two_roots_may_hold_the_same(ingester, pool):
    """The same path with the same text below two roots is two documents, and one record."""
    await ingest(ingester, {"a.md": STATUS})
    wave = await ingest(ingester, {"a.md": STATUS}, root="/other")

    assert wave.tally.chunks_new == 3
    assert told(wave).duplicates == 1
    ((_, status, _, _, again, _, _),) = await rows(pool, RECORDS)
    assert (status, again) == ("candidate", 1)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"a\0b", "binary"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(1, 256)) * 4, "not utf-8"),
        ("Grüße, ünsere ältere Öfen".encode("latin-1"), "not utf-8"),
        (b"x" * (2 * 2**20 + 1), "too large"),
    ],
)
async def test_unreadable_document_is_refused(ingester, pool, data, why):
    """It says why, the others are read, and it is not asked for again."""
    texts = {"bad.md": data, "good.md": STATUS}
    wave, _ = await ingester.start(ALICE, opening())

    verdicts = await add(ingester, wave, texts)
    again = await add(ingester, wave, texts)

    assert verdicts["bad.md"].added is OfferOutcome.REFUSED
    assert why in verdicts["bad.md"].problem
    assert verdicts["good.md"].added is OfferOutcome.READ
    assert again["bad.md"] == verdicts["bad.md"]
    assert (await finish(ingester, wave)).tally.refused == 1
    assert await rows(pool, "select path from documents where problem <> ''") == [
        ("bad.md",)
    ]


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
async def test_empty_document_has_no_parts(ingester, text):
    """It is read, and there is nothing in it."""
    wave = await ingest(ingester, {"a.md": text})

    assert (wave.tally.files, wave.tally.refused, wave.tally.chunks_new) == (1, 0, 0)


async def test_too_large_is_not_even_wanted(ingester):
    """A document of 100 MB is refused by its size; what its client could not read is too."""
    wave, _ = await ingester.start(ALICE, opening())

    verdicts = await ingester.add(
        ALICE,
        wave.id,
        [
            OfferedDocument("a.md", size=10**8),
            OfferedDocument("b.md", problem="Permission denied"),
        ],
    )

    assert [each.added for each in verdicts] == [
        OfferOutcome.REFUSED,
        OfferOutcome.REFUSED,
    ]
    assert "100000000 bytes" in verdicts[0].problem
    assert verdicts[1].problem == "Permission denied"


async def test_broken_structure_is_reported(ingester, tmp_path):
    """A broken YAML file is a line of the log, and the wave goes on."""
    wave = await ingest(ingester, {"a.md": STATUS, "compose.yaml": "services: ["})

    assert wave.state is WaveState.DONE
    assert (told(wave).errors, told(wave).candidates) == (1, 1)
    (line,) = report(tmp_path, wave, "errors.log")
    assert line.startswith("compose.yaml: ")


@pytest.mark.parametrize(
    "path",
    ["", "/etc/passwd", "../a.md", "a/../../b.md", "C:\\a.md", "a//b.md", "a\0b"],
)
async def test_path_lies_within_the_root(ingester, path):
    """No path leads out of the root, by whatever name."""
    wave, _ = await ingester.start(ALICE, opening())

    with pytest.raises(InvalidArgument):
        await ingester.add(ALICE, wave.id, [OfferedDocument(path, content=b"")])


async def test_odd_names_are_names(ingester, pool):
    """Newlines, quotes and any script are kept as they are."""
    names = ["we\nird.md", "Ünïcödé ✓.md", "a'b\"c.md", "%s.md", "x" * 990 + ".md"]

    await ingest(ingester, dict.fromkeys(names, "Hello there"))

    found = await rows(pool, "select path from documents")
    assert {path for (path,) in found} == set(names)


async def test_wave_that_runs_is_gone_on_with(ingester):
    """Beginning again gives the same wave, in which nothing is read twice."""
    wave, _ = await ingester.start(ALICE, opening())
    await add(ingester, wave, {"a.md": STATUS})

    again, resumed = await ingester.start(ALICE, opening())
    verdicts = await add(ingester, again, {"a.md": STATUS, "b.md": STATUS})

    assert (again.id, resumed) == (wave.id, True)
    assert verdicts["a.md"].added is OfferOutcome.UNCHANGED
    done = await finish(ingester, again)
    assert (done.tally.files, done.tally.unchanged) == (2, 0)


async def test_another_scope_takes_its_place(ingester):
    """A wave that was left is given up when another part of the root is read."""
    left, _ = await ingester.start(ALICE, opening())

    wave, resumed = await ingester.start(ALICE, opening(scope="docs"))

    assert not resumed
    assert wave.id != left.id
    assert (await ingester.wave("default", left.id)).state is WaveState.FAILED
    with pytest.raises(WaveClosed):
        await add(ingester, left, {"a.md": STATUS})


async def test_wave_is_its_readers_own(ingester):
    """Nobody else adds to it or reads its root, but operators."""
    wave, _ = await ingester.start(ALICE, opening())
    bob = IngestionCaller("default", "bob", operator=False)

    with pytest.raises(PermissionDenied):
        await add(ingester, wave, {"a.md": STATUS}, bob)
    with pytest.raises(PermissionDenied):
        await ingester.start(bob, opening(caller=bob))
    verdicts = await add(ingester, wave, {"a.md": STATUS}, OPERATOR)
    assert verdicts["a.md"].added is OfferOutcome.READ


async def test_best_of_the_whole_wave_is_shown(ingester, pool, tmp_path, monkeypatch):
    """
    Fifty candidates of a wave of many parts: the best one is of the last part. What did
    not fit waits, and is in the report (H1).
    """
    monkeypatch.setattr(wavepass, "DOCUMENTS_MAX", 8)
    last = decision(60, "which says a lot more than any other of all of these do")

    wave = await ingest(ingester, {**decisions(60), "060.md": last})

    records = await rows(pool, RECORDS)
    shown = [row for row in records if row[1] == "candidate"]
    waiting = [row for row in records if row[1] == "overflow"]
    assert (len(shown), len(waiting)) == (50, 11)
    assert max(records, key=lambda row: row[3])[5] == "060.md"
    assert min(row[3] for row in shown) >= max(row[3] for row in waiting)
    assert (told(wave).candidates, told(wave).overflow) == (50, 11)
    assert len(report(tmp_path, wave, "candidates.ndjson")) == 50
    dropped = report(tmp_path, wave, "dropped.ndjson")
    assert {line["reason"] for line in dropped} == {"over_batch_cap"}


async def test_order_of_reading_makes_no_difference(ingester, pool, monkeypatch):
    """
    Neither to the rank of what says nearly the same, nor to how often it was found, whether
    in one part of a wave or in several.
    """
    monkeypatch.setattr(wavepass, "DOCUMENTS_MAX", 1)
    texts = [decision(1, "of the shop"), decision(2, "of the shop"), decision(1)]
    texts.append(texts[0].replace("About", "Another"))
    ranked = "select project, content, rank, re_extraction_count from memory_records"

    for project, order in (("one", texts), ("two", texts[::-1])):
        named = {f"{place}.md": text for place, text in enumerate(order)}
        await ingest(ingester, named, project=project)

    found = await rows(pool, ranked)
    one, two = (
        sorted(row[1:] for row in found if row[0] == it) for it in ("one", "two")
    )
    assert one == two
    assert sorted(again for _, _, again in one) == [0, 0, 1]


async def test_report_says_what_became_of_all(ingester, tmp_path):
    """
    A finding is a candidate or was dropped for a reason; the sums are right, and no
    part of the work is left behind.
    """
    short = "# A\n\n- [Decision] Use Go.\n"
    texts = {"a.md": STATUS, "b.md": STATUS.replace("Weather", "W"), "c.md": short}

    wave = await ingest(ingester, texts)

    summary = told(wave)
    candidates = report(tmp_path, wave, "candidates.ndjson")
    dropped = report(tmp_path, wave, "dropped.ndjson")
    assert [line["content"] for line in candidates] == [
        "Use Postgres for everything that lasts"
    ]
    assert candidates[0]["rule"] == "heading"
    assert candidates[0]["source_chunk_id"]
    assert "duplicate" in {line["reason"] for line in dropped}
    assert summary.found == len(candidates) + len(dropped)
    assert summary.found == sum(summary.rules.values())
    folder = tmp_path / "extraction-reports"
    # The parts go once the wave is told to be done.
    await becomes(lambda: [it.name for it in folder.iterdir()], [str(wave.id)])
    assert {each.name for each in (folder / str(wave.id)).iterdir()} == {
        "report.json", "candidates.ndjson", "dropped.ndjson", "errors.log",
    }  # fmt: skip


async def test_reports_are_not_for_others(ingester, tmp_path):
    """They quote documents, and some data directories can be entered by everybody."""
    await ingest(ingester, {"a.md": STATUS})

    assert (tmp_path / "extraction-reports").stat().st_mode & 0o077 == 0


async def test_wave_is_done_without_its_report(ingester, tmp_path):
    """If no report can be written, the findings are counted all the same."""
    (tmp_path / "extraction-reports").write_text("no folder")

    wave = await ingest(ingester, {"a.md": STATUS})

    assert wave.state is WaveState.DONE
    assert (told(wave).candidates, told(wave).path) == (1, "")


async def test_what_was_not_extracted_is_next_time(ingester):
    """A wave without extraction leaves it to the next one that sees the same documents."""
    first = await ingest(ingester, {"a.md": STATUS}, extract=False)

    second = await ingest(ingester, {"a.md": STATUS})

    assert (first.state, first.report) == (WaveState.DONE, None)
    assert second.tally.chunks_new == 0
    assert told(second).candidates == 1


async def test_extracting_again_counts(ingester, pool, clock, tmp_path):
    """
    By hand everything is read again; what was there is counted as found again, and stays
    in the report as the candidate that it is.
    """
    wave = await ingest(ingester, {"a.md": STATUS})
    clock.now += 60

    async for progress in ingester.extract("default", wave.id):
        wave = progress.wave

    assert wave.state is WaveState.DONE
    assert (told(wave).chunks, told(wave).candidates) == (3, 1)
    ((_, status, _, _, again, _, _),) = await rows(pool, RECORDS)
    assert (status, again) == ("candidate", 1)
    (line,) = report(tmp_path, wave, "candidates.ndjson")
    assert line["content"] in (await rows(pool, RECORDS))[0]
    assert report(tmp_path, wave, "dropped.ndjson") == []


async def test_a_source_is_read_again_as_its_wave_read_it(
    ingester, memory, reader, pool
):
    """By the same process, which knows the same words: what was deleted comes back as it was."""
    said = "gnommoweb is a repo.\n\nplinth is hosted by hetzner.\n"
    await ingest(ingester, {"a.md": said})
    before = [row[:3] for row in await rows(pool, RECORDS)]
    await memory.writer.submit(delete(2, principal="bob"))

    await offer_again(memory, reader, 1, principal="bob")

    assert len(before) == 2
    assert [row[:3] for row in await rows(pool, RECORDS)] == before


async def test_documents_come_first(ingester):
    """A wave that still reads cannot be extracted from by hand."""
    wave, _ = await ingester.start(ALICE, opening())

    with pytest.raises(WaveClosed):
        await anext(ingester.extract("default", wave.id))


class Stuck:
    """A reader that waits for ever at its second sweep."""

    def __init__(self, reader):
        self._reader = reader
        self._left = 1
        self.reached = asyncio.Event()

    def __getattr__(self, name):
        return getattr(self._reader, name)

    async def sweep(self, documents):
        """Sweep, once."""
        if self._left:
            self._left -= 1
            return await self._reader.sweep(documents)
        self.reached.set()
        await asyncio.Event().wait()


async def test_extraction_goes_on_where_it_was(
    ingester, memories, store, reader, clock, pool, tmp_path, monkeypatch
):
    """
    Whoever looks next goes on with what was left in the middle: the same rows, and the
    same report, as if nothing had happened.
    """
    monkeypatch.setattr(wavepass, "DOCUMENTS_MAX", 8)
    texts = decisions(30) | {"zz.md": decision(3)}
    await store.add_tenant("calm")
    calm = replace(ALICE, tenant="calm")
    wave, _ = await ingester.start(calm, opening())
    await add(ingester, wave, texts, calm)
    undisturbed = await finish(ingester, wave, calm)
    stuck = Stuck(reader)
    left = WaveExtraction(
        memories,
        store.documents,
        store.sweeps,
        stuck,
        ReportFolders(tmp_path),
        now=clock,
    )
    wave, _ = await ingester.start(ALICE, opening())
    await add(ingester, wave, texts)
    await store.documents.finish("default", wave.id, clock())
    await left.look()
    await stuck.reached.wait()
    await left.stop()

    await ingester.extraction.look()
    await ingester.extraction.finished()

    done = await ingester.wave("default", wave.id)
    assert done.state is WaveState.DONE
    assert replace(told(done), path="") == replace(told(undisturbed), path="")
    of = RECORDS.replace("order by", "where tenant = $1 order by")
    assert await rows(pool, of, "default") == await rows(pool, of, "calm")


class Meanwhile:
    """A reader that lets a test do something before its first sweep is told."""

    def __init__(self, reader, act):
        self._reader = reader
        self._acts = [act]

    def __getattr__(self, name):
        return getattr(self._reader, name)

    async def sweep(self, documents):
        """Sweep, and then let the test do it."""
        swept = await self._reader.sweep(documents)
        if self._acts:
            await self._acts.pop()()
        return swept


async def test_what_comes_while_a_wave_is_extracted_is_not_passed_over(
    ingester, memories, store, reader, clock, pool, tmp_path
):
    """
    Another wave writes a part anew while the old one is swept: the new one is still to be
    extracted from.
    """
    wave, _ = await ingester.start(ALICE, opening())
    await add(ingester, wave, {"a.md": STATUS})
    await store.documents.finish("default", wave.id, clock())

    async def rewrite():
        later, _ = await ingester.start(ALICE, opening())
        text = STATUS.replace("Use Postgres", "Rely on Postgres")
        await add(ingester, later, {"a.md": text})

    first = WaveExtraction(
        memories,
        store.documents,
        store.sweeps,
        Meanwhile(reader, rewrite),
        ReportFolders(tmp_path),
        now=clock,
    )
    await first.look()
    await first.finished()

    later, resumed = await ingester.start(ALICE, opening())
    later = await finish(ingester, later)

    assert resumed
    assert told(later).chunks == 1
    assert [row[0] for row in await rows(pool, RECORDS)] == [
        "Rely on Postgres for everything that lasts",
        "Use Postgres for everything that lasts",
    ]


@pytest.mark.parametrize("what", ["away", "answers_lost"])
async def test_extraction_outlives_the_database(
    ingester, unreliable, clock, pool, what
):
    """
    While the database is away, or answers nothing to a commit, the wave waits; then it is
    done, and nothing is there twice.
    """
    wave, _ = await ingester.start(ALICE, opening())
    await add(ingester, wave, decisions(3))
    await ingester.documents.finish("default", wave.id, clock())
    setattr(unreliable, what, 1)
    await ingester.extraction.look()
    await ingester.extraction.finished()
    left = await ingester.wave("default", wave.id)
    unreliable.away = False

    await ingester.extraction.look()
    await ingester.extraction.finished()

    assert left.state is WaveState.EXTRACTING
    done = await ingester.wave("default", wave.id)
    assert done.state is WaveState.DONE
    assert told(done).candidates == 3
    assert [row[4] for row in await rows(pool, RECORDS)] == [0, 0, 0]


async def test_defect_of_an_extractor_ends_its_document(ingester, store, clock):
    """A document over which the reading process ends is refused; the next one is read."""
    reader = WorkerProcess(seconds_max=0.3)
    hard = "some words are here. And more of it\n\n" * 50_000
    ingester = Ingester(store.documents, reader, ingester.extraction, now=clock)
    try:
        wave, _ = await ingester.start(ALICE, opening())
        verdicts = await add(ingester, wave, {"a.md": hard, "b.md": STATUS})
    finally:
        reader.close()

    assert "too long" in verdicts["a.md"].problem
    assert verdicts["b.md"].added is OfferOutcome.READ
