"""Split a sentence into clauses of plain words, without introductory words."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from festinger.core.graph.values.dates import MONTH_FORM, WEEKDAY_FORM
from festinger.core.language.clausewords import (
    CHANGE_LEADERS,
    CHANGE_TAILS,
    CONTRACTIONS,
    LEADERS,
    LONE_CHANGE_LEADERS,
    LONE_LEADERS,
    PAST_TAILS,
    PHRASE_WORDS_MAX,
    TAILS,
)
from festinger.core.language.literals import LiteralKind, literal_kind
from festinger.core.language.persons import is_said_of_it, means_is
from festinger.core.system.wordsets import word_set

WORDS_MAX: Final = 60
"""Maximum number of words of a sentence; a longer one is a list or was pasted."""


class ClauseWord(NamedTuple):
    """A word of a clause.

    Attributes:
        text: The word as it was typed; empty for the second half of a contraction.
        small: The word in lower case, with contractions expanded.
    """

    text: str
    small: str


class Clause(NamedTuple):
    """A part of a sentence that may state something.

    Attributes:
        words: Words without introduction and tail.
        joint: Separator before the clause: `,`, `;`, `:`, `-`, `.`, `>` for an arrow, a
            conjunction, or empty.
        changed: Whether the removed words say that it was otherwise before.
    """

    words: tuple[ClauseWord, ...]
    joint: str = ""
    changed: bool = False


Piece: TypeAlias = tuple[str, list[ClauseWord]]
"""Words between two punctuation marks, and the mark before them."""

_OPENING: Final = "\"'“‘«„*_`"
_CLOSING: Final = "\"'”’»*_`"
_PUNCTUATION: Final = ".,;:!?…"
# They always begin another clause: "billing is on kubernetes now, so please fix the readme".
_JOINTS: Final = word_set("""
    but so because cause although though whereas while which who where
