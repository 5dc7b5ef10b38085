"""Definitions: the first sentence under a title that says what the title is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from festinger.core.language.grounding import StemmedSentence
from festinger.core.memories.types import MemoryType
from festinger.core.review.blocks import BlockKind
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.prose import PlainSentence, passages, sentences_of
from festinger.core.review.rules.doubts import (
    CUT_SUBJECT,
    NO_SUBJECT,
    cleaned,
    is_boilerplate,
    is_meant,
    points_back,
)
from festinger.core.review.rules.sentences import marked
from festinger.core.review.rules.titles import introduces, topics

PRIOR = 0.6
SAID_MIN = 3
"""Minimum number of words beyond its subject that a definition has to have."""

_LEAD = re.compile(r"(?:in|within|from|for) [^,;:]{3,60}, (?=\S)", re.IGNORECASE)
"""Where a definition holds: "In computing, …"."""
# Verbs of what something does, in the third person: "A pod runs …", "Ingress exposes …".
_VERBS = (
    r"is|are|refers? to|describes?|means|denotes?|represents?|provides?|allows?|enables?"
    r"|lets?|handles?|manages?|contains?|stores?|holds?|runs?|helps?|defines?|determines?"
    r"|tracks?|lists?|serves?|consists? of|acts? as|processes|reads?|writes?|sends?"
    r"|receives?|keeps?|gives?|works?|exists?|happens?|occurs?|collects?|shows?|maps?"
    r"|builds?|abstracts?|accepts?|applies|apply|checks?|combines?|connects?|controls?"
    r"|converts?|creates?|decides?|delivers?|detects?|distributes?|ensures?|executes?"
    r"|exposes?|extends?|fetch(?:es)?|filters?|forwards?|generates?|hides?|identif(?:y|ies)"
    r"|implements?|includes?|intercepts?|introduces?|measures?|monitors?|moves?|offers?"
    r"|performs?|prescribes?|prevents?|produces?|protects?|publish(?:es)?|puts?|removes?"
    r"|renders?|replaces?|resolves?|restricts?|returns?|selects?|separates?|specif(?:y|ies)"
    r"|splits?|stands for|supports?|transforms?|translates?|validates?|verif(?:y|ies)"
    r"|wraps?"
)
# "A pod is …", "Pods (short: po) are …", "A pod, also called …, is …"; up to six words.
_DEFINES = re.compile(
    r"(?P<subject>(?:(?:an?|the|our) )?[^\s,;:()?!—–]+(?: [^\s,;:()?!—–]+){0,5}?)"  # noqa: RUF001
    r"(?: \([^()]{1,40}\))?"
    r"(?:,? (?:or|also|often|commonly|sometimes|in)\b[^,]{1,60},| [—–] [^—–]{1,80} [—–])?"  # noqa: RUF001
    rf" (?:{_VERBS}) (?!not\b)\S",
    re.IGNORECASE,
)
_KIND = re.compile(  # "Serverless computing" under the title "Serverless"
    r"(?:comput(?:er|ing)|system|application|app|architecture|model|pattern|approach|method"
    r"|process|service|server|tool|engine|component|module|object|type|command|feature"
    r"|page|team|group|issue|setting|parameter|option|field|class|function|file|technolog(?:y|ie))s?",
    re.IGNORECASE,
)
"""Words that say of which kind something is, and that a title leaves out."""
_NO_TITLE = re.compile(  # "Most pods are …" is about some only
    r"(?:if|most|many|several|all|any|every|[^\w\"'“`])", re.IGNORECASE
)
# "is one of the best", "is very popular": an opinion, not a definition.
_PRAISE = re.compile(
    r" (?:is|are)(?: an?| the| one of the)?(?: \w+)? ?(?<= )(?:important|valuable|useful|helpful|essential"
    r"|critical|crucial|vital|key|great|good|best|widely|well|also|still|easy|hard|no"
    r"|difficult|ideal|convenient|recurring|unique|simple|truly|available|expected|complex|popular|common|appropriate"
    r"|powerful|mature|flexible|robust|modern)\b",
    re.IGNORECASE,
)


def praises(text: str) -> bool:
    """Return True for what people think of something; it does not say what it is."""
    return _PRAISE.search(text) is not None


def definitions(source: ExtractionSource) -> Iterator[ExtractorFinding]:
    """Yield the first sentences that say what a title above them is."""
    # Only the first sentence below a title defines it; later ones say something about it.
    for at, passage in enumerate(passages(source)):
        if passage.kind is not BlockKind.PARAGRAPH or (at and not passage.under):
            continue
        first = next(sentences_of(source, passage), None)
        if first is None or not introduces(source, passage) or not _states(first):
            continue
        if _is_about(first.text, topics(source, passage)):
            content = cleaned(first.text)
            kind = MemoryType.COMPONENT
            yield ExtractorFinding(kind, content, "definition", PRIOR, first.span)


def _states(sentence: PlainSentence) -> bool:
    text = sentence.text
    return is_meant(sentence) and not (
        marked(text) or is_boilerplate(text) or points_back(text) or praises(text)
    )


def _is_about(text: str, titles: Sequence[str]) -> bool:
    """Return whether the subject of a sentence is the subject of a title."""
    # "In computing, a pod is …": the subject comes behind the lead.
    bare = _LEAD.sub("", text, count=1) if _LEAD.match(text) else text
    match = _DEFINES.match(bare)
    if match is None or NO_SUBJECT.match(bare) or _NO_TITLE.match(bare):
        return False
    if CUT_SUBJECT.search(match["subject"]):  # "a pod that is" has its subject cut off
        return False
    subject = StemmedSentence(match["subject"]).content
    rest = StemmedSentence(bare[match.end() - 1 :]).content
    if len(set(rest) - set(subject)) < SAID_MIN:  # "A pod is a thing." says nothing
        return False
    return any(_names(match["subject"], subject, title) for title in titles)


def _names(name: str, subject: Sequence[str], title: str) -> bool:
    """Return whether a subject is a title, a part of it, or its initials."""
    stems, words = set(StemmedSentence(title).content), set(subject)
    of_a_kind = (
        len(words - stems) == 1 and _KIND.fullmatch(name.split()[-1]) is not None
    )
    initials = "".join(word[0] for word in re.findall(r"[^\W_]+", title)).upper()
    # The title itself; most of it; with a word of its kind; or "CRDs" under "Custom
    # Resource Definition".
    return (
        words == stems
        or (len(words) > 1 and words <= stems and 2 * len(words) >= len(stems))
        or (stems < words and of_a_kind)
        or (len(initials) > 1 and name.split()[-1].upper().rstrip("S") == initials)
    )
