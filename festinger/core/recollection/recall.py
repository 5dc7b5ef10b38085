"""Recall the earlier utterances and facts that fit a prompt."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from festinger import _fast
from festinger.core.language.audience import may_hear
from festinger.core.language.marks import SentenceMark
from festinger.core.language.terms import terms
from festinger.core.language.utterances import utterances_of
from festinger.core.lines.index import (
    IndexedLine,
    LineIndex,
    LineKind,
)
from festinger.core.lines.quotes import word
from festinger.core.lines.turns import digest_of
from festinger.core.recollection import gate
from festinger.core.recollection.choosing import (
    ChosenLine,
    Rejected,
    choose,
    tokens_of,
)
from festinger.core.recollection.disputes import disputed_again, is_dispute
from festinger.core.recollection.facts import Wording, choose_facts, untold
from festinger.core.recollection.names import NoteName, Quote, place_of
from festinger.core.recollection.overlap import (
    StatementOverlap,
    held_instead,
    settle,
    why_unsayable,
)
from festinger.core.recollection.query import read_query
from festinger.core.recollection.replacement import PromptChanges
from festinger.core.recollection.scoring import Scored, score
from festinger.core.recollection.succession import successor_of
from festinger.core.recollection.weighing import Weighing, shipped

PROMPT_CHARACTERS_MAX: Final = 16_000
"""Number of characters at the end of the newest message that are read."""
STATED_WORDS_MAX: Final = 8
"""Number of words from which a sentence is never redundant to a fact."""
REWRITE_FROM: Final = 0.5
"""Minimum probability that a later sentence changes a quote that was told. More than for
a quote that is told anew: rewriting an earlier message costs the model's prefix cache."""
_DIMENSION: Final = re.compile(r"\[[^]]*\]")


class RecallRequest(NamedTuple):
    """A prompt for which lines are recalled.

    Attributes:
        prompt: Newest message.
        earlier: Its speaker's earlier messages in this conversation, newest first.
        asker: Principal whose prompt it is.
        project: Project of the prompt; empty for none.
        present: Digests of the turns in the request (`digest_of`).
        told: Names of quotes that the request keeps (`Quote.name`).
        stated: Lines rendered anyway; utterances redundant to them are left out.
    """

    prompt: str
    earlier: Sequence[str] = ()
    asker: str = ""
    project: str = ""
    present: Collection[bytes] = frozenset()
    told: Collection[str] = ()
    stated: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Recalled:
    """Recalled lines, and rejected ones.

    Attributes:
        lines: Lines in the order of the block: statements by name, quotes by time,
            memories about the asker.
        choices: Sources of the lines, likeliest first.
        rejected: Candidate lines that are not recalled.
        openness: Probability that the prompt needs this memory.
        threshold: Minimum openness for which anything is recalled.
    """

    lines: Sequence[_fast.Line] = ()
    choices: Sequence[ChosenLine] = ()
    rejected: Sequence[Rejected] = ()
    openness: float = 0.0
    threshold: float = 0.0


def recall(
    index: LineIndex,
    asked: RecallRequest,
    *,
    dictionary: Collection[str],
    tokens: int,
    now: float,
    worded: Wording = untold,
    weighing: Weighing | None = None,
) -> Recalled:
    """Return the lines that are recalled because they fit a prompt.

    Args:
        index: The index.
        asked: The prompt.
        dictionary: Everyday words.
        tokens: Token budget; 0 for no lines.
        now: Seconds since the epoch.
        worded: Renderer of statements and memories.
        weighing: Weights; None for the built-in ones.
    """
    weighing = weighing or shipped()
    if not tokens or not len(index):
        return Recalled()
    prompt = asked.prompt[-PROMPT_CHARACTERS_MAX:]
    query = read_query(
        index,
        prompt,
        asked.earlier,
        asker=asked.asker,
        project=asked.project,
        dictionary=dictionary,
    )
    found = score(index, query, weighing)
    openness = gate.openness(index, query, found, weighing.gate)
    threshold = weighing.open_from
    if openness < threshold:
        rejected = [Rejected(each, "quiet") for each in found]
        return Recalled((), (), rejected, openness, threshold)
    found, unsayable = settle(index, found)
    withheld = _Withheld(index, asked)
    facts, left_out = choose_facts(
        found, worded, weighing, tokens=tokens, withheld=withheld
    )
    withheld.state(line.text for _, line in facts)
    choices, others = choose(
        index,
        [each for each in found if not each.line.is_fact],
        weighing,
        tokens=tokens - sum(tokens_of(line.text) for _, line in facts),
        withheld=withheld,
        replaced=PromptChanges(index, prompt, weighing).replace,
        beside=StatementOverlap(index),
    )
    quotes = [_quote(index, choice, asked, now) for choice in choices]
    stated = [line._replace(why=why(choice.found)) for choice, line in facts]
    told = _in_order(stated, quotes)
    choices = [*(choice for choice, _ in facts), *choices]
    rejected = sorted(
        [*unsayable, *left_out, *others],
        key=lambda it: it.found.probability,
        reverse=True,
    )
    return Recalled(told, choices, rejected, openness, threshold)