""")
_NO: Final = frozenset(["no", "nope", "nah"])
# A full stop behind them, or behind "…str" of a street, ends no clause: "ask Dr. Patel".
_TITLES: Final = frozenset(["dr", "mr", "mrs", "ms", "prof", "st", "nr", "approx"])
# "The best run so far": part of a phrase, and no conjunction.
_BEHIND_SO: Final = frozenset(["far", "much", "many", "long", "called"])
_RELATIVES: Final = frozenset(["which", "who", "where"])
"""Conjunctions that are the subject of their clause, or question words."""
_BEHIND_NO: Final = word_set("it that this the we i our my they he she")
"""Words before which "no" denies the previous message; elsewhere it is "no service"."""
ARROW: Final = ">"
"""The joint of a clause behind an arrow."""
_SOFT: Final = frozenset(["and", "since"])  # "NL and BE are on adyen" is one clause
_JOINING: Final = _JOINTS | _SOFT
_ARROW: Final = re.compile("->|=>|→|⇒|➜")  # "30s -> 60s", "1000=>4000"
# They separate clauses if blanks surround them: "done - billing runs on kubernetes".
_SHORT_DATE: Final = re.compile(r"(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])")
_BEHIND_DATE: Final = frozenset(["at", "from", "until", "till", "to", "now", "um"])
_LONE: Final = frozenset(["-", "–", "—", "→", "…", "--", "/", "|"])
_HAS_WORD: Final = re.compile(r"\w|^\+$")  # "400 + a share" is one clause
# "Since monday", "as of 4 march", "from next week", "since 2024", "from the 3rd on".
_TIME_SINCE: Final = re.compile(
    r"(?:since|as of|as from|from|until|effective|starting) (?:\w+ )?"
    rf"(?:{WEEKDAY_FORM}(?:day)?|{MONTH_FORM}|spring|summer|autumn|winter|easter|christmas)"
    r"(?: \d{1,4}(?:st|nd|rd|th)?)?(?: on)?"
    r"|(?:as of|as from|from|effective|starting) (?:tomorrow|next (?:week|month|year|season|term))"
    r"|(?:since|from) (?:\d{4}|the \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)? \w+)(?: on)?"
)
# "In September", "in spring 2024", "in 2019".
_MONTH_OR_YEAR: Final = re.compile(
    rf"in (?:(?:{MONTH_FORM}|spring|summer|autumn|fall|winter)(?: \d{{4}})?|\d{{4}})"
)
_PERIODS: Final = word_set("sprint release quarter season term semester summer winter")
"""Words behind "last" in the time of a change."""
_SINCE: Final = ("the", "our", "we")  # "since the move", "since we added tilt"
_TIME_WORDS_MAX: Final = 4  # "as of next week"
_TIME_FIRST: Final = word_set("since as from until effective starting")
"""First words of times since which something holds."""
_LEADS: Final = (
    {words[0] for words in LEADERS | CHANGE_LEADERS | LONE_LEADERS}
    | {words[0] for words in LONE_CHANGE_LEADERS}
    | _NO
    | _TIME_FIRST
)
"""First words of introductions; most clauses begin with no such word."""
_TRAILS: Final = {words[-1] for words in CHANGE_TAILS | TAILS}
"""Last words of tails."""


def clauses_of(pieces: Sequence[Piece], verbs: Collection[str]) -> list[Clause]:
    """Return the clauses of a sentence.

    Args:
        pieces: The sentence, as `pieces_of` returns it.
        verbs: Words in lower case with which a predicate may begin: `and` separates
            clauses if one of them follows.
    """
    if sum(len(words) for _, words in pieces) > WORDS_MAX:
        return []
    parted = [
        (joint, part)
        for before, words in pieces
        for joint, part in _parted(before, words, verbs)
    ]
    found: list[Clause] = []
    changed, joint = False, ""
    for before, words in parted:
        # The mark before an introduction holds for the clause behind it; a colon outranks it.
        joint = before if not joint or before in (":", ARROW) else joint
        bare, says_change = _without_leaders(words)
        changed = changed or says_change
        if not bare:
            # "Correction: …" is an introduction alone: the next clause is the change.
            continue
        bare, ends_change = without_tails(bare)
        if bare:
            found.append(Clause(tuple(bare), joint, changed or ends_change))
        elif found and ends_change:
            # "…, these days": it belongs to the previous clause.
            found[-1] = found[-1]._replace(changed=True)
        changed, joint = False, ""
    return found


def small_words(words: Sequence[ClauseWord]) -> list[str]:
    """Return the words in lower case."""
    return [word.small for word in words]


def small_text(words: Sequence[ClauseWord]) -> str:
    """Return the words in lower case, one space between them."""
    return " ".join([word.small for word in words])


def typed_text(words: Sequence[ClauseWord]) -> str:
    """Return the words as they were typed, one space between them."""
    return " ".join([word.text for word in words if word.text])


def words_of(text: str) -> list[ClauseWord]:
    """Return all words of a text, whatever separates them."""
    return all_words(pieces_of(text))


def all_words(pieces: Sequence[Piece]) -> list[ClauseWord]:
    """Return the words of all pieces."""
    return [word for _, words in pieces for word in words]


def without_past(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return words without a trailing past time: "last week", "in September 2024"."""
    small = small_words(words)
    size = _ends_with(small, PAST_TAILS)
    # "Last thursday", "last sprint": too many to list.
    if not size and len(small) > 2 and small[-2] in ("last", "this"):
        is_day = literal_kind(small[-1]) is LiteralKind.DAY
        size = 2 if is_day or small[-1] in _PERIODS else 0
    for most in (3, 2):
        if not size and _MONTH_OR_YEAR.fullmatch(" ".join(small[1:][-most:])):
            size = most
    return words[: len(words) - size]


