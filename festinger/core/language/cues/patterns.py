"""The cue patterns as data, and their recognition at a cue word.

The names are the specification's, without the braces. A pattern with "is" also matches
the words of its verbless variant behind a copula ("is hosted by"), with the prior of a
clean copula; without one it has the prior of a label line.
"""

from __future__ import annotations

from typing import Final

from festinger._fast import CUE, CueFilter, Sentence, kinds
from festinger._fast.values import ENDS_IN_LY, PLAIN
from festinger.core.graph.proposal import MEMBERSHIP, TYPE
from festinger.core.language.cues import nounwords, words
from festinger.core.language.cues.lists import (
    ADVERBS,
    ARTICLES,
    BY,
    GENERA,
    HALF_DENIALS,
    HEDGES,
    IN,
    LONGER,
    NEGATIONS,
    NO,
    OF,
    ON,
    SOFTENERS,
    THE,
    TO,
)
from festinger.core.language.cues.phrases import Phrase
from festinger.core.language.cues.subjects import Subject

# How often a pattern of the kind was right on real text (E2a).
KEYWORD: Final = 0.95
IS_A: Final = 0.75
COPULA: Final = 0.70
LABEL: Final = 0.50

RUNS_ON: Final = "runs-on"
OWNED_BY: Final = "owned-by"


class Pattern:
    """A row of the pattern tables.

    Attributes:
        name: Name of the rule, as evidence shows it.
        is_isa: Whether the subject is a kind of the object rather than a part of it.
        prior: Confidence when every rule is passed (E2a).
        verbless: Whether it has no verb, so that it is only valid on a label line.
    """

    def __init__(self, name: str, is_isa: bool, dimension: str, prior: float) -> None:
        """Store a row."""
        self.name = name
        self.is_isa = is_isa
        self.dimension = dimension
        self.prior = prior
        self.verbless = prior == LABEL


def _table(*rows: tuple[str, bool, str, float]) -> dict[str, Pattern]:
    return {row[0]: Pattern(*row) for row in rows}


#: The specification's two tables, and the forms with "is" that follow from them.
PATTERNS: Final = _table(
    ("is a", True, TYPE, IS_A),
    ("is an", True, TYPE, IS_A),
    ("ISA", True, TYPE, KEYWORD),
    ("is a kind of", True, TYPE, COPULA),
    ("is a type of", True, TYPE, COPULA),
    ("is an instance of", True, TYPE, COPULA),
    ("is kind of", True, TYPE, COPULA),
    ("is type of", True, TYPE, COPULA),
    ("is instance of", True, TYPE, COPULA),
    ("kind of", True, TYPE, LABEL),
    ("type of", True, TYPE, LABEL),
    ("instance of", True, TYPE, LABEL),
    ("ISPART", False, MEMBERSHIP, KEYWORD),
    ("is part of", False, MEMBERSHIP, COPULA),
    ("is a member of", False, MEMBERSHIP, COPULA),
    ("is member of", False, MEMBERSHIP, COPULA),
    ("part of", False, MEMBERSHIP, LABEL),
    ("member of", False, MEMBERSHIP, LABEL),
    ("belongs to", False, MEMBERSHIP, COPULA),
    ("is contained in", False, MEMBERSHIP, COPULA),
    ("contained in", False, MEMBERSHIP, LABEL),
    ("is owned by", False, OWNED_BY, COPULA),
    ("owned by", False, OWNED_BY, LABEL),
    ("runs on", False, RUNS_ON, COPULA),
    ("is hosted by", False, RUNS_ON, COPULA),
    ("hosted by", False, RUNS_ON, LABEL),
    ("is deployed on", False, RUNS_ON, COPULA),
    ("deployed on", False, RUNS_ON, LABEL),
    # In addition to the tables, and a candidate at most: a definition with "the",
    # limited to the few nouns that only a definition has there.
    ("is the", True, TYPE, LABEL),
)

#: Words behind a copula, or alone, and the preposition that they require.
_HEADS: Final = {
    "kind": "of",
    "type": "of",
    "instance": "of",
    "part": "of",
    "member": "of",
    "owned": "by",
    "hosted": "by",
    "deployed": "on",
    "contained": "in",
}
_AFTER_ARTICLE: Final = {
    "kind": "is a kind of",
    "type": "is a type of",
    "instance": "is an instance of",
    "part": "is part of",
    "member": "is a member of",
}
#: Verbs with their preposition: as stated, and as denied ("does not run on").
_VERBS: Final = {"runs": "on", "belongs": "to"}
_BARE_VERBS: Final = {"run": ("runs on", "on"), "belong": ("belongs to", "to")}
#: "is not really also still a"
ADVERBS_MAX: Final = 6
_NOT_ONLY: Final = frozenset(["only", "just", "merely", "simply"])  # behind "not"

