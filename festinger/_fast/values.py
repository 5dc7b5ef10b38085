"""What both builds hand out: token flags and the named tuples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from hashlib import blake2b
from operator import attrgetter
from typing import NamedTuple

#: The token may be a concept: see `Scan.flags`.
CONCEPT = 1
#: The token begins with an upper-case letter in the text.
CAPITAL = 2
#: The token was merged from several capitalised words.
COMPOUND = 4
#: The token is a closed-class word (`words.CLOSED_CLASS`).
CLOSED = 8
#: The token is a cue word (`words.CUE_WORDS`).
CUE = 16

#: A full stop behind the word ends no sentence: see `Lists`.
SHORT = 1 << 0
#: A line that ends on the word goes on.
OPEN_END = 1 << 1
#: A line that begins with the word, in lower case, goes on from the one before.
OPEN_START = 1 << 15
#: The word's spelling: see `Lists`.
ENDS_IN_LY = 1 << 60
ENDS_IN_ED = 1 << 61
ENDS_IN_ING = 1 << 62
HYPHENATED = 1 << 63

#: Seed of a table's hash unless another is asked for; any odd-looking number does.
SEED = 0x9E3779B97F4A7C15

#: The largest id and count: Postgres' bigint.
INT64_MAX = 2**63 - 1


#: What `readable` writes over what is not prose: nothing there, or something opaque.
HIDDEN = "\x01"
OPAQUE = "\x00"

#: What a question about a token says; the token goes into the braces.
HINT = (
    "? {}: no recollection. If not a typo, store it before proceeding:\n"
    "  gutask iknowthat '{} -isa <parent> in context of <dimension>'\n"
    "  gutask iknowthat '{} -ispart <system> in context of <dimension>'"
)
#: Unknown names of a prompt that are looked for in its texts, the important first.
LOOKED_FOR_MAX = 50
#: A word of so many letters of ASCII at most is a name, whatever they are.
PLAIN_LETTERS_MAX = 64

#: Longer sentences are lists or logs; what stands behind the limit is not read.
SENTENCE_CHARACTERS_MAX = 400
#: Characters above a sentence within which a line that leads to it is looked for.
LED_CHARACTERS_MAX = 600


class Row(NamedTuple):
    """What the vocabulary knows about one token.

    Attributes:
        id: The database id, positive.
        token: The token itself.
        encounters: In how many new messages it was met.
        last_seen: When it was last met, in epoch seconds; 0.0 if never.
        saliency: log10 of the encounters; 0.0 for a word of the dictionary.
        novelty: 1.0 once a fact placed it, else 0.0.
        dictionary: Whether it is an everyday word.
    """

    id: int
    token: str
    encounters: int
    last_seen: float
    saliency: float
    novelty: float
    dictionary: bool


class Reading(NamedTuple):
    """What one scan meant to a vocabulary.

    Attributes:
        salient: Ids of the known concepts that reach the threshold, each once, in
            order of first appearance.
        strangers: Concepts that the vocabulary does not hold, each once, in order
            of first appearance.
    """

    salient: Sequence[int]
    strangers: Sequence[str]


class Edge(NamedTuple):
    """One held fact: `concept IN parent` in a dimension.

    Attributes:
        concept_id: What is placed.
        parent_id: What it is placed in.
        dim_id: The dimension in which it is placed there.
        is_isa: Whether the fact is an ISA; else it is an ISPART.
        confidence: In [0.0, 1.0].
        last_confirmed: In epoch seconds.
        source: Number of the door through which the fact came.
        modality: Number of the fact's modality.
        assertion_id: The ledger's row of the assertion.
        many: Whether the concept may have other parents in the dimension.
    """

    concept_id: int
    parent_id: int
    dim_id: int
    is_isa: bool
    confidence: float
    last_confirmed: float
    source: int
    modality: int
    assertion_id: int
    many: bool = False

    @property
    def slot(self) -> int:
        """Which of its concept's places in the dimension it takes.

        0 for the only one, else the parent's number.
        """
        return self.parent_id if self.many else 0

    @property
    def place(self) -> tuple[int, int, int]:
        """Concept, dimension and slot: one edge at most is held there."""
        return self.concept_id, self.dim_id, self.slot


#: An edge's place in the order of its concept's edges.
PLACE = attrgetter("dim_id", "slot")


def digest_of(text: str) -> bytes:
    """What a line's text is known by, 8 bytes."""
    return blake2b(text.encode(), digest_size=8).digest()


class Kind(StrEnum):
    """What a line is."""

    RECOLLECTION = "recollection"
    HINT = "hint"
    MEMORY = "memory"
    QUOTE = "quote"


class Line(NamedTuple):
    """A line of the block; a hint has three lines of text.

    Attributes:
        why: Why it was chosen, for people.
    """

    concept: str
    text: str
    kind: Kind
    why: str

    @property
    def digest(self) -> bytes:
        """Equal for equal texts, 8 bytes."""
        return digest_of(self.text)


#: The tags of a line's fields: concept, text, digest and why; and the field of each kind,
#: as it is written.
LineForm = tuple[int, int, int, int, dict[str, bytes]]


class Telling(NamedTuple):
    """What is told of some concepts.

    Attributes:
        lines: What is known of the chosen ones, in order of their names.
        unknown: Tokens of those that nothing mentions, and of those whose own edges
            are all too weak or too old; the important first. Read it once, and
            before anything changes.
    """

    lines: Sequence[Line]
    unknown: Iterator[str]


#: BM25's saturation of a term's count, and the mean terms of a line, in `Postings`.
SATURATION = 0.9
LENGTH_MEAN = 9.0
#: A line's weight for a term is kept in steps of one part of this.
WEIGHT_UNIT = 64.0
#: Terms of a query that are looked up; one bit tells of each.
QUERY_TERMS_MAX = 48
#: Entries of lists that a query reads; the commonest terms are left out beyond that.
POSTINGS_READ_MAX = 20_000
