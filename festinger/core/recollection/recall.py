"""Recall the earlier utterances and facts that fit a prompt."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from festinger import _fast
from festinger.core.language.audience import may_hear
from festinger.core.language.marks import SentenceMark
from festinger.core.language.terms import term_set
from festinger.core.language.utterances import utterances_of
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.quotes import is_rule, word
from festinger.core.lines.turns import digest_of
from festinger.core.lines.vectors import Embedding
from festinger.core.lines.wordvectors import embed_lines, embedded_prompt
from festinger.core.recollection import gate
from festinger.core.recollection.asker import (
    RULE_TOKENS,
    answer_rules,
    asks_about_asker,
    lines_about_asker,
)
from festinger.core.recollection.choosing import (
    LINES_MAX,
    TRIED_MAX,
    ChosenLine,
    RejectedLine,
    Wording,
    choose,
    choose_facts,
    tokens_of,
    untold,
)
from festinger.core.recollection.doubting import told_changes
from festinger.core.recollection.names import NoteName, QuoteSource, place_of
from festinger.core.recollection.overlap import StatementOverlap, settle, why_unsayable
from festinger.core.recollection.query import Query, read_query
from festinger.core.recollection.scoring import ScoredLine, score
from festinger.core.recollection.succession import PromptChanges
from festinger.core.recollection.weighing import RelevanceWeights, shipped
from festinger.core.system.principals import plain
from festinger.core.system.secrets import redact

PROMPT_CHARACTERS_MAX: Final = 16_000
"""Number of characters at the end of the newest message that are read."""
STATED_WORDS_MAX: Final = 8
"""Number of words from which a sentence is never redundant to a fact."""
_INSTRUCTION: Final = int(SentenceMark.INSTRUCTION)
_DIMENSION: Final = re.compile(r"\[[^]]*\]")


class RecallRequest(NamedTuple):
    """A prompt for which lines are recalled.

    Attributes:
        prompt: Newest message.
        earlier: Its speaker's earlier messages in this conversation, newest first.
        asker: Principal whose prompt it is.
        project: Project of the prompt; empty for none.
        present: Digests of the turns in the request (`digest_of`).
        told: Names of quotes that the request keeps (`QuoteSource.name`).
        stated: Lines rendered anyway; utterances redundant to them are left out.
        session: Name of this conversation; empty if it has none.
    """

    prompt: str
    earlier: Sequence[str] = ()
    asker: str = ""
    project: str = ""
    present: Collection[bytes] = frozenset()
    told: Collection[str] = ()
    stated: Collection[str] = ()
    embedding: Embedding | None = None
    session: str = ""


@dataclass(frozen=True, slots=True)
class RecallResult:
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
    rejected: Sequence[RejectedLine] = ()
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
    weighing: RelevanceWeights | None = None,
) -> RecallResult:
    """Return the lines that are recalled because they fit a prompt.

    Args:
        dictionary: Everyday words.
        tokens: Token budget; 0 for no lines.
        weighing: Weights; None for the built-in ones.
    """
    if not tokens or not len(index):
        return RecallResult()
    # Fitted weights differ with and without an embedding: both are chosen together.
    weighing, embedding = _usable(index, asked, weighing or shipped())
    weighing = weighing.in_memory_of(len(index))
    query = read_query(
        index,
        # A long message ends with what is asked; what is pasted stands before.
        asked.prompt[-PROMPT_CHARACTERS_MAX:],
        asked.earlier,
        asker=asked.asker,
        project=asked.project,
        dictionary=dictionary,
        embedding=embedding,
    )
    threshold = weighing.open_from
    rules, replaced = answer_rules(index, query)
    found, openness, lines_max = _candidates(
        index, query, weighing, asked.present, {it.line.number for it in rules}
    )
    quiet: list[RejectedLine] = []
    if openness < threshold:
        quiet, found = [RejectedLine(each, "quiet") for each in found], []
        if not rules:
            return RecallResult((), (), quiet, openness, threshold)
    withheld = _WithholdingRule(index, asked)
    ruled, _ = choose(
        index, rules, weighing, tokens=min(tokens, RULE_TOKENS), withheld=withheld
    )
    # Behind the gate, as it is only needed if something is told.
    found, unsayable = settle(index, found)
    # Facts first, since a quotation may be redundant to them; they share one budget.
    facts, left_out = choose_facts(
        found, worded, weighing, tokens=tokens, withheld=withheld
    )
    withheld.state(line.text for _, line in facts)
    said = [line for choice in ruled for line in choice.lines]
    before = [*(line.text for _, line in facts), *(line.text for line in said)]
    numbers = replaced | {line.number for line in said}
    choices, others = choose(
        index,
        [
            each
            for each in found
            if not each.line.is_fact and each.line.number not in numbers
        ],
        weighing,
        tokens=tokens - sum(map(tokens_of, before)),
        lines_max=lines_max,
        withheld=withheld,
        replaced=PromptChanges(index, query.prompt, weighing).replace,
        beside=StatementOverlap(index),
    )
    stated = [line._replace(why=why(choice.found)) for choice, line in facts]
    choices = [*ruled, *choices]
    told = _in_order(stated, _quotes(index, choices, weighing, asked, now))
    choices = [*(choice for choice, _ in facts), *choices]
    rejected = sorted(
        [*quiet, *unsayable, *left_out, *others],
        key=lambda it: it.found.probability,
        reverse=True,
    )
    return RecallResult(told, choices, rejected, openness, threshold)


def _candidates(
    index: LineIndex,
    query: Query,
    weighing: RelevanceWeights,
    present: Collection[bytes],
    told: Collection[int],
) -> tuple[list[ScoredLine], float, int]:
    """Return lines for a prompt, its openness, and how many quotations it may be told."""
    if asks_about_asker(query.prompt):
        # Each of these helps, not only the few likeliest.
        return lines_about_asker(index, query), 1.0, TRIED_MAX
    found = score(index, query, weighing)
    # The gate: most prompts need nothing that only this memory knows.
    new = gate.evidence(found, present, told)
    return found, gate.openness(index, query, new, weighing.gate), LINES_MAX


def _usable(
    index: LineIndex, asked: RecallRequest, weighing: RelevanceWeights
) -> tuple[RelevanceWeights, Embedding | None]:
    """Return the weights for a prompt's embedding, or the plain ones and no embedding."""
    embedding = asked.embedding
    # Lines may not be embedded yet, or by another model than the prompt.
    if embedding is None or not index.vectors.fits(embedding):
        # Beside a model's vectors there are none of words that a prompt could be compared with.
        embedding = embedded_prompt(asked.prompt) if embed_lines(index) else None
    if embedding is not None and index.vectors.fits(embedding):
        fitted = weighing.embedded.get(embedding.model)
        if fitted is not None:
            return fitted, embedding
    return weighing, None


