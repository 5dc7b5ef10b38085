"""Cost of all that a prompt needs, against reading it alone.

Reading is to tokenise, look up and count. All is that, and to find what the prompt
states, to choose what is told of its concepts, to ask about the unknown, and to write
the block. Both read the same texts in turns in one process, in the processor's time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import thread_time

from benchmarks import texts
from benchmarks.core import TURN, in_turns
from benchmarks.rates import read_by
from benchmarks.report import Part, Row, Samples, timed
from benchmarks.worlds import MANY, NOW, STATEMENTS, Prompts, renewed, world_of
from festinger import _fast
from festinger.core.language.cues import find_cues
from festinger.core.recollection.concepts import recollect, render
from festinger.core.system.preferences import Preferences
from festinger.core.world.world import World

CHARACTERS = 32 * 1024
STAGES = {
    "read": "tokenise, look up, count",
    "cues": "find statements",
    "choice": "edges, choice, lines",
    "hints": "unknown names worth a question",
    "block": "block",
}
_THRESHOLD = Preferences().saliency_read_threshold
_TELLING = Preferences()
_NOT_ASKING = replace(_TELLING, hints_per_block=0)


@dataclass
class Case:
    """Texts, the memory that reads them, and what each stage took."""

    key: str
    what: str
    world: World
    texts: Sequence[str]
    spent: dict[str, list[float]] = field(
        default_factory=lambda: {stage: [] for stage in STAGES}
    )

    def read(self, text: str) -> tuple[_fast.Scan, Sequence[int]]:
        """Tokenise, looks up and count; tell what matters."""
        scan = _fast.scan(text)
        vocabulary = self.world.vocabulary
        reading = vocabulary.read(scan, now=NOW, threshold=_THRESHOLD, count=True)
        return scan, reading.salient

    def tell(self, text: str) -> str:
        """Return all that a prompt needs; the block."""
        scan, salient = self.read(text)
        find_cues(scan, self.world)
        lines = recollect(self.world, salient, [scan], preferences=_TELLING, now=NOW)
        return render(lines)

    def stages(self, text: str) -> None:
        """The same once more, and what each stage of it took."""
        world, times = self.world, [thread_time()]
        scan, salient = self.read(text)
        times.append(thread_time())
        find_cues(scan, world)
        times.append(thread_time())
        recollect(world, salient, [scan], preferences=_NOT_ASKING, now=NOW)
        times.append(thread_time())
        lines = recollect(world, salient, [scan], preferences=_TELLING, now=NOW)
        times.append(thread_time())
        render(lines)
        times.append(thread_time())
        laps = dict(zip(STAGES, map(float.__sub__, times[1:], times), strict=True))
        # The lines were made twice; what is more with questions is the questions.
        laps["hints"] = max(0.0, laps["hints"] - laps["choice"])
        for stage, lap in laps.items():
            self.spent[stage].append(lap)


def measure(
    quick: bool = False,
    *,
    concepts: int | None = None,
    rounds: int | None = None,
    prompts: int | None = None,
) -> list[Part]:
    """Measure prose, many statements, and real texts."""
    count = concepts or (100_000 if quick else 1_000_000)
    rows: list[Row] = []
    for case in _cases(count, prompts or (TURN if quick else 2 * TURN)):
        rows += _rows(case, rounds or (6 if quick else 40))
    return [
        Part(
            f"Full: all that a 32 KB prompt needs, to reading it ({count:,} concepts)",
            "In one process and in turns, without gRPC. The real texts are the "
            "descriptions of installed packages and Python's docstrings; their memory "
            "knows just their words.",
            rows,
        )
    ]


def _cases(concepts: int, prompts: int) -> list[Case]:
    world = world_of(concepts)
    cases = []
    for key, what, statements in (
        ("full", f"{STATEMENTS:g} statements", STATEMENTS),
        ("full.many", f"{MANY:g} statements", MANY),
    ):
        source = Prompts(concepts, statements=statements)
        made = [renewed(source.text(CHARACTERS), n) for n in range(prompts)]
        cases.append(Case(key, what, world, made))
    real = texts.pieces(CHARACTERS, prompts)
    cases.append(Case("full.real", "real texts", read_by(real), real))
    return cases


def _rows(case: Case, rounds: int) -> list[Row]:
    readers = {"read": case.read, "all": case.tell, "stages": case.stages}
    spent = in_turns(readers, case.texts, rounds)
    peer = ("reading alone", spent["read"])
    # The one of the prose is the figure that is promised.
    ratio = case.key.replace("full", "full_vs_lookup", 1)
    return [
        timed(f"{case.key}.all", f"{case.what}: all", spent["all"], peer),
        Row(ratio, "  all to reading alone", spent["all"].ratio(spent["read"]), "x"),
        timed(f"{case.key}.lookup", "  reading alone", spent["read"]),
        *(
            timed(f"{case.key}.{stage}", f"  … {what}", Samples(laps), peer)
            for (stage, what), laps in zip(
                STAGES.items(), case.spent.values(), strict=True
            )
        ),
    ]