def without_tails(words: Sequence[ClauseWord]) -> tuple[Sequence[ClauseWord], bool]:
    """Return words without trailing adverbs, and whether these express a change."""
    changed = False
    while words:
        # One look-up of the last word tells that most clauses have no tail.
        if words[-1].small not in _TRAILS and _TIME_FIRST.isdisjoint(
            small_words(words[-_TIME_WORDS_MAX:])
        ):
            break
        small = small_words(words)
        if size := _ends_with(small, CHANGE_TAILS):
            changed = True
        elif not (size := _ends_with(small, TAILS)):
            if not (size := _time_at_end(small)):
                break
            changed = True
        # "It is friday then", but not "the app is read only then", at that time.
        if small[-1] == "then" and literal_kind(small[-2:][0]) is LiteralKind.NONE:
            break
        if size == len(words) and size == 1 and small[0] not in {"now", "again"}:
            break  # a name may be spelt like one
        words = words[: len(words) - size]
    return words, changed


def _time_at_end(small: Sequence[str]) -> int:
    """Return the number of trailing words that say since when it holds."""
    for size in range(min(_TIME_WORDS_MAX, len(small) - 1), 1, -1):
        if small[-size] not in _TIME_FIRST:
            continue
        if small[-size] == "since" and small[1 - size] in _SINCE:
            return size
        if _TIME_SINCE.fullmatch(" ".join(small[-size:])):
            # "Until friday" says when it ends, not since when it holds.
            return 0 if small[-size] == "until" else size
    return 0


def _ends_with(small: Sequence[str], phrases: Collection[tuple[str, ...]]) -> int:
    """Return the length of the longest phrase that the words end with; 0 for none."""
    for size in range(min(PHRASE_WORDS_MAX, len(small)), 0, -1):
        if tuple(small[-size:]) in phrases:
            return size
    return 0


def _without_leaders(words: Sequence[ClauseWord]) -> tuple[Sequence[ClauseWord], bool]:
    """Return words without introductory ones, and whether these express a change."""
    changed = False
    while words and words[0].small in _LEADS:
        small = small_words(words[:6])
        size = _starts_with(small, LEADERS)
        other = _starts_with(small, CHANGE_LEADERS)
        # These introduce only if a mark follows them: "right, …" unlike "right now …".
        if tuple(small) in LONE_LEADERS:
            size = len(small)
        elif tuple(small) in LONE_CHANGE_LEADERS:
            other = len(small)
        elif small[0] in _NO and small[1:2] and small[1] in _BEHIND_NO:
            other = 1  # "no, it is …" denies what was said before
        if not size and not other:
            size = _time_at_start(small)
            if not size:
                break
            other = size
        changed = changed or other >= size  # the longer phrase decides
        words = words[max(size, other) :]
    return words, changed


def _starts_with(small: Sequence[str], phrases: Collection[tuple[str, ...]]) -> int:
    """Return the length of the longest phrase that the words begin with; 0 for none."""
    for size in range(min(PHRASE_WORDS_MAX, len(small)), 0, -1):
        if tuple(small[:size]) in phrases:
            return size
    return 0


def _time_at_start(small: Sequence[str]) -> int:
    """Return the number of leading words that say since when it holds."""
    for size in range(min(_TIME_WORDS_MAX, len(small)), 1, -1):
        if small[0] != "until" and _TIME_SINCE.fullmatch(" ".join(small[:size])):
            return size
    return 0


