"""The cue patterns as data, and how one is recognised at a cue word.

The names are the specification's, without the braces. A pattern with "is" also
matches its verb-less twin's words behind a copula ("is hosted by"), at the prior of a
clean copula; without one it is worth the prior of a label line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from festinger._fast import Leads, kinds
from festinger.core.cues.marks import PLAIN
from festinger.core.cues.sentences import Sentence
from festinger.core.cues.words import (
    ABBREVIATIONS,
    ADVERBS,
    CLAUSE_JOINS,
    GENERA,
    HALF_DENIALS,
    HEDGES,
    NEGATIONS,
    OPENING,
    POINTERS,
    SOFTENERS,
)
from festinger.core.proposal import MEMBERSHIP, TYPE

KEYWORD: Final = 0.95
IS_A: Final = 0.75
COPULA: Final = 0.70
LABEL: Final = 0.50

RUNS_ON: Final = "runs-on"
OWNED_BY: Final = "owned-by"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One row of the tables: what its words say, and how far to rely on it.

    Attributes:
        name: The rule's name, as evidence shows it.
        is_isa: Whether the subject is a kind of the object, or a part of it.
        dimension: The dimension if the text names none.
        prior: The confidence when every rule is passed (E2a).
    """

    name: str
    is_isa: bool
    dimension: str
    prior: float

    @property
    def verbless(self) -> bool:
        """Whether it has no verb, so that only a label line may carry it."""
        return self.prior == LABEL


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
    # Beyond the tables, and never more than a candidate: a definition with "the",
    # closed to the few nouns that only a definition has there.
    ("is the", True, TYPE, LABEL),
)

#: The word behind a copula, or alone, and the preposition that it needs.
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
_DENIALS: Final = frozenset(["doesn't", "not", "never"])


def _kinds() -> dict[str, int]:
    """The kinds of the words by which a lead is told."""
    found: dict[str, int] = {}
    for kind, words in [
        (kinds.COPULA, ["is", "isn't"]),
        (kinds.KEYWORD, ["isa", "ispart"]),
        (kinds.VERB, _VERBS),
        (kinds.BARE, _BARE_VERBS),
        (kinds.HEAD, _HEADS),
        (kinds.WITHIN, ADVERBS | SOFTENERS | NEGATIONS | {"no", "longer", "merely"}),
        (kinds.ADVERB, ADVERBS),
        (kinds.BACK, ADVERBS | SOFTENERS | NEGATIONS),
        (kinds.LONGER, ["longer"]),
        (kinds.HEDGE, [word for word in HEDGES if word.endswith("ly")]),
        (kinds.DENIAL, _DENIALS),
        (kinds.ARTICLE, ["a", "an"]),
        (kinds.THE, ["the"]),
        (kinds.GENUS, GENERA),
        (kinds.POINTER, POINTERS - {"that"}),
        (kinds.JOIN, CLAUSE_JOINS | OPENING | {"that"}),
        (kinds.OPENING, OPENING),
        (kinds.AND, ["and"]),
        (kinds.OR, ["or"]),
        (kinds.SHORT, ABBREVIATIONS),
    ]:
        for word in words:
            found[word] = found.get(word, 0) | kind
    for word, preposition in [
        *_HEADS.items(),
        *_VERBS.items(),
        *((word, preposition) for word, (_, preposition) in _BARE_VERBS.items()),
    ]:
        kind = getattr(kinds, preposition.upper())
        found[preposition] = found.get(preposition, 0) | kind
        found[word] |= kind << kinds.NEEDS
    return found


#: Finds the cue words that are worth building a sentence for.
LEADS: Final = Leads(_kinds())


class Match:
    """A pattern found in a sentence, before anyone asked who and what.

    Attributes:
        start: The first word of the cue; the subject ends here.
        end: The word behind the cue; the object begins here.
        negated: Whether the cue itself denies.
        softened: Whether an adverb in it weakens it: "is often a".
    """

    def __init__(
        self,
        pattern: Pattern,
        start: int,
        end: int,
        negated: bool = False,
        softened: bool = False,
    ) -> None:
        """Note what was found."""
        self.pattern = pattern
        self.start = start
        self.end = end
        self.negated = negated
        self.softened = softened


def match_at(sentence: Sentence, at: int) -> Match | None:
    """Recognise the pattern whose first cue word is at a position, if one is."""
    word = sentence.words[at]
    if word in ("is", "isn't"):
        return _copula(sentence, at)
    if word in ("isa", "ispart"):
        return _keyword(sentence, at)
    if word in _VERBS:
        return _verb(sentence, at, f"{word} {_VERBS[word]}", _VERBS[word])
    if word in _BARE_VERBS:
        name, preposition = _BARE_VERBS[word]
        return _denied_verb(sentence, at, name, preposition)
    if word not in _HEADS or not sentence.follows(at + 1, _HEADS[word]):
        return None
    start, negated, softened = _before(sentence, at)
    pattern = PATTERNS[f"{word} {_HEADS[word]}"]
    return Match(pattern, start, at + 2, negated, softened)


