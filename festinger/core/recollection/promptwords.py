"""Features of a prompt's words: which small ones it has, and what all of them mean.

"Should one …" and "a …" are about any, "is the … still …" is about ours. Prompts about
plumbing or grammar seldom need a memory, which the vectors of their words show.
"""

from __future__ import annotations

import re
from array import array
from math import hypot
from typing import Final

from festinger.core.lines.wordvectors import WIDTH, vector_of
from festinger.core.system.wordsets import word_list

SMALL_WORDS: Final = word_list("""
    the a an any some this that these those it its i m me my we us our you your he
    she they his her their them one what which who whom whose when where why how is
    are was were be been do does did can could should would will ll may must have
    has had am s not t no if or and but so as than then too also just only more most
    best first last next new for to of in on at by with from into about after before
    between without up out off over down back all each every other many much few
    need want get make write give tell explain name use find keep take put look say
    think know help show start work go come see let please there here now still
    again today whats dont cant im id
""")
"""Small words, and what stands behind an apostrophe."""
WORD_FEATURES: Final = (
    *(f"word_{it}" for it in SMALL_WORDS),
    *(f"meaning_{at}" for at in range(WIDTH)),
)
"""Names of the features, in the order of their values."""
_WORD: Final = re.compile(r"[a-z]+")


def values_of_words(text: str) -> list[float]:
    """Return the features of the words of a text in lower case (`WORD_FEATURES`)."""
    there = set(_WORD.findall(text))
    vector = array("b", vector_of(text)) or array("b", bytes(WIDTH))
    # Long texts have long vectors: only the direction counts.
    length = hypot(*vector) or 1.0
    return [
        *(1.0 if it in there else 0.0 for it in SMALL_WORDS),
        *(it / length for it in vector),
    ]