def pieces_of(text: str) -> list[Piece]:
    """Return the words between punctuation marks, each with the mark before them."""
    words: list[ClauseWord] = []
    pieces: list[Piece] = [("", words)]
    depth = 0
    text = text.replace("’", "'")  # as contractions are listed
    chunks = _ARROW.sub(" → ", text).replace(" & ", " and ").split()
    for at, chunk in enumerate(chunks):
        if chunk.isalnum():
            # Most are plain words.
            if not depth:
                words += _expanded(chunk)
            continue
        if chunk == "→":
            pieces.append((ARROW, words := []))
            continue
        if chunk == "=":  # "sprint = 3 weeks"
            pieces.append((":", words := []))
            continue
        if chunk in _LONE or not _HAS_WORD.search(chunk):
            mark = "?" if "?" in chunk else "-" if chunk in _LONE else "."
            pieces.append((mark, words := []))
            continue
        # Asides are left out: "billing (the old one) runs on podman".
        opened = chunk.startswith("(") or depth > 0
        if chunk.startswith("("):
            depth += 1
        core = chunk.lstrip("([" + _OPENING)
        bare = core.rstrip(_PUNCTUATION + ")]" + _CLOSING)
        tail = core[len(bare) :]
        if tail.startswith("'") and bare.endswith("s") and chunk[0] not in _OPENING:
            bare += "'"  # the parents' evening
        if tail == "." and _is_date(bare, *chunks[at + 1 : at + 2]):
            bare, tail = f"{bare}.", ""
        if not opened and bare:
            words += _expanded(bare)
        if ")" in tail or ("(" in bare and ")" in bare):
            depth = max(0, depth - tail.count(")"))
        if tail == "." and (bare.lower() in _TITLES or bare.lower().endswith("str")):
            continue
        if mark := next((it for it in tail if it in _PUNCTUATION), ""):
            pieces.append((mark, words := []))
    # No expanded contraction has one of these.
    may_have_is = "'" in text or "its" in text.lower()
    return [
        (mark, _with_is(words) if may_have_is else words)
        for mark, words in pieces
        if words
    ]


def _is_date(bare: str, follower: str = "") -> bool:
    """Return whether a full stop belongs to a date: "on 12.1. at 10"."""
    is_followed = follower.lower() in _BEHIND_DATE or follower[:1].isdigit()
    return is_followed and _SHORT_DATE.fullmatch(bare) is not None


@lru_cache(maxsize=10_000)
def _expanded(chunk: str) -> tuple[ClauseWord, ...]:
    """Return a word, or both words of a contraction; cached, as words recur."""
    small = chunk.lower()
    if not (parts := CONTRACTIONS.get(small)):
        return (ClauseWord(chunk, small),)
    return (ClauseWord(chunk, parts[0]), *(ClauseWord("", it) for it in parts[1:]))


def _with_is(words: list[ClauseWord]) -> list[ClauseWord]:
    """Return words with `X's on` as `X is on`; `X's port` is left unchanged."""
    found: list[ClauseWord] = []
    for at, word in enumerate(words):
        follower = words[at + 1].small if at + 1 < len(words) else ""
        if word.small.endswith("'s") and means_is(
            word.small[:-2], small_words(words[at + 1 :])
        ):
            name = word.text[:-2]
            found += [ClauseWord(name, name.lower()), ClauseWord("", "is")]
        elif word.small == "its" and is_said_of_it(follower):
            found += [ClauseWord(word.text, "it"), ClauseWord("", "is")]
        else:
            found.append(word)
    return found


def _parted(
    before: str, words: list[ClauseWord], verbs: Collection[str]
) -> list[Piece]:
    """Return words split at conjunctions, each part with its leading conjunction."""
    if _JOINING.isdisjoint(small_words(words)):
        return [(before, words)]
    parts: list[Piece] = [(before, [])]
    last_verb = max((at for at, it in enumerate(words) if it.small in verbs), default=0)
    has_verb = False
    for at, word in enumerate(words):
        follower = words[at + 1].small if at + 1 < len(words) else ""
        joins = (
            word.small in _JOINTS
            and not (word.small == "so" and follower in _BEHIND_SO)
        ) or (
            # "NL and BE are on adyen" has one clause.
            word.small in _SOFT and has_verb and at < last_verb
        )
        if joins:
            has_verb = False
            if parts[-1][1]:
                parts.append((word.small, []))
            # A clause that begins with "which" or "who" keeps it, so that it is not read by itself.
            if word.small not in _RELATIVES:
                continue
        has_verb = has_verb or word.small in verbs
        parts[-1][1].append(word)
    return [(joint, part) for joint, part in parts if part]