def _quote(
    index: LineIndex, choice: ChosenLine, asked: RecallRequest, now: float
) -> _fast.Line:
    text = word(
        choice.lines, choice.later, asker=asked.asker, project=asked.project, now=now
    )
    name = _name_of(choice, index.newest_turn)
    return _fast.Line(name, text, _fast.Kind.QUOTE, why(choice.found))


def _in_order(
    stated: Iterable[_fast.Line], quotes: Iterable[_fast.Line]
) -> list[_fast.Line]:
    """Return the lines in the order of the block: facts, quotes by time, memories."""
    facts = sorted(stated)
    return [
        *(line for line in facts if line.kind is not _fast.Kind.MEMORY),
        *sorted(quotes, key=lambda line: place_of(line.concept)),
        *(line for line in facts if line.kind is _fast.Kind.MEMORY),
    ]


def told_again(
    index: LineIndex, name: str, *, asker: str, project: str, now: float
) -> tuple[bool, _fast.Line | None]:
    """Return whether a quote in a prompt still holds, and else the line in its place.

    It holds until a sentence of it is forgotten, or a later one changes it.

    Args:
        index: The index.
        name: Name of the quote (`Quote.name`).
        asker: Principal whose prompt contains it.
        project: Project of that prompt.
        now: Seconds since the epoch.
    """
    quote = Quote.from_name(name)
    if quote is None:
        return _noted_again(index, name, asker=asker, project=project, now=now)
    kept = [
        it
        for it in index.lines_of(LineKind.UTTERANCE, quote.turn)
        if it.ordinal in quote.ordinals
    ]
    people = frozenset(index.speakers)
    lines = [it for it in kept if not why_unsayable(index, it)]
    if kept and not lines:
        instead = next((it for each in kept for it in held_instead(index, each)), None)
        if instead is None or is_kept_from(instead, asker, people):
            return False, None
        return False, _noted(instead, asker, project, now)
    if not lines or any(is_kept_from(it, asker, people) for it in lines):
        return False, None
    is_whole = len(lines) == len(quote.ordinals)
    if not is_whole:
        lines = [
            it for at, it in enumerate(lines) if it.ordinal == lines[0].ordinal + at
        ]
    known = index.newest_turn
    later = next((it for it in _later_of(index, quote) if it is not None), None)
    news = None
    if known > quote.until:
        news = _newer_successor(index, lines, quote.until, asker, people)
    if is_whole and news is None and (quote.later is None or later is not None):
        return True, None
    later = news or later
    again = Quote(
        quote.turn,
        range(lines[0].ordinal, lines[-1].ordinal + 1),
        (int(str(later.key)), later.ordinal) if later else None,
        known,
    )
    text = word(lines, later, asker=asker, project=project, now=now)
    return False, _fast.Line(again.name, text, _fast.Kind.QUOTE, "it was changed")


def _noted_again(
    index: LineIndex, name: str, *, asker: str, project: str, now: float
) -> tuple[bool, _fast.Line | None]:
    """Return the same for a note, which holds until its text changes."""
    note = NoteName.from_name(name)
    if is_dispute(name):
        return disputed_again(index, name, now)
    lines = index.lines_of(note.kind, note.key) if note else []
    if note and not lines and index.read and isinstance(note.key, int):
        lines = index.read.successor_of(note.key)
    if not lines or is_kept_from(lines[0], asker, frozenset(index.speakers)):
        return False, None
    if why_unsayable(index, lines[0]):
        return False, None
    if NoteName.of(lines[0]) == note:
        return True, None
    return False, _noted(lines[0], asker, project, now)


def _noted(line: IndexedLine, asker: str, project: str, now: float) -> _fast.Line:
    """Return the line of a note that replaces an outdated one."""
    text = word([line], asker=asker, project=project, now=now)
    name = NoteName.of(line).name
    return _fast.Line(name, text, _fast.Kind.QUOTE, "it was changed")


def _later_of(index: LineIndex, quote: Quote) -> Iterable[IndexedLine | None]:
    if quote.later is not None:
        turn, ordinal = quote.later
        for it in index.lines_of(LineKind.UTTERANCE, turn):
            if it.ordinal == ordinal:
                yield it


