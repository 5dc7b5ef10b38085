"""A conversation as turns that can be compared: what was done, and what came of it.

Everything is worked out when it is asked for, since most turns differ from the one
before at the first look.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Final

from festinger.core.system.tags import OPENING
from festinger.shim.loops.dialects import (
    AssistantText,
    HistoryEntry,
    RequestHistory,
    ReturnedPart,
    ToolCall,
)
from festinger.shim.recollection.agent_zero import CallNotation as Notation
from festinger.shim.recollection.segments import SegmentRole, without_blocks

# The settings permit a cap of 1000, and each further rung takes a turn.
TURNS_MAX: Final = 1_010
"""Turns that are looked at, the newest."""

NORMALISED_CHARACTERS_MAX: Final = 100_000
"""Longer texts are compared as they are, to the letter."""

WORDS_MAX: Final = 2_000
"""Words of a text that are compared with another's."""

SPEECH_CHARACTERS_MIN: Final = 40
"""Shorter answers without a call, as "Yes." or "Done.", are never a repetition."""

_SLACK: Final = 64
_HEAD: Final = 400

# Differs from one time to the next although nothing happened. Whole seconds are not
# among it: the age of something that is waited for is news.
_VOLATILE: Final = re.compile(
    # It begins with a set of characters, and none that ignores case, since an
    # expression's search skips to these; what precedes them is looked at behind them.
    r"[\da-fA-F](?:"
    r"(?<=\d)\d{3}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?"
    r"(?:[Zz]|[+-]\d\d:?\d\d)?"
    r"|(?<!\w.)(?i:"
    r"[\da-f]{7}(?:-[\da-f]{4}){3}-[\da-f]{12}\b"
    r"|(?<=0)x[\da-f]{6,16}\b"
    r"|(?<=\d)\d{0,8}\.\d{1,9} ?s(?:ec|econds)?\b"
    r"|(?<=\d)\d{0,8}(?:\.\d{1,9})? ?ms\b"
    r"))"
)
_FIRM: Final = "hilru"
"""Letters that nothing volatile holds."""
_THOUGHTS: Final = ("<think>", "</think>")
_WORD: Final = re.compile(r"\w+")
_DIGITS: Final = re.compile(r"\d")

# Waiting on purpose, in a shell or a program.
_SLEEPS: Final = re.compile(r"\bsleep[ (]+[\d.$]", re.I)

_ERROR: Final = re.compile(
    r"\A[\s\[(*#]{0,8}(?:error|exception|fatal|failed|failure)\b"
    r"|traceback \(most recent call last\)"
    r"|(?m:^\s{0,8}[\w.]{1,80}(?:error|exception):)"
    r"|\bcommand not found\b|\bno such file or directory\b|\bpermission denied\b"
    r"|\bexit(?:ed)? (?:with )?(?:code|status)[ :=]{1,3}[1-9]"
    r'|"(?:is_)?error"\s{0,4}:\s{0,4}(?!null|false|""|\{\}|\[\])\S',
    re.I,
)


