"""Documents, and reading them in waves, for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from festinger.core.review.extractors import Extractor
from festinger.core.review.findings import (
    DocumentFindings,
    DocumentPlace,
    divide,
    sweep,
    whole_of,
)
from festinger.core.review.waves import Wave, WaveReport
from festinger.services.review.ingester import Ingester, IngestionCaller
from festinger.store.review.results import (
    DocumentVerdict,
    NewWave,
    OfferedDocument,
    OfferOutcome,
)
from festinger.store.system.pool import Pool, acquired

ALICE = IngestionCaller("default", "alice", operator=False)
OPERATOR = IngestionCaller("default", "operator", operator=True)


def swept(
    text: str, extractors: Sequence[Extractor], path: str, *, project: str = ""
) -> DocumentFindings:
    """Return what extractors find in a text, divided as the server divides it."""
    place = DocumentPlace(project, "", path)
    parts = divide(place, text.encode(), extractors).chunks
    return sweep(whole_of(place, parts), extractors)


def opening(
    root: str = "/docs", caller: IngestionCaller = ALICE, **parts: Any
) -> NewWave:
    """Return a wave of a folder, which is extracted from unless told otherwise."""
    usual = {"project": "", "scope": "", "extract": True}
    return NewWave(
        root=root,
        principal=caller.principal,
        operator=caller.operator,
        **{**usual, **parts},
    )


def offered(
    path: str, text: str | bytes, *, with_content: bool = False
) -> OfferedDocument:
    """Return a document as a client offers it."""
    data = text.encode() if isinstance(text, str) else text
    return OfferedDocument(
        path,
        sha256(data).digest(),
        len(data),
        content=data if with_content else None,
    )


async def add(
    ingester: Ingester,
    wave: Wave,
    texts: Mapping[str, str | bytes],
    caller: IngestionCaller = ALICE,
) -> dict[str, DocumentVerdict]:
    """Add documents: ask first, and send those that are wanted. Return the outcomes."""
    asked = [offered(path, text) for path, text in texts.items()]
    verdicts = dict(zip(texts, await ingester.add(caller, wave.id, asked), strict=True))
    wanted = [path for path in texts if verdicts[path].added is OfferOutcome.WANTED]
    sent = [offered(path, texts[path], with_content=True) for path in wanted]
    verdicts |= zip(wanted, await ingester.add(caller, wave.id, sent), strict=True)
    return verdicts


async def finish(
    ingester: Ingester, wave: Wave, caller: IngestionCaller = ALICE
) -> Wave:
    """Return a wave at its end."""
    async for progress in ingester.finish(caller, wave.id):
        wave = progress.wave
    return wave


async def ingest(
    ingester: Ingester, texts: Mapping[str, str | bytes], **parts: Any
) -> Wave:
    """Return a wave of these documents, from its beginning to its end."""
    wave, _ = await ingester.start(ALICE, opening(**parts))
    await add(ingester, wave, texts)
    return await finish(ingester, wave)


async def rows(pool: Pool, query: str, *arguments: Any) -> list[tuple[Any, ...]]:
    """Return the rows of the database."""
    async with acquired(pool) as connection:
        return [tuple(row) for row in await connection.fetch(query, *arguments)]


def told(wave: Wave) -> WaveReport:
    """Return the records that the extractors made of a wave."""
    assert wave.report is not None
    return wave.report


def report(tmp_path: Path, wave: Wave, name: str) -> list[Any]:
    """Return a file of a wave's report, line by line."""
    file = tmp_path / "extraction-reports" / str(wave.id) / name
    lines = file.read_text(encoding="utf-8").splitlines()
    return lines if name.endswith(".log") else [json.loads(line) for line in lines]
