"""Comparable turns of a conversation: an assistant's act and its outcome."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Final

from festinger.core.system.excerpt import OPENING
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
"""Maximum number of turns, the newest."""

NORMALISED_CHARACTERS_MAX: Final = 100_000
"""Maximum length of a text that is normalised; longer ones are compared exactly."""

WORDS_MAX: Final = 2_000
"""Maximum number of words of a text that are compared."""

# Characters by which the length of a text may vary with its times and ids.
_SLACK: Final = 64
# An error stands at the beginning or the end of a result.
_HEAD: Final = 400

# Text that differs between repeats although nothing happened. Whole seconds are not
# part of it: the age of something that is waited for is information.
_VOLATILE: Final = re.compile(
    # It begins with a set of characters, and none that ignores case, since a search
    # skips to these quickly; look-behinds after it check the preceding characters.
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
"""Letters that never occur in volatile text."""
_THOUGHTS: Final = ("<think>", "</think>")
_WORD: Final = re.compile(r"\w+")
_DIGITS: Final = re.compile(r"\d")

# Deliberate waiting, in a shell or a program.
_SLEEPS: Final = re.compile(r"\bsleep[ (]+[\d.$]", re.I)

# "Error: …", "Traceback (most recent call last)", "ValueError: …", "exit code 1",
# {"error": "…"}; not `"error": null`
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
class AssistantAct:
    """Act of an assistant in a turn: its calls, or its text if it made none.

    Attributes:
        key: Equal for equal acts; empty if the text is too short to be compared.
        text: The calls with their arguments, or the normalised text.
        names: Names of the called tools, sorted.
        polls: True if the act may be repeated without being a loop.
    """

    key: str
    text: str
    names: tuple[str, ...]
    polls: bool

    # On demand, since most turns differ from the previous one in the first value compared.
    @cached_property
    def words(self) -> frozenset[str]:
        """Words of the text, in lower case."""
        return words_of(self.text)


@dataclass(frozen=True)
class ActOutcome:
    """Outcome of an act: results, warnings, or the user's message."""

    parts: tuple[ReturnedPart, ...]

    @cached_property
    def text(self) -> str:
        """Text of all parts with their roles, without recollection blocks."""
        # A block that the shim has added makes no difference.
        return "\n".join(
            f"{h.role}: {without_blocks(h.text).strip()}" for h in self.parts
        )

    @cached_property
    def key(self) -> str:
        """Digest of the normalised text."""
        return _key(normalised(self.text))

    @cached_property
    def words(self) -> frozenset[str]:
        """Words of the text, in lower case."""
        return words_of(self.text)

    @cached_property
    def failed(self) -> bool:
        """True if any part other than the user's reports an error."""
        return any(
            h.failed
            or h.role is SegmentRole.SYSTEM  # Agent Zero warns of what it cannot use
            or _ERROR.search(h.text[:_HEAD])
            or _ERROR.search(h.text[-_HEAD:])
            for h in self.parts
            if h.role is not SegmentRole.USER
        )

    @property
    def by_user(self) -> bool:
        """True if a part of it is the user's."""
        return any(h.role is SegmentRole.USER for h in self.parts)

    @property
    def has_block(self) -> bool:
        """True if it contains a recollection block."""
        return any(OPENING in h.text for h in self.parts)

    def same(self, other: ActOutcome) -> bool:
        """Return whether another outcome is the same, except for volatile text."""
        # From the cheapest comparison to the costliest.
        if self.text == other.text:
            return True
        # Skips the costly normalisation if more than volatile text changed.
        near = abs(len(self.text) - len(other.text)) <= _SLACK
        return near and not _differ(self.text, other.text) and self.key == other.key


