"""Evaluate conversations in a temporary memory, and report the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final, NamedTuple

from festinger.config import RoleTrust
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.outcome import Outcome, Verdict
from festinger.core.graph.proposal import Proposal
from festinger.core.graph.resolution import ConflictDecision, Settlement
from festinger.core.language.reader.answers import parse_answer
from festinger.core.language.reader.guards import check_answer
from festinger.core.language.reader.naming import scope_proposals
from festinger.core.language.reader.questions import (
    ReadingRequest,
    choose_parts,
    compose,
    estimate_tokens,
)
from festinger.core.language.reader.unread import TurnPart
from festinger.core.language.statements import StatedBefore
from festinger.core.language.turns import Role, Turn
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.turns import lines_of
from festinger.core.recollection.reading import Reader, read
from festinger.core.system.preferences import Preferences
from festinger.core.system.secrets import SECRET, redact
from festinger.core.world.draft import Draft
from festinger.core.world.world import World
from festinger.errors import BadAnswer
from festinger.services.language.keeping import spoken_turns, unkept, unread_turns
from festinger.services.language.reader.known import (
    known_about,
    nameable_subjects,
    said_earlier,
)
from festinger.services.language.stating import NOTHING, statements_of_turn
from festinger.services.recollection.explaining import ExplainedBlock, explain
from festinger.services.world.jobs import judge_all

# The trust of a server that is not configured otherwise (E1).
TRUST: Final = {
    Role.SYSTEM: RoleTrust.NOTHING,
    Role.USER: RoleTrust.ASSERTS,
    Role.ASSISTANT: RoleTrust.PROPOSES,
    Role.TOOL: RoleTrust.PROPOSES,
}
READ_TOKENS_MAX: Final = 2_000
"""Maximum number of tokens of a request to a reading model."""
_IDS: Final = range(1, 10**9)
"""Numbers for concepts, more than any conversation needs."""


class ChatMessage(NamedTuple):
    """A message of a conversation to evaluate.

    Attributes:
        speaker: Person who wrote it; empty if unknown.
        project: Project of the conversation; empty for none.
        said: When it was written, in seconds since the epoch; 0 if unknown.
    """

    role: Role
    text: str
    speaker: str = ""
    project: str = ""
    session: str = ""
    said: float = 0.0


@dataclass(slots=True)
class EvaluationReport:
    """Results of the messages so far.

    Attributes:
        messages: Number of messages that people typed.
        kept: The sentences that were stored.
        left_out: Number of sentences that were not stored, by reason.
        secrets: Number of secrets that were redacted.
        changes: Number of statements that replaced held ones.
        refused: Number of statements that were not judged, by reason.
        unread: Number of messages without a usable answer of the model.
        tokens: Estimated number of tokens of requests and answers.
    """

    messages: int = 0
    kept: list[IndexedLine] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    secrets: int = 0
    outcomes: list[Outcome] = field(default_factory=list)
    changes: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    unread: int = 0
    tokens: int = 0

    def verdicts(self, verdict: Verdict) -> Sequence[Outcome]:
        """Return the outcomes that have a verdict."""
        return [each for each in self.outcomes if each.verdict is verdict]


class Evaluation:
    """A temporary memory in this process.

    Args:
        now: Seconds since the epoch, for messages without a time.
    """

    def __init__(self, dictionary: Collection[str], *, now: float) -> None:
        self.report = EvaluationReport()
        # No database gives out numbers here.
        self._world = World(frozenset(dictionary))
        self._world.concept_ids.add(_IDS)
        self._world.ledger_ids.add(_IDS)
        self._preferences = Preferences()
        self._now = now
        self._turns = count(1)
        self._conflicts = count(1)
        self._stated: dict[str, StatedBefore] = {}
        self._histories: dict[str, list[Turn]] = {}
        self._parts: list[TurnPart] = []

    @property
    def to_read(self) -> Sequence[TurnPart]:
        """The parts of the messages that a model has yet to read."""
        return tuple(self._parts)

    def next_request(self) -> ReadingRequest | None:
        """Return the next request to a model; None if everything is read."""
        if not self._parts:
            return None
        parts = choose_parts(self._parts, READ_TOKENS_MAX)
        request = compose(parts, known_about(self._world, parts), READ_TOKENS_MAX)
        # Parts are taken from the front; of a part that was cut, the rest comes next.
        for part in parts:
            left = self._parts.pop(0)
            if not part.is_last:
                self._parts.insert(0, replace(left, start=part.end))
        self.report.tokens += request.tokens
        return request

    def learn(self, request: ReadingRequest, answer: str) -> None:
        """Check a model's answer, and judge the statements that pass."""
        self.report.tokens += estimate_tokens(answer)
        try:
            answered = parse_answer(answer)
        except BadAnswer:
            self.report.unread += len(request.parts)
            return
        known = {it.assertion_id: it for it in known_about(self._world, request.parts)}
        # Guards refuse what the words of the turns do not cover (J3).
        checked = check_answer(
            answered,
            request.parts,
            known,
            {
                it: origin.speaker
                for it in known
                if (origin := self._world.origins.get(it))
            },
            said_earlier(self._world, request.parts),
            nameable_subjects(self._world, answered, request.parts),
        )
        self.report.refused.update(checked.refused)
        self._judge((), checked.statements, self._now)

    def add(self, message: ChatMessage) -> None:
        """Process a message as the server does, after the others of its session."""
        # Before anything reads it, as on the server.
        text = redact(message.text)
        # Answers to earlier messages of the session: "yes" confirms the assistant's question.
        history = self._histories.setdefault(message.session, [])
        turn = Turn(message.role, text)
        speaker = message.speaker or "local"
        reader = Reader(TRUST, speaker, speaker)
        now = message.said or self._now
        world, statements = self._world, list[ReadStatement]()
        threshold = self._preferences.saliency_read_threshold
        reading = read(world, [turn], reader, threshold=threshold, now=now)
        proposals = scope_proposals(reading.proposals, message.project, world.names)
        if message.role is Role.USER:
            self.report.messages += 1
            # Those that the text had already are no secrets of this message.
            self.report.secrets += text.count(SECRET) - message.text.count(SECRET)
            # Only directly before it: an older answer is not what is confirmed.
            answered = next(
                (it.text for it in history[-1:] if it.role is Role.ASSISTANT), ""
            )
            self.report.left_out.update(why for _, why in unkept(text, answered))
            statements = self._keep([*history, turn], reader, message, now)
        self._judge(proposals, statements, now)
        # Seen: the next message reads it as context only.
        history.append(turn._replace(seen=True))

    def explain(self, prompt: str, *, asker: str, project: str) -> ExplainedBlock:
        """Return the answer to a prompt as it would be now, with its reasons."""
        return explain(
            self._world,
            prompt,
            preferences=self._preferences,
            trust=TRUST,
            asker=asker,
            project=project,
            now=self._now,
        )

    def _judge(
        self,
        proposals: Sequence[Proposal],
        statements: Sequence[ReadStatement],
        now: float,
    ) -> None:
        """Judge statements, and let changes replace held facts."""
        draft = Draft(self._world, now=now)
        # Each message is a batch of its own, without a commit.
        entries, found = judge_all(
            draft, proposals, {(b"", at): each for at, each in enumerate(statements)}
        )
        numbers = self._publish(draft)
        self.report.outcomes += [each.outcome for each in entries]
        for _, stated in found:
            entry = stated.entry
            if entry is None:
                # The gate was not asked: the names make no tokens.
                self.report.refused["no name or value"] += 1
            # What a server does after the commit happens at once here.
            elif stated.replaces and entry.clash:
                replaced = self._replace(entry, numbers[entry.clash])
                self.report.outcomes.append(replaced)
            else:
                self.report.outcomes.append(entry.outcome)

    def _replace(self, entry: LedgerEntry, number: int) -> Outcome:
        """Hold a change in place of what it collides with."""
        assert entry.clash is not None, "what replaces collides"
        draft = Draft(self._world, now=self._now)
        decider = entry.proposal.subject
        draft.settle(Settlement(entry.clash, number, ConflictDecision.UPDATE, decider))
        draft.close(entry.triple, by=f"conflict {number}")
        proposal = entry.proposal._replace(triple=entry.triple, decided=True)
        held = draft.propose(proposal)
        self._publish(draft)
        self.report.changes += 1
        return held.outcome

    def _publish(self, draft: Draft) -> dict[Clash, int]:
        # The numbers that a commit would give to queue items.
        numbers = {
            entry.clash: next(self._conflicts)
            for entry in draft.changes.entries
            if entry.clash
        }
        draft.publish(numbers, self._world.version + 1)
        return numbers

    def _keep(
        self, turns: Sequence[Turn], reader: Reader, message: ChatMessage, now: float
    ) -> list[ReadStatement]:
        """Store the sentences of a message, and return their statements."""
        statements: list[ReadStatement] = []
        for spoken in spoken_turns(
            turns, reader, project=message.project, session=message.session, now=now
        ):
            # Numbered as the database would, since lines are found by the turn's number.
            turn = replace(spoken, id=next(self._turns))
            self._world.lines.sources.put(LineKind.UTTERANCE, turn.id, lines_of(turn))
            self.report.kept += lines_of(turn)
            before = self._stated.get(turn.session, NOTHING)
            stated = statements_of_turn(turn, before)
            self._stated[turn.session] = before.then(stated)
            statements += stated
        for unread in unread_turns(
            turns, reader, project=message.project, session=message.session, now=now
        ):
            number = len(self._parts) + 1
            self._parts.append(TurnPart(number, unread, 0, len(unread.text)))
        return statements