def _copula(sentence: Sentence, at: int) -> Match | None:
    words = sentence.words
    negated = words[at] == "isn't"
    start, _, softened = _before(sentence, at)
    i = at + 1
    while i < len(words) and i - at < ADVERBS_MAX and sentence.gaps[i] & ~PLAIN == 0:
        word = words[i]
        if word == "no" and sentence.follows(i + 1, "longer"):
            negated, i = True, i + 2
        elif word in NEGATIONS and words[i + 1 : i + 2] in (
            ["only"], ["just"], ["merely"], ["simply"],
        ):  # fmt: skip
            softened, i = True, i + 2
        elif word in NEGATIONS:
            negated, i = True, i + 1
        elif negated and word in HALF_DENIALS:
            return None
        elif _may_stand_in(word):
            softened, i = softened or word in SOFTENERS, i + 1
        else:
            break
    name, end = _behind_copula(sentence, i)
    if name is None:
        return None
    return Match(PATTERNS[name], start, end, negated, softened)


def _behind_copula(sentence: Sentence, i: int) -> tuple[str | None, int]:
    words, gaps = sentence.words, sentence.gaps
    if i >= len(words) or gaps[i] & ~PLAIN:
        return None, i
    word = words[i]
    if word in ("a", "an"):
        if i + 1 >= len(words):
            return None, i
        head = words[i + 1]
        if head in _AFTER_ARTICLE and sentence.follows(i + 2, "of"):
            return _AFTER_ARTICLE[head], i + 3
        return f"is {word}", i + 1
    if word == "the":
        head = words[i + 1] if i + 1 < len(words) else ""
        return ("is the" if head in GENERA else None), i + 1
    preposition = _HEADS.get(word)
    if preposition is not None and sentence.follows(i + 1, preposition):
        return f"is {word} {preposition}", i + 2
    return None, i


def _keyword(sentence: Sentence, at: int) -> Match | None:
    # "Isa" is a woman's name; the notation is all capitals, or typed in a hurry.
    start, end = sentence.starts[at], sentence.ends[at]
    written = sentence.text[start:end]
    if not (written.isupper() or written.islower()):
        return None
    first, negated, _ = _before(sentence, at)
    return Match(PATTERNS[sentence.words[at].upper()], first, at + 1, negated)


def _verb(sentence: Sentence, at: int, name: str, preposition: str) -> Match | None:
    start, negated, softened = _before(sentence, at)
    end = at + 1
    if end < len(sentence.words) and sentence.words[end] in ADVERBS:
        end += 1
    if not sentence.follows(end, preposition):
        return None
    end += 1
    if sentence.follows(end, "top") and sentence.follows(end + 1, "of"):
        end += 2
    return Match(PATTERNS[name], start, end, negated, softened)


def _denied_verb(
    sentence: Sentence, at: int, name: str, preposition: str
) -> Match | None:
    """Recognise "doesn't run on"; a bare verb that nothing denies has no singular."""
    words = sentence.words
    if not sentence.follows(at + 1, preposition) or not at:
        return None
    if words[at - 1] == "doesn't":
        start = at - 1
    elif words[at - 1] in _DENIALS and words[at - 2 : at - 1] == ["does"]:
        start = at - 2
    else:
        return None
    return Match(PATTERNS[name], start, at + 2, negated=True)


def _before(sentence: Sentence, at: int) -> tuple[int, bool, bool]:
    """Step back over the adverbs before a cue: "never runs on", "now also is"."""
    words, gaps = sentence.words, sentence.gaps
    negated = softened = False
    while at > 0 and gaps[at] & ~PLAIN == 0:
        word = words[at - 1]
        if word in NEGATIONS:
            negated = True
        elif word == "longer" and at > 1 and words[at - 2] == "no":
            negated, at = True, at - 1
        elif word in SOFTENERS:
            softened = True
        elif word not in ADVERBS:
            break
        at -= 1
    return at, negated, softened


def _may_stand_in(word: str) -> bool:
    """Whether a word may stand between a copula and the rest of its pattern."""
    if word in ADVERBS or word in SOFTENERS or word in NEGATIONS:
        return True
    if word in ("no", "longer", "merely"):
        return True
    return word.endswith("ly") and len(word) > 4 and word not in HEDGES
