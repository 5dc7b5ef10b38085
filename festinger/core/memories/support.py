"""Support of a claim in a text: its grounding and the number of its mentions (G1).

The score of `core.language.grounding` decides, with four shortcuts; none overrides a
failed guard (number, name, negation).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile

from festinger._fast.words import CLOSED_CLASS
from festinger.core.language.grounding import (
    PATTERN_FRAME,
    THRESHOLDS,
    WINDOW_SENTENCES,
    Band,
    Grounding,
    Guard,
    SourceText,
    StemmedSentence,
    Thresholds,
    ground,
    stands_in,
)
from festinger.core.language.terms import stem
from festinger.core.memories.styles import shown_in
from festinger.core.memories.types import MemoryType
from festinger.core.system.wordsets import word_set

SIMILAR_MIN = 0.85
"""The score above which a claim counts as mentioned in other words."""
FAMILY_CHARACTERS_MIN, FAMILY_SHARE_MIN = 5, 0.7
"""Minimum length and share of the prefix that two words of a family have in common."""
OBSERVED_MIN = 2
"""Minimum number of mentions of a pattern."""

FRAMES: dict[MemoryType, Collection[str]] = {
    MemoryType.USER_PATTERN: PATTERN_FRAME
    | word_set("tends tend to often usually typically generally regularly")
}
"""Words at the beginning of a claim of that type that need not be in the text."""

_DETERMINERS = word_set("the a an this that these those my your his her its our their")
_REFERENCES = frozenset(["it", "they", "them"])

NARRATED = word_set(
    "explanation explanations answer answers response responses reply replies "
    "question questions request requests asks requests instructions"
)
"""Words of a summary for parts of a conversation, which people need not use."""


class MentionKind(StrEnum):
    """Kind of mention of a claim in a text."""

    EXACT = "exact_quote"
    PHRASES = "key_phrases"
    SIMILAR = "semantic_similarity"
    """Half of its words are in the text, or it is there in other words."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Support:
    """Support of a claim in a text.

    Attributes:
        sources: The sentences that contain most of it.
        missing: Its words that are not in the text.
    """

    grounding: Grounding
    mention: MentionKind
    mentions: int = 0
    sources: tuple[StemmedSentence, ...] = ()
    missing: tuple[str, ...] = ()


def hold(
    claim: str, type: MemoryType, text: SourceText, thresholds: Thresholds = THRESHOLDS
) -> Support:
    """Return the support of a claim in a text."""
    claim = unicodedata.normalize("NFC", claim)
    frame = FRAMES.get(type, ())
    said = StemmedSentence(claim)
    if not said.stems or not text.sentences:
        return Support(Grounding(0.0, Band.REJECTED), MentionKind.NONE)
    # People say "I am", "I have" of what a claim says with "is", "has".
    said = next((each for each in persons(said) if stands_in(each, text, frame)), said)
    grounding = ground(said.text, text, thresholds=thresholds, frame=frame)
    words = _content(said, frame)
    stems = [stem(word) for word in words]
    # "Conceptual" counts for "concept".
    families = [{it for it in text.stems if akin(each, it)} for each in stems]
    shares = [_share(families, [each]) for each in text.sentences]
    mentions = _count(shares, text)
    sources = _sources(shares, text)
    stands = stands_in(said, text, frame) is not None
    # 1: all phrases nearby. "Loves fettuccini with alfredo sauce" is
    # grounded in "I love fettuccini. The alfredo sauce is perfect."
    quoting = () if stands else _quoting(said, text, frame)
    mention = _mention(families, text, grounding, quoted=stands or bool(quoting))
    # 2: a pattern is observed, not stated: its words together, and mentioned twice.
    observed = type is MemoryType.USER_PATTERN and mentions >= OBSERVED_MIN
    if quoting or (
        observed and not stands and _together([{each} for each in stems], text) == 1.0
    ):
        grounding = _lifted(grounding, said, quoting or sources, thresholds)
    # 3: all words are there, or words of their families: at least for people to decide.
    elif mention in (MentionKind.EXACT, MentionKind.PHRASES):
        score = max(grounding.score, thresholds.candidate)
        band = thresholds.band(score, grounding.failed)
        grounding = replace(grounding, score=score, band=band)
    missing = tuple(
        dict.fromkeys(
            word for word, family in zip(words, families, strict=True) if not family
        )
    )
    return Support(grounding, mention, mentions, sources, missing)