_BITS: Final = {"of": OF, "by": BY, "on": ON, "in": IN, "to": TO}
_A: Final = PATTERNS["is a"]
_AN: Final = PATTERNS["is an"]
_THE: Final = PATTERNS["is the"]
_DEFINED: Final = {word: PATTERNS[name] for word, name in _AFTER_ARTICLE.items()}
#: List that must follow a head, pattern of the head alone and behind a copula.
_HEADED: Final = {
    word: (_BITS[to], PATTERNS[f"{word} {to}"], PATTERNS[f"is {word} {to}"])
    for word, to in _HEADS.items()
}
_STATED: Final = {
    word: (_BITS[to], PATTERNS[f"{word} {to}"]) for word, to in _VERBS.items()
}
_DENIED: Final = {
    word: (_BITS[to], PATTERNS[name]) for word, (name, to) in _BARE_VERBS.items()
}


def _kinds() -> dict[str, int]:
    """Return the kinds of the words by which a lead is recognised."""
    found: dict[str, int] = {}
    # The compiled filter looks at the words around a cue only, each of which is a set of kinds.
    back = words.ADVERBS | words.SOFTENERS | words.NEGATIONS
    for kind, listed in [
        (kinds.COPULA, ["is", "isn't"]),
        (kinds.KEYWORD, ["isa", "ispart"]),
        (kinds.VERB, _VERBS),
        (kinds.BARE, _BARE_VERBS),
        (kinds.HEAD, _HEADS),
        (kinds.WITHIN, back | {"no", "longer", "merely"}),
        (kinds.ADVERB, words.ADVERBS),
        (kinds.BACK, back),
        (kinds.LONGER, ["longer"]),
        # Only adverbs can stand between a copula and its article: "is probably a".
        (kinds.HEDGE, [word for word in words.HEDGES if word.endswith("ly")]),
        (kinds.DENIAL, ["doesn't", "not", "never"]),
        (kinds.ARTICLE, ["a", "an"]),
        (kinds.THE, ["the"]),
        (kinds.GENUS, nounwords.GENERA),
        (kinds.POINTER, words.POINTERS - {"that"}),  # "that" also joins clauses
        (kinds.JOIN, words.CLAUSE_JOINS | words.OPENING | {"that"}),
        (kinds.OPENING, words.OPENING),
        (kinds.AND, ["and"]),
        (kinds.OR, ["or"]),
        (kinds.SHORT, words.ABBREVIATIONS),
    ]:
        for word in listed:
            found[word] = found.get(word, 0) | kind
    for word, preposition in [
        *_HEADS.items(),
        *_VERBS.items(),
        *((word, preposition) for word, (_, preposition) in _BARE_VERBS.items()),
    ]:
        kind = getattr(kinds, preposition.upper())
        found[preposition] = found.get(preposition, 0) | kind
        found[word] |= kind << kinds.NEEDS  # "hosted" leads somewhere before "by" only
    return found


#: Search for the cue words that are worth building a sentence for.
CUE_FILTER: Final = CueFilter(_kinds())


class Match:
    """A pattern found in a sentence, with its subject, object and verdict.

    Attributes:
        start: First word of the cue, where the subject ends.
        end: Word behind the cue, where the object begins.
        negated: Whether the cue itself is a denial.
        softened: Whether an adverb in it weakens it: "is often a".
        subject: Subject, once it is read.
        phrase: Object, once it is read.
        confidence: Confidence, once it is judged.
        reason: Reason why the confidence is not higher; empty for none.
    """

    pattern: Pattern
    start: int
    end: int
    negated: bool
    softened: bool
    subject: Subject
    phrase: Phrase
    confidence: float
    reason: str


def match_at(sentence: Sentence, at: int) -> Match | None:
    """Return the pattern whose first cue word is at a position, if any."""
    if sentence.reads(at, "is"):
        return _copula(sentence, at, False)
    word = sentence.word(at)
    if word == "isn't":
        return _copula(sentence, at, True)
    if word == "isa" or word == "ispart":
        return _keyword(sentence, at)
    if word in _STATED:
        preposition, pattern = _STATED[word]
        return _verb(sentence, at, preposition, pattern)
    if word in _DENIED:
        preposition, pattern = _DENIED[word]
        return _denied_verb(sentence, at, preposition, pattern)
    if word not in _HEADED:
        return None
    preposition, pattern, _ = _HEADED[word]
    # "The part we like": without its preposition it is an ordinary noun.
    if not sentence.follows(at + 1, preposition):
        return None
    return _begun_and_ended(sentence, at, pattern, at + 2)


def _copula(sentence: Sentence, at: int, negated: bool) -> Match | None:
    found = _begun(sentence, at)
    if found is None:
        return None
    # "Never is", as well as "isn't".
    found.negated = found.negated or negated
    i = at + 1
    while i < sentence.count and i - at < ADVERBS_MAX and not sentence.gap(i) & ~PLAIN:
        lists = sentence.lists(i)
        if lists & NO and sentence.follows(i + 1, LONGER):
            found.negated, i = True, i + 2  # "is no longer a"
        elif lists & NEGATIONS and _is_not_only(sentence, i):
            found.softened, i = True, i + 2  # "is not only a"
        elif lists & NEGATIONS:
            found.negated, i = True, i + 1
        # "Is not necessarily a repo" neither states nor denies it.
        elif found.negated and lists & HALF_DENIALS:
            return None
        elif _may_stand_in(sentence, i):
            found.softened, i = found.softened or lists & SOFTENERS != 0, i + 1
        else:
            break
    if i >= sentence.count or sentence.gap(i) & ~PLAIN:
        return None
    return _behind_copula(sentence, i, found)


