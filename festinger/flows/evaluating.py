"""Play conversations into a memory that is thrown away, and say what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final, NamedTuple

from festinger.config import Trust
from festinger.core.draft import Draft
from festinger.core.language.secrets import SECRET, redact
from festinger.core.language.utterances import left_out
from festinger.core.outcome import Outcome, Verdict
from festinger.core.preferences import Preferences
from festinger.core.reading import Reader, Role, Turn, read
from festinger.core.recollection.index import IndexedLine, LineKind
from festinger.core.recollection.turns import lines_of
from festinger.core.world import World
from festinger.flows.explaining import Explained, explain
from festinger.flows.keeping import spoken_turns

TRUST: Final = {
    Role.SYSTEM: Trust.NOTHING,
    Role.USER: Trust.ASSERTS,
    Role.ASSISTANT: Trust.PROPOSES,
    Role.TOOL: Trust.PROPOSES,
}
_IDS: Final = range(1, 10**9)
"""Numbers for concepts: more than any conversation brings."""


class ChatMessage(NamedTuple):
    """A message of a conversation that is read.

    Attributes:
        speaker: Who wrote it; empty if that is unknown.
        session: Names the conversation that it is part of.
        said: In seconds since the epoch; 0 if that is unknown.
    """

    role: Role
    text: str
    speaker: str = ""
    project: str = ""
    session: str = ""
    said: float = 0.0


@dataclass(slots=True)
class EvaluationReport:
    """Result of the messages that were heard.

    Attributes:
        messages: How many people typed.
        kept: The sentences that are kept.
        left_out: The reasons why others are not, counted.
        secrets: How many were cut out.
        outcomes: What became of statements.
    """

    messages: int = 0
    kept: list[IndexedLine] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    secrets: int = 0
    outcomes: list[Outcome] = field(default_factory=list)

    def verdicts(self, verdict: Verdict) -> Sequence[Outcome]:
        """Return what became of statements in one way."""
        return [each for each in self.outcomes if each.verdict is verdict]


class Evaluation:
    """A memory that nobody else has, and that ends with the process.

    Args:
        dictionary: Everyday words.
    """

    def __init__(self, dictionary: Collection[str], *, now: float) -> None:
        self.report = EvaluationReport()
        self._world = World.from_structures(dictionary=frozenset(dictionary), ids=_IDS)
        self._preferences = Preferences()
        self._now = now
        self._turns = count(1)
        self._histories: dict[str, list[Turn]] = {}

    def hear(self, message: ChatMessage) -> None:
        """Take a message as the server does, with those of its session before it."""
        text = redact(message.text)
        history = self._histories.setdefault(message.session, [])
        turn = Turn(message.role, text)
        speaker = message.speaker or "local"
        reader = Reader(TRUST, speaker, speaker)
        now = message.said or self._now
        self._judge(turn, reader, now)
        if message.role is Role.USER:
            self.report.messages += 1
            self.report.secrets += text.count(SECRET) - message.text.count(SECRET)
            answered = next(
                (it.text for it in history[-1:] if it.role is Role.ASSISTANT), ""
            )
            self.report.left_out.update(why for _, why in left_out(text, answered))
            self._keep([*history, turn], reader, message, now)
        history.append(turn._replace(seen=True))

    def explain(self, prompt: str, *, asker: str, project: str) -> Explained:
        """Return what a prompt would be told now."""
        return explain(
            self._world,
            prompt,
            preferences=self._preferences,
            trust=TRUST,
            asker=asker,
            project=project,
            now=self._now,
        )

    def _judge(self, turn: Turn, reader: Reader, now: float) -> None:
        """Put what a turn states through the gate."""
        world = self._world
        threshold = self._preferences.saliency_read_threshold
        reading = read(world, [turn], reader, threshold=threshold, now=now)
        if not reading.proposals:
            return
        draft = Draft(world, now=now)
        entries = [draft.propose(each) for each in reading.proposals]
        numbers = {
            each.clash: world.version + at
            for at, each in enumerate(entries, 1)
            if each.clash
        }
        draft.publish(numbers, world.version + 1)
        self.report.outcomes += [each.outcome for each in entries]

    def _keep(
        self, turns: Sequence[Turn], reader: Reader, message: ChatMessage, now: float
    ) -> None:
        for spoken in spoken_turns(
            turns, reader, project=message.project, session=message.session, now=now
        ):
            turn = replace(spoken, id=next(self._turns))
            self._world.lines.put(LineKind.UTTERANCE, turn.id, lines_of(turn))
            self.report.kept += lines_of(turn)
