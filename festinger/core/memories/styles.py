"""Manners of writing that a person's turns show, whether or not they name them.

"Asks questions before diving in" and "uses technical language" describe how somebody
writes: their words stand in no turn, but sentences show them.
"""

# ruff: noqa: RUF001 - typographic marks, as people write them
from __future__ import annotations

import re
from collections.abc import Sequence

from festinger.core.language.grounding import SourceText, StemmedSentence

_WANTS = (
    r"(?:often |usually |always |tends to )?"
    r"(?:prefers?|likes?|wants?|asks? for|requests?|expects?|values) (?:\w+ly )?"
)
_ANSWERS = r"(?:explanations?|answers?|responses?|replies|instructions?|descriptions?)"
_TERMS = (
    # Acronyms, names of code, versions …
    r"\b[A-Z]{2,}s?\b|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b|\b\w+\(\)|`[^`]+`"
    # … and words of the trade.
    r"|\b(?:mutex|threads?|kernel|scheduler|cache|latency|throughput|compiler|runtime|schema"
    r"|index(?:es|ing)?|queries|query|async|middleware|endpoint|payload|backend|frontend|deploy\w*"
    r"|algorithms?|recursion|regex|parser|tokeni[sz]er|container|cluster|refactor\w*|repository"
    r"|commit|branch|merge|rebase|pipeline|hash\w*|pointer|heap|stack trace|callback|coroutine)\b"
)

STYLES: Sequence[tuple[re.Pattern[str], re.Pattern[str]]] = tuple(
    (re.compile(claim, re.IGNORECASE), re.compile(shown, flags))
    for claim, shown, flags in (
        (
            r"(?:often |usually |always |tends to )?asks? (?:\w+ )?questions?"
            r"(?: (?:first|often|a lot|before \w+(?: \w+){0,3}))?",
            r"[?？][\"'”’)\]]*$",
            0,
        ),
        (
            rf"{_WANTS}(?:detailed|in-depth|thorough|long) {_ANSWERS}",
            r"\b(?:details?|detailed|in[- ]depth|elaborate|thorough\w*|at length|fully)\b",
            re.I,
        ),
        (
            rf"{_WANTS}(?:short|brief|concise|terse|direct) {_ANSWERS}",
            r"\b(?:short|brief\w*|concise\w*|tl;?dr|in (?:one|a) (?:word|line|sentence)"
            r"|no fluff|just the \w+)\b",
            re.I,
        ),
        (
            rf"{_WANTS}(?:step[- ]by[- ]step) {_ANSWERS}",
            r"\b(?:step[- ]by[- ]step|one step at a time|walk me through)\b",
            re.I,
        ),
        (rf"{_WANTS}(?:\w+ )?examples?", r"\bexamples?\b|\bfor instance\b", re.I),
        (
            r"(?:often |usually |always |tends to )?uses? (?:\w+ )?(?:technical|precise)"
            r" (?:language|terms|words|vocabulary|jargon)",
            # Case matters: acronyms are capitals.
            _TERMS,
            0,
        ),
    )
)
"""Claims of a manner, each with what a sentence has that shows it."""


def shown_in(claim: str, text: SourceText) -> tuple[StemmedSentence, ...]:
    """Return the sentences that show the manner of a claim; none for other claims."""
    plain = " ".join(claim.split()).rstrip(".!")
    for described, shown in STYLES:
        if described.fullmatch(plain):
            return tuple(it for it in text.sentences if shown.search(it.text))
    return ()