def _quotes(
    index: LineIndex,
    choices: Sequence[ChosenLine],
    weighing: RelevanceWeights,
    asked: RecallRequest,
    now: float,
) -> Iterator[_fast.Line]:
    """Yield the quotations of chosen lines, as the prompt is told them."""
    # What is told together is compared once more, with a lower threshold.
    changes = told_changes(index, choices, weighing)
    for at, choice in enumerate(choices):
        changed = changes.get(at)
        text = word(
            choice.lines,
            choice.later,
            doubted=changed.said if changed else 0.0,
            asker=asked.asker,
            project=asked.project,
            now=now,
        )
        name = _name_of(choice, index.sources.newest_turn)
        yield _fast.Line(name, text, _fast.GraphLineKind.QUOTE, why(choice.found))


def _in_order(
    stated: Iterable[_fast.Line], quotes: Iterable[_fast.Line]
) -> list[_fast.Line]:
    """Return the lines in the order of the block: facts, rules, quotes, memories."""
    facts = sorted(stated)
    return [
        *(line for line in facts if line.kind is not _fast.GraphLineKind.MEMORY),
        # Time order lets a later quotation correct an earlier one, as in a conversation.
        *sorted(quotes, key=lambda it: (not is_rule(it.text), place_of(it.concept))),
        *(line for line in facts if line.kind is _fast.GraphLineKind.MEMORY),
    ]