def _is_not_only(sentence: Sentence, at: int) -> bool:
    return at + 1 < sentence.count and sentence.word(at + 1) in _NOT_ONLY


def _behind_copula(sentence: Sentence, i: int, found: Match) -> Match | None:
    """Complete a match with the words behind a copula; None if they do not fit."""
    lists = sentence.lists(i)
    if lists & ARTICLES:
        if i + 1 >= sentence.count:
            return None
        # "Is a kind of repo" has its parent behind the "of"; other nouns are the parent.
        if sentence.follows(i + 2, OF):
            pattern = _DEFINED.get(sentence.word(i + 1))
            if pattern is not None:
                return _ended(found, pattern, i + 3)
        return _ended(found, _A if sentence.reads(i, "a") else _AN, i + 1)
    if lists & THE:
        # "Is the practice of" defines, "is the server" points to something known.
        return _ended(found, _THE, i + 1) if sentence.lists(i + 1) & GENERA else None
    if sentence.flags(i) & CUE and sentence.word(i) in _HEADED:
        preposition, _, pattern = _HEADED[sentence.word(i)]
        if sentence.follows(i + 1, preposition):
            return _ended(found, pattern, i + 2)
    return None


def _keyword(sentence: Sentence, at: int) -> Match | None:
    # "Isa" is a woman's name; the notation is all capitals or all lower case.
    written = sentence.text[sentence.start(at) : sentence.end(at)]
    if not (written.isupper() or written.islower()):
        return None
    found = _begun(sentence, at)
    if found is None:
        return None
    found.softened = False
    return _ended(found, PATTERNS[sentence.word(at).upper()], at + 1)


def _verb(
    sentence: Sentence, at: int, preposition: int, pattern: Pattern
) -> Match | None:
    end = at + 1
    if sentence.lists(end) & ADVERBS:  # "runs only on"
        end += 1
    if not sentence.follows(end, preposition):
        return None
    end += 1
    # "Runs on top of Docker" is about Docker.
    on_top = sentence.follows(end + 1, OF) and sentence.reads(end, "top")
    if on_top and not sentence.gap(end) & ~PLAIN:
        end += 2
    return _begun_and_ended(sentence, at, pattern, end)


def _denied_verb(
    sentence: Sentence, at: int, preposition: int, pattern: Pattern
) -> Match | None:
    """Recognise "doesn't run on"; without a denial a bare verb is no singular."""
    if not at or not sentence.follows(at + 1, preposition):
        return None
    if sentence.reads(at - 1, "doesn't"):
        start = at - 1
    elif (
        sentence.lists(at - 1) & NEGATIONS and at > 1 and sentence.reads(at - 2, "does")
    ):
        start = at - 2  # "does not run on"
    else:
        return None
    found = Match()
    found.start, found.negated, found.softened = start, True, False
    return _ended(found, pattern, at + 2)


def _begun(sentence: Sentence, at: int) -> Match | None:
    """Begin a match at a cue, or at the adverbs before it; None for a half denial."""
    # The other attributes are set when they have been read.
    found = Match()
    found.negated = found.softened = False
    # To the left, up to the subject: "never runs on", "no longer belongs to", "often is a".
    while at > 0 and not sentence.gap(at) & ~PLAIN:
        lists = sentence.lists(at - 1)
        if lists & NEGATIONS and _is_not_only(sentence, at - 1):
            found.softened = True
        elif lists & NEGATIONS and sentence.lists(at) & HALF_DENIALS:  # "not always"
            return None
        elif lists & NEGATIONS:
            found.negated = True
        elif lists & LONGER and at > 1 and sentence.lists(at - 2) & NO:
            found.negated, at = True, at - 1
        elif lists & SOFTENERS:
            found.softened = True
        elif not lists & ADVERBS:
            break
        at -= 1
    found.start = at
    return found


def _begun_and_ended(
    sentence: Sentence, at: int, pattern: Pattern, end: int
) -> Match | None:
    found = _begun(sentence, at)
    return None if found is None else _ended(found, pattern, end)


def _ended(found: Match, pattern: Pattern, end: int) -> Match:
    found.pattern = pattern
    found.end = end
    return found


def _may_stand_in(sentence: Sentence, at: int) -> bool:
    """Return whether a word may occur between a copula and the rest of its pattern."""
    lists = sentence.lists(at)
    if lists & (ADVERBS | SOFTENERS | NEGATIONS | NO | LONGER):
        return True
    if not lists & ENDS_IN_LY or lists & HEDGES:
        return False
    return len(sentence.word(at)) > 4  # not "july" and "ally"
