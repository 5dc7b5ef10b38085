"""Check a model's answer: which statements are held, confirmed by people, or refused.

A model may reword what a person typed, but not add to it. Each statement must quote a
person's words, and its subject and value must come from the conversation.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from festinger.core.graph.origins import (
    KnownStatement,
    ReadStatement,
    StatementOrigin,
    StatementReader,
)
from festinger.core.graph.values.dates import MONTH_FORM, local_time
from festinger.core.language.future_times import start_of
from festinger.core.language.marks import SentenceMark, marks_of
from festinger.core.language.reader.answers import AnsweredStatement
from festinger.core.language.reader.certainty import (
    StatementRefused,
    in_clause,
    refuse_dangerous,
    sentence_doubt,
)
from festinger.core.language.reader.changed import (
    CHANGED,
    StatementPlace,
    expresses_change,
    with_changes,
)
from festinger.core.language.reader.coverage import (
    SaidWords,
    said_words,
    share_covered,
    unsaid_numbers,
    without_unsaid_dates,
)
from festinger.core.language.reader.questions import numbered
from festinger.core.language.reader.quoting import FoundQuote, find_quote
from festinger.core.language.reader.unread import TurnPart
from festinger.core.language.terms import terms
from festinger.core.system.principals import plain
from festinger.core.system.wordsets import phrase_set

TURN_STATEMENTS_MAX: Final = 40
"""Maximum number of statements of one turn; more are a list of its words."""
HELD_SHARE, CANDIDATE_SHARE = 0.5, 0.34
"""Minimum share of a value's words that were said, for holding it and for asking."""
SUBJECT_SHARE = 0.3
"""Minimum share of a subject's words, lower since people vary the length of names."""
WHOLE_SHARE = 0.75
"""Minimum share of a value's words if those of the subject were not said."""
CONFIDENCE: Final = 0.85
"""Confidence of a statement that a model reads, if its words were said."""

