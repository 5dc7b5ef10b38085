"""Token flags, limits and named tuples of the hot path."""

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
#: A sentence continues behind a line that ends with the word.
OPEN_END = 1 << 1
#: A line that begins with the word, in lower case, continues the line before.
OPEN_START = 1 << 15
#: The word's spelling: see `Lists`.
ENDS_IN_LY = 1 << 60
ENDS_IN_ED = 1 << 61
ENDS_IN_ING = 1 << 62
HYPHENATED = 1 << 63

# Marks of a gap. A plain blank has none.
COMMA = 1
COLON = 2
DASH = 4
OPEN = 8  #: opening parenthesis
CLOSE = 16  #: closing parenthesis
END = 32  #: end of the sentence
ODD = 64  #: anything that no phrase reaches across: / @ = emoji, code
QUOTED = 128  #: a quotation mark of a single quoted word
POSSESSIVE = 256
WRAP = 512  #: a line break within the sentence

# Marks that are only used while a gap is read: a full stop and a line break.
STOP = 1024
BREAK = 2048

#: Gaps that a phrase may reach across.
PLAIN = WRAP

# Marks around a sentence that may retract it.
STRUCK = 1  #: before it, a cross or the mark of a changed line
REMARKED = 2  #: behind it, a possible remark on it: "Right?"
LED = 4  #: above it, a line that may introduce it: "Requirements:"

#: Default seed of the hash tables; an arbitrary number.
SEED = 0x9E3779B97F4A7C15

#: The largest id and count: Postgres' bigint.
INT64_MAX = 2**63 - 1


#: Characters that `readable` writes over text that is not prose: invisible, or opaque.
HIDDEN = "\x01"
OPAQUE = "\x00"

#: Template of a question about a token; the token replaces the braces.
HINT = (
    "? {}: no recollection. If not a typo, store it before proceeding:\n"
    "  gutask iknowthat '{} -isa <parent> in context of <dimension>'\n"
    "  gutask iknowthat '{} -ispart <system> in context of <dimension>'"
)
#: Maximum number of unknown names that are looked for in the texts of a prompt.
LOOKED_FOR_MAX = 50
#: A word of at most this many ASCII letters is accepted as a name unchecked.
PLAIN_LETTERS_MAX = 64

#: Longer sentences are lists or logs; text behind the limit is not read.
SENTENCE_CHARACTERS_MAX = 400
#: Characters above a sentence within which a line that introduces it is looked for.
LED_CHARACTERS_MAX = 600


class VocabularyEntry(NamedTuple):
    """Entry of the vocabulary for one token.

    Attributes:
        id: The database id, positive.
        token: The token itself.
        encounters: The number of new messages in which it was met.
        last_seen: Time of the last encounter, in epoch seconds; 0.0 if never.
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


class VocabularyLookup(NamedTuple):
    """Result of looking up the tokens of one scan in a vocabulary.

    Attributes:
        salient: Ids of the known concepts that reach the threshold, each once, in
            order of first appearance.
        unknown_tokens: Concepts that the vocabulary does not hold, each once, in order
            of first appearance.
    """

    salient: Sequence[int]
    unknown_tokens: Sequence[str]


class Edge(NamedTuple):
    """A held fact: `concept IN parent` in a dimension.

    Attributes:
        concept_id: The concept that is placed.
        parent_id: The concept that it is placed in.
        dim_id: The dimension in which it is placed there.
        is_isa: Whether the fact is an ISA; else it is an ISPART.
        confidence: In [0.0, 1.0].
        last_confirmed: Time of the last confirmation, in epoch seconds.
        source: Number of the fact's source.
        modality: Number of the fact's modality.
        assertion_id: Id of the assertion's row in the ledger.
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
        """The slot that it takes among its concept's edges in the dimension.

        0 if the concept has one parent there at most, else the parent's id.
        """
        return self.parent_id if self.many else 0

    @property
    def place(self) -> tuple[int, int, int]:
        """Concept, dimension and slot, which identify an edge."""
        return self.concept_id, self.dim_id, self.slot


#: Sort key of an edge among the edges of its concept.
PLACE = attrgetter("dim_id", "slot")


def digest_of(text: str) -> bytes:
    """Return the digest of a line's text, 8 bytes."""
    return blake2b(text.encode(), digest_size=8).digest()


class GraphLineKind(StrEnum):
    """Kind of a line."""

    RECOLLECTION = "recollection"
    HINT = "hint"
    MEMORY = "memory"
    QUOTE = "quote"


class Line(NamedTuple):
    """A line of the block; a hint has three lines of text.

    Attributes:
        why: The reason for its choice, for people.
    """

    concept: str
    text: str
    kind: GraphLineKind
    why: str

    @property
    def digest(self) -> bytes:
        """The digest of the text, 8 bytes; equal for equal texts."""
        return digest_of(self.text)


class GraphLines(NamedTuple):
    """Lines about some concepts, and the concepts that are unknown.

    Attributes:
        lines: Lines about the chosen concepts, in order of their names.
        unknown: Tokens of the concepts that nothing mentions, and of those whose own
            edges are all too weak or too old; the most important first. To be iterated
            once, and before anything changes.
    """

    lines: Sequence[Line]
    unknown: Iterator[str]


#: BM25's saturation of a term's count, and the mean terms of a line, in `Postings`.
SATURATION = 0.9
LENGTH_MEAN = 9.0
#: Number of steps per unit in which a line's weight for a term is stored.
WEIGHT_UNIT = 64.0
#: Maximum number of terms of a query that are looked up; each has one bit.
QUERY_TERMS_MAX = 48
#: Maximum number of values of a line's embedding.
VECTOR_WIDTH_MAX = 4_096
#: Group of no line: a search for it prefers none. -1 marks removed lines.
NO_GROUP = -2
#: Maximum number of postings that a query reads; the commonest terms are left out.
POSTINGS_READ_MAX = 20_000
