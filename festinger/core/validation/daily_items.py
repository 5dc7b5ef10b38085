"""The daily handful: items of the inbox that people are asked about in chats.

Moderators get the costliest mistakes first, a few a day and shared out among them. What
only one person knows is asked of nobody else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from festinger.core.graph.candidates import Candidate, CandidateState, Lane
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.graph.resolution import Conflict
from festinger.core.graph.values.dates import DAY
from festinger.core.memories.feedback import LineFeedback
from festinger.core.memories.types import MemoryKind
from festinger.core.review.inbox import (
    InboxItem,
    InboxKind,
    InboxRef,
    InboxSubject,
    SettledAgain,
    why_asked,
)
from festinger.core.review.records import MemoryRecord
from festinger.core.system.principals import is_same
from festinger.core.validation import grammar
from festinger.core.validation.escalation import AskingConditions
from festinger.core.validation.escaping import cut, name_of, quoted, visible
from festinger.core.validation.questions import (
    ITEM_OPTIONS,
    BotName,
    Question,
    QuestionTarget,
    wording_hash,
)
from festinger.core.validation.tones import QuestionAudience

ASKED_KINDS: Final = (
    InboxKind.CONFLICT,
    InboxKind.STATEMENT,
    InboxKind.MEMORY,
    InboxKind.ENTITY,
    InboxKind.SETTLED,
    InboxKind.FEEDBACK,
)
"""What is asked about here; questions and flagged statements have a way of their own."""
ITEM_CHARACTERS_MAX: Final = 240
WHY_CHARACTERS_MAX: Final = 240
_OPTIONS: Final = f"({' / '.join(ITEM_OPTIONS)})"


class AskedItem(NamedTuple):
    """Somebody who was asked about an item.

    Attributes:
        is_open: Whether they can still answer.
        created: When the question was made, in seconds since the epoch.
    """

    ref: InboxRef
    spot: QuestionTarget
    is_open: bool
    created: float


@dataclass(slots=True)
class DailyItems:
    """The items that are put to each person or channel on a day.

    Attributes:
        asking: Who can be asked.
        spent: How many items each was put today, and is to be put.
    """

    asking: AskingConditions
    spent: Counter[QuestionTarget]

    def choose(
        self, items: Iterable[InboxItem], asked: Sequence[AskedItem]
    ) -> list[tuple[InboxItem, QuestionAudience]]:
        """Return the items to ask about, and whom; they are counted.

        Args:
            items: What waits, the costliest mistakes first.
            asked: Who was asked about these items before.
        """
        chosen = []
        for item in items:
            # Asked within a day and still open: wait. Older ones are put to somebody else.
            before = [it for it in asked if it.ref == item.ref]
            recent = self.asking.now - DAY
            if any(it.is_open and it.created > recent for it in before):
                continue  # somebody has it on their desk
            # Nobody is asked twice about an item, even if they let it lie.
            taken = {it.spot for it in before}
            free = [
                audience
                for audience in self._readers(item)
                if (spot := QuestionTarget(*audience[1:])) not in taken
                and self.left(spot)
            ]
            # The least burdened: items are shared out evenly.
            if free:
                best = max(free, key=lambda it: self.left(QuestionTarget(*it[1:])))
                self.spent[QuestionTarget(*best[1:])] += 1
                chosen.append((item, best))
        return chosen

    def left(self, spot: QuestionTarget) -> int:
        """Return how many items somebody may still be put today."""
        return max(self.asking.policy.inbox_items_max - self.spent[spot], 0)

    @property
    def is_full(self) -> bool:
        """Return whether nobody can be asked about anything more."""
        policy = self.asking.policy
        spots = [QuestionTarget(*it[1:]) for it in self.asking.moderators("")]
        spots += map(QuestionTarget, filter(policy.is_moderator, policy.people))
        return not any(map(self.left, spots))

    def _readers(self, item: InboxItem) -> list[QuestionAudience]:
        """Return the moderators who can know about an item, and may decide about it."""
        proposer = _proposer(item.subject)
        # "@alice": an item that only she can know about, such as a memory of what she said.
        if not item.answerer.startswith("@"):
            return self.asking.moderators(proposer)
        name = item.answerer.removeprefix("@")
        # If she may not decide it waits in the console; nobody else is asked.
        able = self.asking.policy.is_moderator(name) and self.asking.can_ask(
            name, proposer
        )
        return [QuestionAudience(Lane.MODERATOR, name)] if able else []


def question_about(
    item: InboxItem,
    audience: QuestionAudience,
    template_of: Callable[[Triple], str],
    *,
    due: float,
    now: float,
) -> Question:
    """Return the question about an item.

    Args:
        template_of: Returns the question template of a statement's predicate; empty for
            the default wording.
        due: When to post it, in seconds since the epoch.
    """

    def words(triple: Triple) -> str:
        """Return a statement in words."""
        # `grammar` words candidates only; what is unknown of the statement stays empty.
        claim = Candidate(
            0,
            CandidateState.PENDING,
            triple,
            1.0,
            StatementSource.INFERRED,
            rule="",
            reason="",
            proposer="",
            author="",
            subject="",
            evidence="",
            statements=1,
            created=0.0,
        )
        return grammar.said(claim, template=template_of(triple)).statement

    asked, quote, speaker = _worded(
        item.subject, words, template_of, audience.recipient
    )
    # The sentence is shown in a channel: private ones stay in the console.
    source = ""
    if quote and not _is_private(item.subject):
        said = name_of(grammar.person(speaker)) if speaker else ""
        source = " \u2014 ".join(filter(None, (quoted(quote), said)))
    text = "\n".join(filter(None, (f"{asked} {_OPTIONS}", source)))
    why = cut(visible(why_asked(item, words)), WHY_CHARACTERS_MAX)
    bot = BotName.BARKEEP if audience.recipient else BotName.HISTORIAN
    # A conflict or a complaint contradicts something: the sceptical tone.
    if isinstance(item.subject, Conflict | LineFeedback):
        bot = BotName.CRITIC
    return Question(
        0,
        "",
        bot,
        audience.lane,
        text,
        why,
        wording_hash(bot, text, why, ITEM_OPTIONS),
        recipient=audience.recipient,
        channel=audience.channel,
        item=str(item.ref),
        due=due,
        created=now,
    )


def _worded(
    subject: InboxSubject,
    words: Callable[[Triple], str],
    template_of: Callable[[Triple], str],
    listener: str,
) -> tuple[str, str, str]:
    """Return a question in one sentence, the words it comes from, and who said them."""
    match subject:
        # What is held may have ended meanwhile, or the clash is a circle without a single fact.
        case Conflict():
            held = subject.existing and words(subject.existing.triple)
            against = f"we hold that {held}" if held else "what we hold excludes it"
            return (
                f"We are told that {words(subject.incoming)}, but {against}: is the "
                "new one right?",
                subject.evidence,
                subject.subject or subject.principal,
            )
        case Candidate():
            said = grammar.said(subject, template=template_of(subject.triple))
            return (
                f"Is it so that {said.statement}?",
                subject.evidence,
                subject.author or subject.subject or subject.proposer,
            )
        case MemoryRecord():
            kind = "an entity" if subject.kind is MemoryKind.ENTITY else "a memory"
            content = quoted(subject.content, ITEM_CHARACTERS_MAX)
            # An entity or project memory is about nobody in particular.
            if not (name := subject.subject):
                return f"Is this right, and worth telling as {kind}: {content}", "", ""
            who = "you" if is_same(name, listener) else grammar.person(name)
            asked = f"Is this right about {who}, and worth remembering: {content}"
            return asked, subject.origin.quote, name
        case SettledAgain():
            return (
                f"It was settled that it is not so, and is stated again: is it so "
                f"that {words(subject.triple)}?",
                subject.evidence,
                subject.principal,
            )
        case LineFeedback():
            who = grammar.person(subject.principal)
            line = quoted(subject.text, ITEM_CHARACTERS_MAX)
            asked = f"{who} says that this is wrong: {line} \u2014 is it wrong?"
            return asked, subject.quote, subject.speaker


def _is_private(subject: InboxSubject) -> bool:
    match subject:
        case Conflict():
            return subject.private
        case Candidate():
            return subject.sensitive
    return False


def _proposer(subject: InboxSubject) -> str:
    """Return who may not decide about an item, since it is theirs (E6)."""
    if isinstance(subject, Candidate | MemoryRecord):
        return subject.proposer
    return subject.principal if isinstance(subject, LineFeedback) else ""