# Who speaks, and for which project, is known without being said.
_SELF: Final = phrase_set("i, me, my, we, us, our, speaker, user, the user")
_MONTH: Final = re.compile(rf"\b{MONTH_FORM}\b", re.IGNORECASE)
# "We have no pets" is "pets: none", whose value nobody said.
_NONE: Final = re.compile(r"none|nothing|nobody|no|yes", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """Result of checking an answer.

    Attributes:
        statements: Statements for the gate; one with a `doubt` is a candidate at most.
        refused: Number of refused statements by reason.
    """

    statements: Sequence[ReadStatement]
    refused: Mapping[str, int] = field(default_factory=dict)


def check_answer(
    answered: Sequence[AnsweredStatement],
    parts: Sequence[TurnPart],
    known: Mapping[int, KnownStatement],
    speakers: Mapping[int, str] | None = None,
    earlier: Mapping[str, Sequence[str]] = MappingProxyType({}),
    nameable: Collection[tuple[str, str]] = (),
) -> ReadAnswer:
    """Return the statements of an answer that can be used.

    Args:
        parts: Parts of turns in the request, in order.
        known: Held statements in the request, by number.
        speakers: Authors of the held statements, by number.
        earlier: Earlier texts of each conversation, which may name a subject.
        nameable: Subjects that may be named without being mentioned in the turn, each
            with its project: people omit what they are already talking about.
    """
    sessions: dict[str, list[str]] = defaultdict(list)
    for part in parts:
        session = part.turn.session
        sessions[session] += [part.turn.text, part.turn.before]
        if session:
            sessions[session] += earlier.get(session, ())
    # A subject may be named once for several turns, a value is said where it is stated.
    shown = {session: said_words(texts) for session, texts in sessions.items()}
    turns = {
        number: _ReadTurn.of(part, shown[part.turn.session])
        for number, part in numbered(parts).items()
    }
    statements: list[ReadStatement] = []
    refused: Counter[str] = Counter()
    taken: set[tuple[str, ...]] = set()
    per_turn: Counter[bytes] = Counter()
    values: dict[StatementPlace, str] = {}
    for each in answered:
        try:
            read = _check(each, turns, known, speakers or {}, nameable, values)
            key = (read.subject, read.predicate, read.value, str(read.negated))
            # Models repeat themselves.
            if key in taken:
                raise StatementRefused("twice")
            if per_turn[read.origin.turn_digest] == TURN_STATEMENTS_MAX:
                raise StatementRefused("too many of a turn")
        except StatementRefused as refusal:
            refused[str(refusal)] += 1
            continue
        taken.add(key)
        per_turn[read.origin.turn_digest] += 1
        values[StatementPlace.of(read, read.origin.speaker)] = read.value
        statements.append(read)
    said = {part.turn.digest: part.turn.text for part in parts}
    return ReadAnswer(with_changes(statements, said), dict(refused))


@dataclass(frozen=True, slots=True)
class _ReadTurn:
    """A turn of the request, and the words that its statements may use.

    Attributes:
        said: Words of the turn and the one before it, for values.
        shown: Words of the conversation as far as the model saw it, for subjects.
    """

    part: TurnPart
    said: SaidWords
    shown: SaidWords

    @classmethod
    def of(cls, part: TurnPart, shown: SaidWords) -> _ReadTurn:
        """Return the part with the words of its turn."""
        turn = part.turn
        day = local_time(turn.said).date()
        # Words of the whole turn: an earlier part may contain a name.
        said = said_words((turn.text, turn.before, turn.speaker, turn.project), day)
        return cls(part, said, shown.with_those_of(said))


def _check(
    each: AnsweredStatement,
    turns: Mapping[int, _ReadTurn],
    known: Mapping[int, KnownStatement],
    speakers: Mapping[int, str],
    nameable: Collection[tuple[str, str]],
    values: Mapping[StatementPlace, str],
) -> ReadStatement:
    """Return a checked statement.

    Args:
        values: Values that were read earlier in the answer.

    Raises:
        StatementRefused: The statement is refused.
    """
    if each.problem:
        raise StatementRefused(each.problem)
    turn, quote = _quoted(each, turns)
    refuse_dangerous(each, quote)
    if _begins_later(each, in_clause(quote), turn.part.turn.said):
        raise StatementRefused("later")
    replaced = known.get(each.replaces)
    said = turn.said
    speaker = turn.part.turn.speaker
    old = values.get(StatementPlace.of(each, speaker), "")
    if replaced is not None and _is_named_as(each, replaced):
        old = replaced.value
    # Unchanged parts of the old value need not be repeated: only the day changes.
    if old:
        said = said.with_those_of(said_words((old,)))
    each = each._replace(value=without_unsaid_dates(each.value, said))
    doubt = sentence_doubt(quote)
    # An ended statement is identified by its number, and need not be repeated.
    if not (each.negated and replaced):
        doubt = (
            _value_doubt(each, said)
            or _subject_doubt(each, turn, known, nameable)
            or doubt
        )
    marks = marks_of(quote.words) | marks_of(quote.around)
    # People may correct themselves without words of change (J7).
    is_own = plain(speaker) == plain(speakers.get(each.replaces, ""))
    # Otherwise it is a contradiction, and people decide.
    if replaced is not None and not (
        _replaces(each, replaced, marks, is_own)
        or (_is_named_as(each, replaced) and _speaks_of_change(turn, quote, replaced))
    ):
        replaced = None
    return ReadStatement(
        subject=each.subject,
        predicate=each.predicate,
        value=each.value,
        origin=_origin(each, turn.part, quote),
        single=each.single,
        negated=each.negated,
        changes=replaced is not None or CHANGED.search(in_clause(quote)) is not None,
        replaces=replaced.assertion_id if replaced else 0,
        old_value=replaced.value if replaced else "",
        confidence=CONFIDENCE,
        doubt=doubt,
    )


def _begins_later(each: AnsweredStatement, clause: str, said: float) -> bool:
    """Return whether a single value holds from a later day on, which it does not name."""
    # The rent of today does not end with "from January the rent is 1240 euros".
    is_dated = _MONTH.search(f"{each.subject} {each.predicate} {each.value}")
    return bool(each.single) and not is_dated and start_of(clause, said) is not None


def _quoted(
    each: AnsweredStatement, turns: Mapping[int, _ReadTurn]
) -> tuple[_ReadTurn, FoundQuote]:
    """Return the turn that a statement quotes, preferably the one that it names.

    Raises:
        StatementRefused: No turn contains the quotation.
    """
    named = [turns[each.turn]] if each.turn in turns else []
    # A model may count wrong: the words say where they stand.
    for turn in [*named, *turns.values()]:
        if found := find_quote(each.quote, turn.part.text):
            return turn, found
    raise StatementRefused("not quoted")


def _value_doubt(each: AnsweredStatement, said: SaidWords) -> str:
    """Return why a value must be confirmed; empty for no reason.

    Raises:
        StatementRefused: The value was not said.
    """
    # One wrong digit makes another fact: refused, while other words wait for people.
    if unsaid_numbers(each.value, said):
        raise StatementRefused("number not said")
    share = share_covered(each.value, said)
    if _NONE.fullmatch(each.value):
        return ""
    if share < CANDIDATE_SHARE:
        raise StatementRefused("value not said")
    return "" if share >= HELD_SHARE else "reworded"


def _subject_doubt(
    each: AnsweredStatement,
    turn: _ReadTurn,
    known: Mapping[int, KnownStatement],
    nameable: Collection[tuple[str, str]],
) -> str:
    """Return why a subject must be confirmed, since not all of it was said."""
    name = each.subject.casefold()
    project = turn.part.turn.project
    if name in _SELF or name in {plain(it.subject) for it in known.values()}:
        return ""
    # A name with another number is another thing: "node 3" for "node 2".
    if unsaid_numbers(each.subject, turn.shown):
        return "subject not said"
    share = share_covered(each.subject, turn.shown)
    if share >= SUBJECT_SHARE:
        return ""
    # The value must then have been said.
    is_whole = share_covered(each.value, turn.said) >= WHOLE_SHARE
    if is_whole and (each.subject, project) in nameable:
        return ""
    return "subject reworded" if share else "subject not said"


def _replaces(
    each: AnsweredStatement, old: KnownStatement, marks: SentenceMark, is_own: bool
) -> bool:
    """Return whether a statement may end the held one that it names.

    Args:
        marks: Marks of the quotation and its sentence.
        is_own: Whether both have the same speaker.
    """
    if not (SentenceMark.CHANGE in marks or is_own or each.negated):
        return False
    # Otherwise a mistyped number would end an unrelated statement.
    return not set(terms(each.subject)).isdisjoint(terms(old.subject)) or (
        plain(each.subject) == plain(old.subject)
    )


def _is_named_as(each: AnsweredStatement, old: KnownStatement) -> bool:
    """Return whether a statement has the subject and the predicate of a held one."""
    return StatementPlace.of(each) == StatementPlace.of(old)


def _speaks_of_change(turn: _ReadTurn, quote: FoundQuote, old: KnownStatement) -> bool:
    """Return whether a turn expresses a change, or its sentence names the old value."""
    if expresses_change(turn.part.text):
        return True
    # "It's on k8s, podman was too slow": naming the old value is a change as well.
    around = said_words((quote.around,))
    return bool(terms(old.value)) and share_covered(old.value, around) >= HELD_SHARE


def _origin(
    each: AnsweredStatement, part: TurnPart, quote: FoundQuote
) -> StatementOrigin:
    turn = part.turn
    return StatementOrigin(
        quote=quote.words,
        speaker=turn.speaker,
        principal=turn.principal,
        project=turn.project,
        session=turn.session,
        said=turn.said,
        turn_digest=turn.digest,
        reader=StatementReader.MODEL,
        kind=each.kind,
        topics=each.topics,
    )