@dataclass(eq=False)
class AssistantTurn:
    """A run of an assistant's entries, and the entries after it until the next run.

    Attributes:
        spoken: The assistant's entries, oldest first.
        answers: The other entries after them, oldest first.
    """

    spoken: list[HistoryEntry]
    answers: list[HistoryEntry]
    _polling: Collection[str]
    _flattened: bool
    _speech_min: int

    @property
    def entries(self) -> list[HistoryEntry]:
        """All entries of the turn, oldest first."""
        return self.spoken + self.answers

    @cached_property
    def said(self) -> AssistantText:
        """Text and calls of all the assistant's entries."""
        said = [entry.said for entry in self.spoken]
        calls = tuple(call for one in said for call in one.calls)
        # The last entry's notation says how the result is written.
        return AssistantText("\n".join(s.text for s in said), calls, said[-1].notation)

    @cached_property
    def act(self) -> AssistantAct:
        """Act of the turn."""
        # Keyed by their canonical form, so that equal calls within one turn count once.
        calls = {_canonical(call): call for call in self.said.calls}
        if not calls:
            text = normalised(self._speech)
            long = len(text) >= self._speech_min
            # "Done." may be said often: short speech is no repetition.
            return AssistantAct(_key(text) if long else "", text, (), polls=False)
        # Equal calls within one turn count once.
        text = "\n".join(sorted(calls))
        names = tuple(sorted({call.name for call in calls.values()}))
        polls = any(_polls(call, self._polling) for call in calls.values())
        # Waiting for something is meant to be repeated.
        polls = polls or _SLEEPS.search(text) is not None
        return AssistantAct(_key(text), text, names, polls)

    @cached_property
    def _speech(self) -> str:
        """The assistant's text without thoughts and recollection blocks."""
        return _without_thoughts(without_blocks(self.said.text))

    @cached_property
    def outcome(self) -> ActOutcome:
        """Outcome of the turn."""
        # Only in a flattened prompt do results follow as user sections.
        notation = self.said.notation if self._flattened else Notation.NONE
        return ActOutcome(tuple(h for e in self.answers for h in e.returned(notation)))

    def same(self, other: AssistantTurn) -> bool:
        """Return whether another turn has the same act and the same outcome."""
        return self.same_act(other) and self.outcome.same(other.outcome)

    def same_act(self, other: AssistantTurn) -> bool:
        """Return whether another turn has the same act; never for a polling one."""
        # Texts are compared by letters first, which spares the normalisation.
        speech = not (self.said.calls or other.said.calls)
        if speech and _differ(self._speech, other._speech):
            return False
        # Two empty keys are no match: neither text is long enough.
        comparable = self.act.key != "" and not self.act.polls
        return comparable and self.act.key == other.act.key


def turns_of(
    talk: RequestHistory,
    polling: Collection[str],
    speech_min: int,
) -> list[AssistantTurn]:
    """Return the turns of a conversation, newest first."""
    # An assistant's entries at the end are no turn, since nothing follows them: they may
    # be the beginning of the answer that the client requests.
    return [
        AssistantTurn(spoken, answers, polling, talk.flattened, speech_min)
        for spoken, answers in _split(talk.entries)
        if spoken and answers
    ][:TURNS_MAX]


def _split(
    entries: Sequence[HistoryEntry],
) -> Iterator[tuple[list[HistoryEntry], list[HistoryEntry]]]:
    """Yield runs of an assistant's entries with the entries after them, newest first.

    The entries of a run are in their original order.
    """
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
    """Return a text with volatile parts replaced and white space collapsed.

    A text over `NORMALISED_CHARACTERS_MAX` is returned unchanged.
    """
    if len(text) > NORMALISED_CHARACTERS_MAX:
        return text
    return " ".join(_VOLATILE.sub("~", text).split())


def _differ(one: str, other: str) -> bool:
    """Return whether two texts certainly differ in more than volatile parts."""
    # Counting some letters takes a hundredth of the time of `normalised`.
    return any(one.count(letter) != other.count(letter) for letter in _FIRM)


def words_of(text: str) -> frozenset[str]:
    """Return the first `WORDS_MAX` distinct words of a text, in lower case."""
    found: set[str] = set()
    for match in _WORD.finditer(text):
        found.add(match[0].lower())
        if len(found) >= WORDS_MAX:
            break
    return frozenset(found)


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of common words of two texts (Jaccard), from 0 to 1."""
    # "page 3 of 9" is progress after "page 2 of 9".
    if any(_DIGITS.search(word) for word in one ^ other):
        return 0.0
    return len(one & other) / (len(one | other) or 1)


def _canonical(call: ToolCall) -> str:
    """Return a text that is equal for equal calls, in any order of arguments."""
    arguments = call.arguments
    if isinstance(arguments, dict):
        arguments = {key: _stripped(value) for key, value in arguments.items()}
    written = json.dumps(_stripped(arguments), sort_keys=True, ensure_ascii=False)
    return f"{call.name} {written}"


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _polls(call: ToolCall, polling: Collection[str]) -> bool:
    """Return whether a call is exempt as polling, by its name or by an argument."""
    name = call.name.lower()
    if name in polling:
        return True
    # `polling_tools` may name one use of a tool: `code_execution_tool:runtime=output`.
    pairs = call.arguments.items() if isinstance(call.arguments, dict) else ()
    return any(f"{name}:{key}={value}".lower() in polling for key, value in pairs)


def _without_thoughts(text: str) -> str:
    """Return a text without its leading `<think>` part."""
    opening, closing = _THOUGHTS
    if not text.lstrip().startswith(opening):
        return text
    # A cut answer may have thoughts only.
    return text.partition(closing)[2] or text


def _key(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