def shown(
    claim: str, text: SourceText, thresholds: Thresholds = THRESHOLDS
) -> Support | None:
    """Return the support of a manner of writing by sentences that show it.

    None if the claim is no such manner, or not shown.
    """
    # 4: "asks questions first" is shown by questions, whatever their words.
    sentences = shown_in(claim, text)
    if not sentences:
        return None
    # Once may be chance.
    seen = len(sentences) >= OBSERVED_MIN
    score = min(1.0, thresholds.grounded if seen else thresholds.candidate)
    window = " ".join(each.text for each in sentences[:WINDOW_SENTENCES])
    grounding = Grounding(score, thresholds.band(score), (), window)
    return Support(grounding, MentionKind.PHRASES, len(sentences), sentences)


def persons(said: StemmedSentence) -> Iterator[StemmedSentence]:
    """Yield a claim in the third person, then as people say it of themselves."""
    yield said
    for begin, selves in _SELVES:
        if found := begin.match(said.text):
            for each in selves:
                yield StemmedSentence(each + said.text[found.end() :])
    if found := _GERMAN.match(said.text):
        # "Wohnt" and "arbeitet" as people say it of themselves: "wohne", "arbeite".
        yield StemmedSentence(f"{found[1]}e{said.text[found.end() :]}")


# Beginnings of a claim in the third person, and what people say instead.
_SELVES = tuple(
    (re.compile(rf"{begin}(?=\s)", re.IGNORECASE), selves)
    for begin, selves in (
        ("is", ("am", "i'm", "i\u2019m")),
        ("has", ("have", "i've", "i\u2019ve")),
        (r"does(?:n['\u2019]t|\s+not)", ("do not", "don't", "don\u2019t", "does not")),
        ("ist", ("bin",)),
        ("hat", ("habe", "hab")),
        (r"is(?:n['\u2019]t|\s+not)", ("am not", "i'm not", "i\u2019m not", "is not")),
    )
)

_GERMAN = re.compile(r"(\w{2,})t(?=\s)")


def as_lived(claim: str, type: MemoryType) -> str:
    """Return a pattern without the words that only a summary uses, such as "answers"."""
    if type is not MemoryType.USER_PATTERN:
        return claim
    words = [
        each for each in claim.split() if each.lower().strip(".,;:!?") not in NARRATED
    ]
    left = " ".join(words)
    while words and words[0].lower() in FRAMES[type]:
        del words[0]
    # A single word may be in any text: the claim is then compared as it is.
    return left if len(StemmedSentence(" ".join(words)).words) >= 2 else claim


def _content(said: StemmedSentence, frame: Collection[str]) -> list[str]:
    """Return the content words without the frame; all words if there are none."""
    words = [word.lower() for word in said.words]
    while len(words) > 1 and words[0] in frame:
        del words[0]
    return [word for word in words if word not in CLOSED_CLASS] or words


def _share(families: Sequence[set[str]], there: Sequence[StemmedSentence]) -> float:
    """Return the share of words that some sentences contain, or their families."""
    held = sum(
        any(not family.isdisjoint(each.stem_set) for each in there)
        for family in families
    )
    return held / len(families)


def _together(families: Sequence[set[str]], text: SourceText) -> float:
    """Return the largest share of words that three successive sentences contain."""
    # Words from all over a text do not state anything together.
    return max(_share(families, window) for window in text.windows)


