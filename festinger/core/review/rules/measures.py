"""Extractor of values with a unit: "mass = 4.8 kg", "The response time is 12 ms"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.prose import ProseExtractor, passages, sentences_of
from festinger.core.review.rules.doubts import cleaned, is_meant
from festinger.core.review.rules.titles import topics, with_title

EXTRACTOR_VERSION = "0.3.0"
PRIOR = 0.6

# Case-sensitive: "mS" is no "ms". Ambiguous units of one letter ("5 a day", "3 in a
# row", "2 m") count after a sign of equality only.
_UNITS = (
    r"%|‰|°C|°F|°|[kMGT]?Hz|rpm|fps|dpi|ppm|ppb|dB[im]?"
    r"|[kMGT]i?B(?:/s|ps)?|[kMGT]?bit(?:/s)?|[kMGT]bps|bytes?"
    r"|[mµμnk]?s|min|hours?|minutes?|seconds?|milliseconds?|days?|weeks?|months?|years?"
    r"|[kmµμ]?g|tons?|tonnes?|lbs?|oz|[kcmµμn]m|[kcm]?m[²³]|[kcm]m[23]|miles?|inch(?:es)?"
    r"|[mµμ]?l|litres?|liters?|[kMGmµμ]?[WVJN]|[kMG]?Wh|m?Ah|[mµμ]A|[kMG]?Pa|m?bar|psi"
    r"|[kMG]?Ω|kN|Nm|lm|lx|cd|mol|m/s(?:²|2|\^2)?|km/h|mph|[rR]eq(?:uests?)?/s"
    r"|[rq]ps|EUR|USD|€|\$|cores?|vCPUs?|pixels?|px|tokens?(?:/s)?|kcal"
)
_SHORT = r"[AKVWNJstmhglC]"
_NUMBER = r"[-+−±]?\d[\d,.'_  ]*(?:[eE][-+]?\d+)?"  # noqa: RUF001
_RANGE = rf"{_NUMBER}(?: ?(?:-|–|to|±) ?{_NUMBER})?"  # noqa: RUF001
_NAME = r"(?P<name>[^\W\d_][^\s=:,;()?!<>|]*(?: [^\s=:,;()?!<>|]+){0,6}?)"
_ABOUT = r"(?:(?:about|approximately|approx\.|around|roughly|~|≈|up to|at most|at least|exactly|only|<|>|≤|≥|<=|>=) ?)*"
_EQUAL = re.compile(
    rf"{_NAME} ?(?:=|≈|≤|≥|:(?= )) ?{_ABOUT}{_RANGE} ?(?:{_UNITS}|{_SHORT})(?![\w/])"
)
_IS = re.compile(
    rf"{_NAME} (?:is|are|was|were|equals|measures?|weighs?|takes?|averages?|reached"
    rf"|reaches|totals?|lasts?) {_ABOUT}{_RANGE} ?(?:{_UNITS})(?![\w/])"
)
_NO_NAME = re.compile(
    r"(?:it|its|this|that|these|those|they|he|she|i|we|you|there|here|which|what|who|one"
    r"|and|but|or|so|if|when|for|in|on|at|by|with|from|to|not|no|none|then|note|example"
    r"|step|line|version|chapter|section|figure|page|date|time|port|https?|see|until"
    r"|wait|after|before|every|all|about|each)\b",
    re.IGNORECASE,
)
_CUT_NAME = re.compile(r"\b(?:by|of|to|from|than|for|in|at|with|every)$", re.IGNORECASE)
_LABEL = re.compile(r" ?:")
_NEGATED = re.compile(r"\b(?:not|never|no|cannot)\b|n['’]t\b", re.IGNORECASE)  # noqa: RUF001
_ARTICLE = re.compile(r"(?:the|an?|our|its) ", re.IGNORECASE)


class Measures(ProseExtractor):
    """Extractor of measurements: a name, a number and a unit."""

    name = "measures"
    version = EXTRACTOR_VERSION

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the measurements, in the order of the text."""
        found: list[ExtractorFinding] = []
        for passage in passages(source):
            for sentence in sentences_of(source, passage):
                if not is_meant(sentence):
                    continue
                if read := _read(sentence.text, sentence.guarded):
                    kind = MemoryType.MEASUREMENT
                    content = with_title(*read, topics(source, passage))
                    found.append(
                        ExtractorFinding(kind, content, "measure", PRIOR, sentence.span)
                    )
        return found


def _read(text: str, guarded: str) -> tuple[str, str] | None:
    """Return a measurement and its name."""
    for pattern in (_EQUAL, _IS):
        match = pattern.match(guarded)
        if match is None:
            continue
        name = _ARTICLE.sub("", match["name"], count=1)
        if _NO_NAME.match(name) or _CUT_NAME.search(name) or _NEGATED.search(match[0]):
            return None
        if " " not in name and _LABEL.match(guarded, match.end("name")):
            return None  # one word with a colon names a row of a comparison
        return cleaned(text[: match.end()]), name
    return None