class _WithholdingRule:
    """Function that returns the reason why a line must not be recalled for a prompt."""

    def __init__(self, index: LineIndex, asked: RecallRequest) -> None:
        self._index = index
        self._asked = asked
        self._people = index.sources.speakers
        self._own = digest_of(asked.prompt)
        self._told = {
            (quote.turn, ordinal)
            for name in asked.told
            if (quote := QuoteSource.from_name(name))
            for ordinal in quote.ordinals
        }
        self._facts = [*map(term_set, asked.stated)]
        self._noted = {
            (note.kind, str(note.key))
            for name in asked.told
            if (note := NoteName.from_name(name))
        }

    @cached_property
    def _stated(self) -> Sequence[Collection[str]]:
        """The terms of each sentence of the prompt that is not a question."""
        # On demand: reading a prompt takes longer than recalling lines for it.
        said = utterances_of(self._asked.prompt[-PROMPT_CHARACTERS_MAX:])
        return [
            term_set(it.text) for it in said if SentenceMark.QUESTION not in it.marks
        ]

    @cached_property
    def _unredacted(self) -> Collection[bytes]:
        """Digests, as stored, of present messages that were named with their secrets.

        Not every client can find secrets.
        """
        texts = (self._asked.prompt, *self._asked.earlier)
        present = (it for it in texts if digest_of(it) in self._asked.present)
        return {digest_of(redact(it)) for it in present}

    def __call__(self, line: IndexedLine) -> str:
        """Return the one-word reason; empty if the line may be recalled."""
        # It stands in the request already, as the prompt or in the history that is resent.
        if line.digest == self._own or line.digest in self._asked.present:
            return "present"
        # Redaction takes long, so only what was said in this conversation is worth it.
        is_here = line.session and line.session == self._asked.session
        if is_here and line.digest in self._unredacted:
            return "present"
        if line.kind is LineKind.UTTERANCE:
            is_told = (line.key, line.ordinal) in self._told
        else:
            is_told = (line.kind, str(line.key)) in self._noted
        if is_told:
            return "told"
        # Said in confidence, or a memory about somebody else (J11, G5).
        if is_kept_from(line, self._asked.asker, self._people):
            return "private"
        # An instruction binds its speaker's agents until a person confirmed it (J11).
        if _is_unconfirmed(line, self._asked.asker):
            return "unconfirmed"
        # The prompt says so itself, in a sentence that no digest identifies.
        if line.kind is LineKind.STATEMENT and self._says(line):
            return "present"
        # A common noun holds in its project: the port of shop is not that of catalog (J5).
        if line.is_scoped and plain(line.project) != plain(self._asked.project):
            return "elsewhere"
        # Last, since it compares the line with statements.
        if why := why_unsayable(self._index, line):
            return why
        if not line.is_fact and self._is_stated(line):
            return "stated"
        return ""

    def state(self, texts: Iterable[str]) -> None:
        """Add facts that are recalled as well, to withhold lines redundant to them."""
        self._facts += map(term_set, texts)

    def _is_stated(self, line: IndexedLine) -> bool:
        """Return whether a line is redundant to a fact that is rendered anyway."""
        # A line of many words contains more than a fact of three names.
        if not self._facts or line.content.count(" ") >= STATED_WORDS_MAX:
            return False
        words = term_set(line.content)
        return any(each.issuperset(words) for each in self._facts)

    def _says(self, line: IndexedLine) -> bool:
        """Return whether the prompt itself contains the statement of a line."""
        if not self._stated:
            return False
        # Compound terms are ignored: people write their words separately.
        said = term_set(_DIMENSION.sub(" ", line.text))
        words = {it for it in said if "-" not in it}
        return any(words.issubset(each) for each in self._stated)


def is_kept_from(line: IndexedLine, asker: str, people: Iterable[str]) -> bool:
    """Return whether a line must not be revealed to a principal."""
    # A memory about a person, in contrast to what somebody said.
    if line.subject:
        return line.subject != asker
    return line.audience.is_limited and not may_hear(
        line.audience, asker, line.speaker, people
    )


def _is_unconfirmed(line: IndexedLine, asker: str) -> bool:
    """Return whether a line is an unconfirmed instruction of another person."""
    return (
        # As numbers: flags are slow to combine, and this is asked of each candidate.
        bool(int(line.marks) & _INSTRUCTION)
        and not line.confirmed
        and plain(line.speaker) != plain(asker)
    )


def _name_of(choice: ChosenLine, newest: int) -> str:
    first, last = choice.lines[0], choice.lines[-1]
    # Notes and statements have a text that changes, quotations have places that do not.
    if first.kind is not LineKind.UTTERANCE:
        return NoteName.of(first).name
    later = choice.later
    return QuoteSource(
        int(str(first.key)),
        range(first.ordinal, last.ordinal + 1),
        (int(str(later.key)), later.ordinal) if later else None,
        newest,
    ).name


def why(found: ScoredLine) -> str:
    """Return the reason why a line was chosen, for people."""
    features = found.features
    likeness = features.get("likeness")
    return (
        f"helps with {found.probability:.0%}: words {features['own']:.1f}, "
        f"around {features['context']:.1f}, shared {found.shared.bit_count()}"
        + (f", likeness {likeness:.2f}" if likeness is not None else "")
    )
