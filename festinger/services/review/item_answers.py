"""Answers in chats to questions about items of the inbox."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from festinger.core.graph.outcome import Outcome
from festinger.core.lines.turns import digest_of
from festinger.core.review.inbox import InboxPlace, InboxRef
from festinger.core.system.principals import is_same
from festinger.core.validation.questions import ClosedBecause, Question
from festinger.core.validation.votes import EventResponse
from festinger.errors import (
    AlreadyDecided,
    CannotUndo,
    InvalidArgument,
    PermissionDenied,
)
from festinger.services.language.saying import say
from festinger.services.review import inbox, item_decisions
from festinger.services.review.item_decisions import InboxAction, InboxAnswer
from festinger.services.validation.responders import AnswerInput
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.validation.questions import PostgresQuestions
from festinger.store.world.batches import RequestKey

_ACTIONS: Final = {
    EventResponse.CONFIRMED: InboxAction.ACCEPT,
    EventResponse.REJECTED: InboxAction.REJECT,
    EventResponse.ABSTAIN: InboxAction.DEFER,
}
_THANKS: Final = {
    InboxAction.ACCEPT: "Accepted.",
    InboxAction.REJECT: "Rejected.",
    InboxAction.DEFER: "Put aside: the inbox keeps it for later.",
}


async def answer_item(
    memory: TenantMemory,
    questions: PostgresQuestions,
    question: Question,
    answer: AnswerInput,
    instead: str = "",
) -> str:
    """Decide about an item as an answer says; return what to tell who answered.

    Args:
        answer: The answer, whose `delivery` makes it idempotent.
        instead: What is so instead, in their own words; empty for nothing.

    Raises:
        PermissionDenied: They may not decide about it.
        FestingerError: It does not wait any more; the message says who decided.
    """
    ref = InboxRef.parse(question.item)
    policy = memory.validation.policy
    # One moderator decides about an item; there are no votes to count.
    if not (answer.is_operator or policy.is_moderator(answer.responder)):
        raise PermissionDenied(
            "only moderators decide this: ask one of them", principal=answer.responder
        )
    if answer.response is EventResponse.WITHDRAWN:
        return await _undo(memory, ref, answer)
    if answer.disputed:
        raise InvalidArgument("say accept, reject or later", field="dispute")
    decision = InboxAnswer(
        _ACTIONS[answer.response],
        answer.responder,
        reasoning=answer.note,
        bot_id=answer.bot_id,
        # Chats deliver messages more than once; the bot's name keeps their ids apart.
        request_id=answer.delivery and f"{answer.bot_id} {answer.delivery}",
    )
    thanks = _THANKS[decision.action]
    # Answered already: the same thanks, and nothing is done twice.
    if earlier := await inbox.earlier(memory, decision):
        # It was taken back since: what is asked now is another question.
        if earlier.undone_by:
            return thanks
    elif instead:
        thanks = await _correct(memory, ref, decision, instead)
    else:
        await inbox.decide(memory, [ref], decision)
    # Also of a repeated answer: the server may have ended before the question was closed.
    await questions.close_item(
        memory.tenant,
        ref,
        ClosedBecause.ANSWERED,
        f"{answer.responder}: {thanks}",
        memory.now(),
    )
    return thanks


async def _correct(
    memory: TenantMemory, ref: InboxRef, decision: InboxAnswer, instead: str
) -> str:
    """Take what somebody says in place of an item; return what became of it."""
    by = decision.principal
    async with memory.store.reading(memory.tenant) as reads:
        waits = await reads.inbox_item(ref)
    if not waits:
        raise await item_decisions.gone(memory, ref)
    # A record is edited, and accepted as edited, in one transaction.
    if ref.place is InboxPlace.RECORD:
        accepts = replace(decision, action=InboxAction.ACCEPT, content=instead)
        await inbox.decide(memory, [ref], accepts)
        return "Accepted in your words."
    # Said first: should the server stop in between, saying it again changes nothing.
    saved = await say(
        memory, instead, principal=by, request=_request(decision, instead)
    )
    for outcome in saved.outcomes:
        if outcome.conflict_id:
            # It is a person's decision already that their words replace what is held.
            mine = InboxRef(InboxPlace.CONFLICT, outcome.conflict_id)
            await inbox.decide(memory, [mine], InboxAnswer(InboxAction.ACCEPT, by))
    with suppress(AlreadyDecided):  # their words may have settled the conflict
        await inbox.decide(memory, [ref], decision)
    return f"Rejected. {_outcome_text(saved.outcomes)}"


def _request(decision: InboxAnswer, words: str) -> RequestKey | None:
    """Return the key of what an answer says, so that a delivery says it once."""
    if not decision.request_id:
        return None
    return RequestKey(decision.principal, decision.request_id, "Say", digest_of(words))


def _outcome_text(outcomes: Sequence[Outcome]) -> str:
    """Return what became of somebody's own words."""
    if not outcomes:
        return "Your words are kept as you said them."
    return f"Your words are kept: {'; '.join(str(it.triple) for it in outcomes)}."


async def _undo(memory: TenantMemory, ref: InboxRef, answer: AnswerInput) -> str:
    """Undo the responder's own decision about an item."""
    async with memory.store.reading(memory.tenant) as reads:
        decision = await reads.inbox_decision_about(ref)
    # Names are compared without regard to case and width: `Alice` is `alice`.
    if decision is None or not is_same(decision.principal, answer.responder):
        reason = (
            f"it {item_decisions.deed(decision)}" if decision else "it is not decided"
        )
        raise CannotUndo(
            f"you can take back only what you decided: {reason}", decision_id=str(ref)
        )
    await inbox.undo(memory, answer.responder, str(decision.id))
    return "Taken back: it waits again."
