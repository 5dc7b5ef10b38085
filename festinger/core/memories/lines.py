"""Lines about a person for a prompt: one for each told memory, as advice (G5).

    about alice: loves fettuccini (fact)

Facts come before patterns before narratives, each sorted by text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from festinger import _fast
from festinger.core.graph.tokens import is_renderable, only_token
from festinger.core.memories.memory import TOLD_MIN, Memory, effective
from festinger.core.memories.rules import RULES, TypeRule
from festinger.core.memories.sanity import nonsense
from festinger.core.memories.types import MemoryType, Status, alike, normalised

WORDS_MAX = 16
"""Maximum number of words of a line; those of a compound are counted separately."""
SOMEBODY = "the user"
"""Name of a subject whose own name cannot be written into a prompt."""

LABELS: Mapping[MemoryType, str] = {
    **{each: each.value for each in MemoryType},
    MemoryType.USER_FACT: "fact",
    MemoryType.USER_PATTERN: "pattern",
    MemoryType.SHARED_NARRATIVE: "narrative",
}
_ORDER = {type: at for at, type in enumerate(MemoryType)}
_RANK = {f"{LABELS[type]})": at for type, at in _ORDER.items()}

# Punctuation between words is no part of a token and may be dropped; dropping anything
# else would change the meaning.
_DROPPED = re.compile(r"(?:['’]s)?[\s.,;:!?…\"'“”‘’()–—-]*")  # noqa: RUF001 - as people write
_PART = re.compile(r"[^\W_]+")


class LeftOut(StrEnum):
    """Reason for not telling a memory."""

    CHARACTERS = "unsafe_characters"
    """It contains characters that no token may contain."""
    TOKEN = "unsafe_token"
    """One of its tokens must not be written into a prompt."""
    LONG = "too_long"
    NONSENSE = "semantically_invalid"
    """It is no statement: it reads as an instruction, or says nothing."""


@dataclass(frozen=True, slots=True)
class MemoryTelling:
    """Result of choosing the memories to tell.

    Attributes:
        lines: In the order of the block.
        left_out: Memories that cannot be told, each with the reason.
    """

    lines: tuple[str, ...]
    told: tuple[Memory, ...]
    left_out: tuple[tuple[Memory, LeftOut], ...]


def told(
    memories: Iterable[Memory],
    now: float,
    limit: int,
    *,
    rules: Mapping[MemoryType, TypeRule] = RULES,
) -> MemoryTelling:
    """Choose the memories to tell: those with the highest confidence after decay."""
    strong = [
        (-left, each)
        for each in memories
        if each.status is Status.ACTIVE
        and (left := remaining(each, now, rules)) >= TOLD_MIN
    ]
    # Equally strong memories are sorted by type and text, which is stable.
    strong.sort(key=lambda it: (round(it[0], 9), *_place(it[1])))
    chosen: dict[str, tuple[str, Memory]] = {}
    left_out = []
    for _, memory in strong:
        text = line(memory.subject, memory.type, memory.content)
        if isinstance(text, LeftOut):
            left_out.append((memory, text))
            continue
        said = plain(text)
        # Two memories that differ in a determiner are one line.
        key = alike(said)
        same = chosen.get(key)
        if same is None and len(chosen) < limit:
            chosen[key] = said, memory
        elif same is not None and _ORDER[memory.type] < _ORDER[same[1].type]:
            # A fact takes precedence over a pattern that says the same.
            chosen[key] = said, memory
    # No time, no score and one order: the same memories give the same bytes (D5).
    ordered = sorted(
        (_ORDER[each.type], f"{said} ({LABELS[each.type]})", each.id)
        for said, each in chosen.values()
    )
    by_id = {each.id: each for _, each in chosen.values()}
    return MemoryTelling(
        tuple(text for _, text, _ in ordered),
        tuple(by_id[id] for _, _, id in ordered),
        tuple(left_out),
    )


@lru_cache(maxsize=16_384)
def line(subject: str, type: MemoryType, content: str) -> str | LeftOut:
    """Return the line of a memory, or the reason why it has none."""
    if nonsense(content):
        return LeftOut.NONSENSE
    words = _tokens(content)
    if isinstance(words, LeftOut):
        return words
    text = f"about {name(subject)}: {' '.join(words)} ({LABELS[type]})"
    return text if len(_PART.findall(text)) <= WORDS_MAX else LeftOut.LONG


def plain(text: str) -> str:
    """Return a line without the label of its memory type."""
    return text.rpartition(" (")[0]


def rank(text: str) -> int:
    """Return the sort rank of a line by its memory type: facts come first."""
    return _RANK.get(text.rpartition(" (")[2], len(_RANK))


def name(subject: str) -> str:
    """Return the name of a subject for a prompt; `SOMEBODY` if it cannot be written."""
    token = only_token(subject)
    return token if token and is_renderable(token) else SOMEBODY


def remaining(
    memory: Memory, now: float, rules: Mapping[MemoryType, TypeRule] = RULES
) -> float:
    """Return the confidence of a memory that is left after decay."""
    window = rules[memory.type].window_days
    return effective(memory.confidence, memory.confirmed, now, window)


def _tokens(content: str) -> Sequence[str] | LeftOut:
    text = " ".join(unicodedata.normalize("NFC", content).split())
    # The first word is capitalised as a sentence begins, not as a name.
    first, blank, rest = text.partition(" ")
    if first[1:].islower() or len(first) == 1:
        text = first.lower() + blank + rest
    # Tokens only (E4): no mark, link, markup or role gets into a prompt by a memory.
    scan = _fast.scan(text)
    if scan.text != text:
        return LeftOut.CHARACTERS
    end = 0
    for at in range(len(scan)):
        start, stop = scan.span(at)
        # The bigrams of a CJK run overlap.
        if start > end and not _DROPPED.fullmatch(text[end:start]):
            return LeftOut.CHARACTERS
        end = max(end, stop)
    if not _DROPPED.fullmatch(text[end:]):
        return LeftOut.CHARACTERS
    words = list(scan)
    return words if words and all(map(is_renderable, words)) else LeftOut.TOKEN


def _place(memory: Memory) -> tuple[int, str, str, int]:
    return (_ORDER[memory.type], memory.subject, normalised(memory.content), memory.id)