def _newer_successor(
    index: LineIndex,
    lines: Sequence[IndexedLine],
    until: int,
    asker: str,
    people: Collection[str],
) -> IndexedLine | None:
    """Return a line after a turn that changes one of the lines; None for none."""
    for line in lines:
        later = successor_of(index, line, shipped(), until, least=REWRITE_FROM)
        if later is not None and not is_kept_from(later, asker, people):
            return later
    return None


class _Withheld:
    """Function that returns the reason why a line must not be recalled for a prompt.

    Args:
        index: The index.
        asked: The prompt.
    """

    def __init__(self, index: LineIndex, asked: RecallRequest) -> None:
        self._index = index
        self._asked = asked
        self._people = frozenset(index.speakers)
        self._own = digest_of(asked.prompt)
        self._told = {
            (quote.turn, ordinal)
            for name in asked.told
            if (quote := Quote.from_name(name))
            for ordinal in quote.ordinals
        }
        self._facts = [frozenset(terms(each)) for each in asked.stated]
        self._noted = {
            (note.kind, str(note.key))
            for name in asked.told
            if (note := NoteName.from_name(name))
        }

    @cached_property
    def _stated(self) -> Sequence[Collection[str]]:
        """The terms of each sentence of the prompt that is not a question.

        They are computed on demand, since reading a prompt takes longer than recalling
        lines for it.
        """
        said = utterances_of(self._asked.prompt[-PROMPT_CHARACTERS_MAX:])
        return [
            frozenset(terms(it.text))
            for it in said
            if SentenceMark.QUESTION not in it.marks
        ]

    def __call__(self, line: IndexedLine) -> str:
        """Return the one-word reason; empty if the line may be recalled."""
        if line.digest == self._own or line.digest in self._asked.present:
            return "present"
        if line.kind is LineKind.UTTERANCE:
            is_told = (line.key, line.ordinal) in self._told
        else:
            is_told = (line.kind, str(line.key)) in self._noted
        if is_told:
            return "told"
        if is_kept_from(line, self._asked.asker, self._people):
            return "private"
        if _is_unconfirmed(line, self._asked.asker):
            return "unconfirmed"
        if line.kind is LineKind.STATEMENT and self._says(line):
            return "present"
        if line.is_scoped and not _is_same(line.project, self._asked.project):
            return "elsewhere"
        if why := why_unsayable(self._index, line):
            return why
        if not line.is_fact and self._is_stated(line):
            return "stated"
        return ""

    def state(self, texts: Iterable[str]) -> None:
        """Add facts that are recalled as well, to withhold lines redundant to them."""
        self._facts += [frozenset(terms(each)) for each in texts]

    def _is_stated(self, line: IndexedLine) -> bool:
        """Return whether a line is redundant to a fact that is rendered anyway."""
        # A line of many words contains more than a fact of three names.
        if not self._facts or line.content.count(" ") >= STATED_WORDS_MAX:
            return False
        words = terms(line.content)
        return any(each.issuperset(words) for each in self._facts)

    def _says(self, line: IndexedLine) -> bool:
        """Return whether the prompt itself contains the statement of a line."""
        if not self._stated:
            return False
        # Compound terms are ignored: people write their words separately.
        words = {it for it in terms(_DIMENSION.sub(" ", line.text)) if "-" not in it}
        return any(words.issubset(each) for each in self._stated)


def is_kept_from(line: IndexedLine, asker: str, people: Collection[str]) -> bool:
    """Return whether a line must not be revealed to a principal.

    Args:
        line: The line.
        asker: The principal.
        people: Names of the speakers of all lines (`LineIndex.speakers`).
    """
    if line.subject:
        return line.subject != asker
    return line.audience.is_limited and not may_hear(
        line.audience, asker, line.speaker, people
    )


def _is_same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _is_unconfirmed(line: IndexedLine, asker: str) -> bool:
    """Return whether a line is an unconfirmed instruction of another person."""
    return (
        SentenceMark.INSTRUCTION in line.marks
        and not line.confirmed
        and line.speaker.casefold() != asker.casefold()
    )


def _name_of(choice: ChosenLine, newest: int) -> str:
    first, last = choice.lines[0], choice.lines[-1]
    if first.kind is not LineKind.UTTERANCE:
        return NoteName.of(first).name
    later = choice.later
    return Quote(
        int(str(first.key)),
        range(first.ordinal, last.ordinal + 1),
        (int(str(later.key)), later.ordinal) if later else None,
        newest,
    ).name


def why(found: Scored) -> str:
    """Return the reason why a line was chosen, for people."""
    features = found.features
    return (
        f"helps with {found.probability:.0%}: words {features['own']:.1f}, "
        f"around {features['context']:.1f}, shared {found.shared.bit_count()}"
    )
