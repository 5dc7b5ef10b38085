"""Read a sentence clause by clause, without questions, plans and uncertain clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger.core.graph.origins import ReadStatement
from festinger.core.language.changes import may_change, read_change
from festinger.core.language.clauses import (
    ARROW,
    Clause,
    ClauseWord,
    clauses_of,
    pieces_of,
    small_text,
    small_words,
    typed_text,
)
from festinger.core.language.corrections import read_correction
from festinger.core.language.departures import follows, gone_before, read_succession
from festinger.core.language.literals import LiteralKind, is_like, literal_kind
from festinger.core.language.measures import OUTPUT_LABELS, read_count, read_label
from festinger.core.language.phrases import (
    ClauseReading,
    SubjectPhrase,
    attribute_place,
    subject_phrase,
)
from festinger.core.language.rareclauses import read_arrow, read_kept, with_name
from festinger.core.language.replacing import (
    REPLACING,
    any_value,
    replaced_by,
    without_preposition,
)
from festinger.core.language.states import read_state
from festinger.core.language.verbforms import VERBS
from festinger.core.language.verbgroups import is_agent, subject_before
from festinger.core.language.vetoes import is_vetoed, states_nothing
from festinger.core.system.wordsets import phrase_set, word_set

_DENIED: Final = phrase_set("""
    runs on, uses, owned by, due, scheduled, located, allergic to, lives in, works
    at, married to, speaks, likes, plays, depends on
""")
"""Predicates whose denial is held even if no change is expressed."""

_LABEL_WORDS_MAX: Final = 4

# First words of questions and requests, since people leave out the question mark.
_ASKING: Final = word_set("""
    can could would will do does did is are was were should shall may what whats which
    who whose where when why how please pls plz have has am any
""")

# "Let's move billing", "or we stay on podman".
_NOT_STATING: Final = _ASKING | {"let", "or"}

# Last words of a question of a few words that asks for assent: "…, isn't it?", "…, right?".
_PRONOUNS_ASKED: Final = word_set("""
    it they he she that this we you i right correct not so true
""")

_SUBJECTS: Final = frozenset(["we", "i", "the", "our"])  # behind "instead of sage"

_INTRODUCING: Final = word_set("""
    i we it that news update heads correction note reminder announcement info changes
    change
""")
"""First words of a clause that introduces a statement behind a colon."""
_CONDITIONS: Final = word_set("""
    if unless except whether until once suppose when whenever till