@dataclass(frozen=True)
class Act:
    """What an assistant did in a turn: its calls, or else what it said.

    Attributes:
        key: Equal for equal acts; empty if it is too little to be compared.
        text: The arguments, or what was said.
        names: The tools that were called, in name order.
        polls: True if it may be done again and again.
    """

    key: str
    text: str
    names: tuple[str, ...]
    polls: bool

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words."""
        return words_of(self.text)


@dataclass(frozen=True)
class ActOutcome:
    """What came back after an act: results, warnings, or the user's words."""

    heard: tuple[ReturnedPart, ...]

    @cached_property
    def text(self) -> str:
        """All of it, as it came."""
        return "\n".join(
            f"{h.role}: {without_blocks(h.text).strip()}" for h in self.heard
        )

    @cached_property
    def key(self) -> str:
        """Equal for outcomes that say the same."""
        return _key(normalised(self.text))

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words."""
        return words_of(self.text)

    @cached_property
    def failed(self) -> bool:
        """Whether the act failed."""
        return any(
            h.failed
            or h.role is SegmentRole.SYSTEM  # Agent Zero warns of what it cannot use
            or _ERROR.search(h.text[:_HEAD])
            or _ERROR.search(h.text[-_HEAD:])
            for h in self.heard
            if h.role is not SegmentRole.USER
        )

    @property
    def by_user(self) -> bool:
        """Whether the user speaks in it."""
        return any(h.role is SegmentRole.USER for h in self.heard)

    @property
    def tells(self) -> bool:
        """Whether a block of ours stands in it."""
        return any(OPENING in h.text for h in self.heard)

    def same(self, other: ActOutcome) -> bool:
        """Whether another says the same."""
        if self.text == other.text:
            return True
        # Sparing the expressions where so much changed that more than times did.
        near = abs(len(self.text) - len(other.text)) <= _SLACK
        return near and not _differ(self.text, other.text) and self.key == other.key


class AssistantTurn:
    """What an assistant said at one go, and what came back until its next.

    Args:
        spoken: The assistant's entries, oldest first.
        answers: The others' entries after them.
        polling: See `LoopSettings.polling_tools`.
    """

    def __init__(
        self,
        spoken: Sequence[HistoryEntry],
        answers: Sequence[HistoryEntry],
        polling: Collection[str],
        flattened: bool,
    ) -> None:
        self.spoken = tuple(spoken)
        self.answers = tuple(answers)
        self._polling = polling
        self._flattened = flattened

    @property
    def entries(self) -> tuple[HistoryEntry, ...]:
        """All its entries, oldest first."""
        return self.spoken + self.answers

    @cached_property
    def said(self) -> AssistantText:
        """What the assistant said in all."""
        said = [entry.said for entry in self.spoken]
        calls = tuple(call for one in said for call in one.calls)
        return AssistantText("\n".join(s.text for s in said), calls, said[-1].notation)

    @cached_property
    def act(self) -> Act:
        """What was done."""
        calls = {_canonical(call): call for call in self.said.calls}
        if not calls:
            text = normalised(self._speech)
            long = len(text) >= SPEECH_CHARACTERS_MIN
            return Act(_key(text) if long else "", text, (), polls=False)
        # The same call several times in one turn is one.
        text = "\n".join(sorted(calls))
        names = tuple(sorted({call.name for call in calls.values()}))
        polls = any(_polls(call, self._polling) for call in calls.values())
        polls = polls or _SLEEPS.search(text) is not None
        return Act(_key(text), text, names, polls)

    @cached_property
    def _speech(self) -> str:
        """What was said to somebody."""
        return _without_thoughts(without_blocks(self.said.text))

    @cached_property
    def outcome(self) -> ActOutcome:
        """What came of it."""
        notation = self.said.notation if self._flattened else Notation.NONE
        return ActOutcome(tuple(h for e in self.answers for h in e.heard(notation)))

    def same(self, other: AssistantTurn) -> bool:
        """Whether another turn did the same, and the same came of it."""
        return self.same_act(other) and self.outcome.same(other.outcome)

    def same_act(self, other: AssistantTurn) -> bool:
        """Whether another turn did the same."""
        speech = not (self.said.calls or other.said.calls)
        if speech and _differ(self._speech, other._speech):
            return False
        comparable = self.act.key != "" and not self.act.polls
        return comparable and self.act.key == other.act.key


def turns_of(talk: RequestHistory, polling: Collection[str]) -> list[AssistantTurn]:
    """The turns of a conversation, the newest first.

    What an assistant said last is no turn before something came back: the client may
    have begun the answer that it asks for.
    """
    return [
        AssistantTurn(spoken, answers, polling, talk.flattened)
        for spoken, answers in _split(talk.entries)
        if spoken and answers
    ][:TURNS_MAX]


def _split(
    entries: Sequence[HistoryEntry],
) -> Iterator[tuple[list[HistoryEntry], list[HistoryEntry]]]:
    """Cuts before each run of an assistant's entries, from the end on."""
    spoken: list[HistoryEntry] = []
    answers: list[HistoryEntry] = []
    for entry in reversed(entries):
        if entry.role is SegmentRole.ASSISTANT:
            spoken.append(entry)
            continue
        if spoken:
            yield spoken[::-1], answers[::-1]
            spoken, answers = [], []
        answers.append(entry)
    yield spoken[::-1], answers[::-1]


def normalised(text: str) -> str:
    """A text without what changes by itself, and with single spaces."""
    if len(text) > NORMALISED_CHARACTERS_MAX:
        return text
    return " ".join(_VOLATILE.sub("~", text).split())


def _differ(one: str, other: str) -> bool:
    """Whether texts surely differ in more than what changes by itself.

    To count some letters takes a hundredth of the time that `normalised` does.
    """
    return any(one.count(letter) != other.count(letter) for letter in _FIRM)


def words_of(text: str) -> frozenset[str]:
    """The first words of a text, in lower case."""
    found: set[str] = set()
    for match in _WORD.finditer(text):
        found.add(match[0].lower())
        if len(found) >= WORDS_MAX:
            break
    return frozenset(found)


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """The part of their words that two texts share (Jaccard).

    Texts that differ in a number are not alike: "page 3 of 9" got on since "page 2".
    """
    if any(_DIGITS.search(word) for word in one ^ other):
        return 0.0
    return len(one & other) / (len(one | other) or 1)


def _canonical(call: ToolCall) -> str:
    """Equal for equal calls: the order of arguments does not count."""
    arguments = call.arguments
    if isinstance(arguments, dict):
        arguments = {key: _stripped(value) for key, value in arguments.items()}
    written = json.dumps(_stripped(arguments), sort_keys=True, ensure_ascii=False)
    return f"{call.name} {written}"


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _polls(call: ToolCall, polling: Collection[str]) -> bool:
    """Whether a call is exempted, by its name or by an argument."""
    name = call.name.lower()
    if name in polling:
        return True
    pairs = call.arguments.items() if isinstance(call.arguments, dict) else ()
    return any(f"{name}:{key}={value}".lower() in polling for key, value in pairs)


def _without_thoughts(text: str) -> str:
    """What is said after thinking aloud."""
    opening, closing = _THOUGHTS
    if not text.lstrip().startswith(opening):
        return text
    return text.partition(closing)[2] or text


def _key(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