def _count(shares: Sequence[float], text: SourceText) -> int:
    """Count the sentences with half of the words, or that refer to one before them."""
    count, goes_on = 0, False
    for share, sentence in zip(shares, text.sentences, strict=True):
        refers = goes_on and any(
            word.lower().split("'")[0].split("\u2019")[0] in _REFERENCES
            for word in sentence.words
        )
        # "I love tea. It calms me." mentions tea twice.
        goes_on = share >= 0.5 or refers
        count += goes_on
    return count


def _sources(shares: Sequence[float], text: SourceText) -> tuple[StemmedSentence, ...]:
    most = max(shares)
    return tuple(
        each
        for share, each in zip(shares, text.sentences, strict=True)
        if share == most > 0
    )


def _mention(
    families: Sequence[set[str]],
    text: SourceText,
    grounding: Grounding,
    *,
    quoted: bool,
) -> MentionKind:
    if quoted:
        return MentionKind.EXACT
    best = _together(families, text)
    if best == 1.0:
        return MentionKind.PHRASES
    if best >= 0.5 or grounding.score > SIMILAR_MIN:
        return MentionKind.SIMILAR
    return MentionKind.NONE


def _quoting(
    said: StemmedSentence, text: SourceText, frame: Collection[str]
) -> tuple[StemmedSentence, ...]:
    """Return nearby sentences that together contain each phrase of the claim."""
    phrases = _phrases(said, frame)
    if not phrases or len(phrases[0]) < 2:
        # "works" and "Acme" do not state "works at Acme"; "plays piano" is complete.
        return ()
    there = [
        {at for at, each in enumerate(text.sentences) if _holds(each, phrase)}
        for phrase in phrases
    ]
    # Within three sentences: further apart, phrases belong to other statements.
    for first, window in enumerate(text.windows):
        span = range(first, first + len(window))
        if all(not at.isdisjoint(span) for at in there):
            used = sorted({at for each in there for at in each if at in span})
            return tuple(text.sentences[at] for at in used)
    return ()


def _phrases(said: StemmedSentence, frame: Collection[str]) -> list[list[str]]:
    """Return the runs of stems between closed-class words and marks.

    Determiners are left out.
    """
    # "Plays the guitar" and "play my guitar" are one phrase.
    pieces = [piece for piece in said.spoken if piece not in _DETERMINERS]
    while len(pieces) > 1 and pieces[0] in frame:
        del pieces[0]
    phrases: list[list[str]] = [[]]
    for piece in pieces:
        if piece in CLOSED_CLASS or not piece[0].isalnum():
            phrases.append([])
        else:
            phrases[-1].append(stem(piece))
    return [phrase for phrase in phrases if phrase]


def _holds(sentence: StemmedSentence, phrase: Sequence[str]) -> bool:
    pieces = [stem(each) for each in sentence.spoken if each not in _DETERMINERS]
    size = len(phrase)
    return any(pieces[at : at + size] == phrase for at in range(len(pieces) - size + 1))


def _lifted(
    grounding: Grounding,
    said: StemmedSentence,
    where: Sequence[StemmedSentence],
    thresholds: Thresholds,
) -> Grounding:
    """Ground a claim by a shortcut, unless a guard fails or the negation differs."""
    failed = grounding.failed
    # "I never loved fettuccini" contains all words of "loves fettuccini".
    denied = any(each.negated for each in where)
    if denied != said.negated and Guard.NEGATION not in failed:
        failed = (*failed, Guard.NEGATION)
    # A failed guard leaves it to people.
    least = thresholds.candidate if failed else thresholds.grounded
    score = max(grounding.score, min(1.0, least))
    return replace(
        grounding, score=score, failed=failed, band=thresholds.band(score, failed)
    )


def akin(one: str, other: str) -> bool:
    """Return True if two stems are of one family, such as "concept" and "conceptu"."""
    if one == other:
        return True
    if one[:FAMILY_CHARACTERS_MIN] != other[:FAMILY_CHARACTERS_MIN]:
        return False
    pairs = zip(one, other, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    longest = max(len(one), len(other))
    # Both limits: short stems share a prefix by chance, long ones with other words.
    return shared >= max(FAMILY_CHARACTERS_MIN, FAMILY_SHARE_MIN * longest)