""")

_CHANGED: Final = frozenset(["changed", "moved", "different"])
"""Last words of a clause behind which the new value may follow."""

_DEFERRED: Final = frozenset(["postponed", "delayed", "extended", "pushed", "moved"])
"""Words behind which `until` gives a time, and is no condition."""

# "Billing moves to kubernetes next month", "soon", "in two weeks", "we will".
_PLANNED: Final = re.compile(
    r"\b(?:next (?:week|month|year|sprint|quarter|release)|soon|later|eventually|someday|one day"
    r"|in (?:a|an|two|three|\d+) (?:days?|weeks?|months?|hours?)|tomorrow|will|going to|gonna|plan(?:s|ned|ning)? to)\b"
)

# "The fee is 70 euros, no wait, 60": what stands before it is taken back.
_TAKEN_BACK: Final = re.compile(
    r"[,;.…–—-]\s*(?:no,? wait|wait,? no|(?:scratch|strike|forget) that|never ?mind|sorry,? no|no,? sorry)\b[\s,;:.…–—-]*",
    re.IGNORECASE,
)


def read_sentence(
    text: str, speaker: str, before: Sequence[ReadStatement]
) -> list[ClauseReading]:
    """Return the readings of a sentence, clause by clause."""
    pieces = pieces_of(_TAKEN_BACK.split(text)[-1])
    clauses = clauses_of(pieces, VERBS)
    stated = _stated(text, clauses)
    found = _read_clauses(clauses, stated, speaker)
    if before and stated and not found:
        # The sentence names no subject.
        found = read_correction(text, pieces, before)
        small = [small_text(clause.words) for clause in clauses] if found else []
        if any(is_vetoed(small, at, "") for at in range(len(small))):
            return []
    # "Billing was on podman" serves only to name what the clause behind it replaces, and
    # denials carry little information unless they express a change.
    found = [
        each
        for each in found
        if not each.past
        and (not each.negated or each.changes or each.predicate in _DENIED)
    ]
    # Checked last, since few sentences have any reading.
    return [] if found and states_nothing(text) else found


def _read_clauses(
    clauses: Sequence[Clause], stated: Sequence[Clause], speaker: str
) -> list[ClauseReading]:
    """Return the readings of the clauses that may state something.

    Args:
        clauses: All clauses of the sentence, as those behind `stated` may veto it.
        stated: Those of its beginning that are neither questions nor conditional.
    """
    found: list[ClauseReading] = []
    replaced = gone = ""
    topic: SubjectPhrase | None = None
    for at, clause in enumerate(stated):
        following = stated[at + 1 : at + 2]
        # "Podman -> kubernetes": the old value is read with the clause behind the arrow.
        if following and following[0].joint == ARROW:
            continue
        # "The deadline is friday, not thursday": no statement of its own.
        if old := replaced_by(clause.words):
            replaced = _note_replaced(found, old)
            continue
        bare, first = _without_replaced(_with_replaced(clause, following))
        replaced = first or replaced
        after = following[0].words if following else ()
        succession = read_succession(bare.words, after, speaker)
        read = [succession] if succession else _read(bare, stated[:at], speaker)
        read = read or _completed(found, bare)
        # "The demo will be on 3 May, 30 people, if Ines has a build."
        if len(stated) < len(clauses) and "will" in small_words(bare.words):
            continue
        if read and is_vetoed(
            [small_text(it.words) for it in clauses], at, clause.joint
        ):
            continue
        read = with_name(read, bare.words, following, speaker)
        read = _with_list(read, following)
        topic = _changed_topic(bare.words, speaker) or topic
        for reading in read:
            if topic and not found and reading.subject.pronoun in ("it", "they"):
                reading = _said_of(topic, reading)
            # "Lena stepped down, our treasurer is Omar."
            if gone and not replaced and follows(reading):
                replaced = gone
            if replaced and not reading.old_value:
                # "Instead of sage we use xero."
                reading = reading._replace(changes=True, old_value=replaced)
            _add(found, reading, clause)
            replaced = ""
        gone = gone_before(bare.words)
    return found


def _with_list(
    read: list[ClauseReading], following: Sequence[Clause]
) -> list[ClauseReading]:
    """Return readings with the rest of a list behind them: "postgres, redis and kafka"."""
    if not read or not following or following[0].joint != ",":
        return read
    words, last = following[0].words, read[-1]
    at = next((at for at, it in enumerate(words) if it.small in ("and", "or")), 0)
    # "On saturday, 5 june" is one day, "118k clips, 10 seconds each" no list.
    if not at and not (last.value.isdigit() and small_text(words).isdigit()):
        return read
    parts = [words[:at], words[at + 1 :]] if at else [words]
    values = [it for part in parts if (it := any_value(part))]
    is_number = last.value.isdigit() and small_text(parts[0]).isdigit()
    if not values or not (
        is_number or all(is_like(it.kind, last.kind) for it in values)
    ):
        return read
    # "900, 950 and 1000 for the three flats": of names the last must be one, too.
    if len(values) < len(parts) and last.kind is LiteralKind.NONE:
        return read
    days = f"{last.value}, {typed_text(words)}"
    if literal_kind(days) is LiteralKind.DAY:
        return [*read[:-1], last._replace(value=days)]
    # "The seeds are 1, 7 and 42": a part of them would be wrong.
    if last.single or words[at].small == "or":
        return []
    return [*read, *[last._replace(value=it.text, kind=it.kind) for it in values]]


def _changed_topic(words: Sequence[ClauseWord], speaker: str) -> SubjectPhrase | None:
    """Return the subject of "the alarm code changed", whose new value may follow."""
    small = small_words(words)
    if small[-1] in _CHANGED:
        subject = subject_before(words[:-1], speaker)
    # "They changed the alarm code."
    elif "changed" in small and is_agent(words[: small.index("changed")]):
        subject = subject_phrase(words[small.index("changed") + 1 :], speaker)
    else:
        return None
    return subject if subject and subject.text not in ("", "I", "we") else None


def _said_of(topic: SubjectPhrase, reading: ClauseReading) -> ClauseReading:
    """Return what is said of "it" as said of what has changed: "…, it's 4472 now"."""
    if topic.attribute and reading.predicate in ("is", "scheduled"):
        topic, predicate = attribute_place(topic)
        reading = reading._replace(predicate=predicate)
    return reading._replace(subject=topic, changes=True)


def _completed(found: Sequence[ClauseReading], clause: Clause) -> list[ClauseReading]:
    """Return the value that follows a denial: "not friday but monday"."""
    if not found or not found[-1].negated or clause.joint not in ("but", ","):
        return []
    value = any_value(without_preposition(clause.words))  # "but on kubernetes"
    if value is None or value.kind is not found[-1].kind:
        return []
    return [found[-1]._replace(value=value.text, negated=False)]


def _note_replaced(found: list[ClauseReading], old: str) -> str:
    """Set the replaced value of the last reading: "…, not thursday".

    Returns:
        The value, if it belongs to the next clause.
    """
    if not found:
        return old
    if not found[-1].old_value:
        found[-1] = found[-1]._replace(changes=True, old_value=old)
    return ""


def _with_replaced(clause: Clause, following: Sequence[Clause]) -> Clause:
    """Return "it should be 20" with the value behind it that it replaces: "not 30"."""
    for after in following:
        if replaced_by(after.words) and "should" in small_words(clause.words):
            return clause._replace(words=(*clause.words, *after.words))
    return clause


def _without_replaced(clause: Clause) -> tuple[Clause, str]:
    """Return a clause without a leading "instead of sage", and the value in that."""
    if clause.words[0].small not in REPLACING:
        return clause, ""
    # "Instead of" and a value of one to three words; then a subject must follow.
    for size in range(3, min(6, len(clause.words))):
        if old := replaced_by(clause.words[:size]):
            rest = clause._replace(words=clause.words[size:])
            if rest.words[0].small in _SUBJECTS or rest.words[0].text.istitle():
                return rest, old
    return clause, ""


def _stated(text: str, clauses: list[Clause]) -> list[Clause]:
    """Return the clauses that are neither questions nor conditional."""
    if "?" in text:
        asked = [
            at for at, clause in enumerate(clauses) if clause.words[0].small in _ASKING
        ]
        if not asked:
            return []
        question = clauses[asked[0]].words
        if len(question) <= 4 and question[-1].small in _PRONOUNS_ASKED:
            return []  # "…, isn't it?" is not sure
        # What stands before the question is told: "billing is on podman, can you fix the docs?"
        clauses = clauses[: asked[0]]
    for at, clause in enumerate(clauses):
        small = small_words(clause.words)
        # Not "postponed until friday", which is a time.
        if not _CONDITIONS.isdisjoint(small) and _DEFERRED.isdisjoint(small):
            # "The deadline is friday, unless tom objects" is conditional as a whole.
            begins = clause.words[0].small in _CONDITIONS
            near = begins or clause.joint not in {",", ";", ".", "-"}
            return clauses[: max(0, at - 1) if near else at]
    return clauses


def _read(
    clause: Clause, labels: Sequence[Clause], speaker: str
) -> list[ClauseReading]:
    """Return the readings of a single clause.

    Args:
        labels: Preceding clauses; the last may be a label that names the subject.
    """
    words, label = clause.words, labels[-1] if labels else None
    # "Am allergic to nuts": nobody else is left out before this verb.
    if words[0].small == "am" and small_words(words[1:2]) != ["i"]:
        words = (ClauseWord("I", "i"), *words)
    if words[0].small in _NOT_STATING:
        return []
    if label and clause.joint == ARROW:
        # "Billing: podman -> kubernetes" has its subject two clauses before.
        named = labels[-2].words if len(labels) > 1 and label.joint == ":" else ()
        return read_arrow(named, label.words, words, speaker)
    if label and clause.joint == ":":
        if label.words[-1].small in OUTPUT_LABELS:
            return []  # "Error: the operation was cancelled"
        if found := read_label(label.words, words, speaker):
            return [it._replace(changes=it.changes or clause.changed) for it in found]
        # The label is the subject if a verb follows: "billing: moved to kubernetes".
        begins = words[0].small in VERBS or (
            clause.changed and words[0].small in ("on", "at")
        )
        if begins and len(label.words) <= _LABEL_WORDS_MAX:
            words = (*label.words, *words)
        elif label.words[0].small not in _INTRODUCING:
            return []  # "The plan: billing runs on kubernetes"
    if may_change(words):
        # "The deadline moved to tomorrow" has a word of plans, too, but only as its value.
        planned = _PLANNED.search(small_text(words))
        dated = clause.changed and not planned
        if found := read_change(words, speaker, dated=dated):
            return [] if planned and found[0].kind is LiteralKind.NONE else found
    found = (
        read_state(words, speaker, changed=clause.changed)
        or read_count(words, speaker)
        or read_kept(words, speaker)
    )
    return [
        each._replace(
            changes=each.changes or clause.changed,
            old_value=each.old_value
            or (each.value if each.negated and clause.changed else ""),
        )
        for each in found
    ]


def _add(found: list[ClauseReading], reading: ClauseReading, clause: Clause) -> None:
    """Add a reading, or complete the previous one with it."""
    last = found[-1] if found else None
    # "It" is the subject before, but not across a full stop; "this" could be anything.
    if reading.subject.pronoun:
        if (
            last is None
            or clause.joint == "."
            or reading.subject.pronoun not in ("it", "they")
        ):
            return
        reading = reading._replace(subject=last.subject._replace(has_article=True))
        if (last.negated or last.past) and last.kind is reading.kind:
            # "The deadline isn't friday, it's monday": the same predicate as before.
            reading = reading._replace(predicate=last.predicate)
    # "The deadline was friday, it's monday now" is one change.
    if (
        last
        and (last.negated or last.past)
        and last.predicate == reading.predicate
        and last.subject.text == reading.subject.text
        and not reading.negated
    ):
        found[-1] = reading._replace(changes=True, old_value=last.value)
        return
    if last and reading.negated and reading.changes and _is_about_same(last, reading):
        # "It runs on kubernetes, it used to run on podman."
        found[-1] = last._replace(changes=True, old_value=reading.value)
        return
    if reading not in found:
        found.append(reading)


def _is_about_same(last: ClauseReading, reading: ClauseReading) -> bool:
    return (
        not last.negated
        and last.predicate == reading.predicate
        and last.subject.text == reading.subject.text
    )
