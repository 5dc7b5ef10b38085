"""Conflicts, candidates, inquiries, interactions and models as lines for people."""

from __future__ import annotations

from datetime import UTC

from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1 import (
    claim_pb2,
    conflict_pb2,
    extraction_service_pb2,
    factoid_pb2,
    inquiry_service_pb2,
    memory_service_pb2,
    model_pb2,
    outcome_pb2,
    triple_pb2,
)


def statement(triple: triple_pb2.Triple) -> str:
    """What was stated: `gnommoweb: [type] not repo`."""
    return f"{triple.concept}: [{triple.dimension}] {_parent(triple)}"


def conflict_line(conflict: conflict_pb2.Conflict) -> str:
    """A contradiction, the words it stood in, and what was decided."""
    state = conflict_pb2.Conflict.State.Name(conflict.state).removeprefix("STATE_")
    kind = conflict_pb2.Conflict.Type.Name(conflict.type).removeprefix("TYPE_")
    held = conflict.existing.parent or "nothing"
    incoming = conflict.incoming
    both = (
        f"held {held}, refused {_parent(incoming)}"
        if conflict.state == conflict_pb2.Conflict.STATE_PENDING
        else f"held {held} now; in question was {_parent(incoming)}"
    )
    lines = [
        f"#{conflict.id} {state.lower()}  {incoming.concept} [{incoming.dimension}]: "
        f"{both}  ({kind.lower()}, by {conflict.incoming_principal}"
        f"{_times(conflict.statement_count)})"
    ]
    if conflict.evidence:
        lines.append(f"    “{conflict.evidence}”")
    lines += [f"    {_resolution(each)}" for each in conflict.earlier_resolutions]
    if conflict.for_people and conflict.last_error:
        lines.append(f"    the model gave up: {conflict.last_error}")
    if conflict.HasField("resolution"):
        lines.append(f"    {_resolution(conflict.resolution)}")
    return "\n".join(lines)


def factoid_line(factoid: factoid_pb2.Factoid) -> str:
    """A candidate, and the words it stood in."""
    state = factoid_pb2.Factoid.State.Name(factoid.state).removeprefix("STATE_")
    line = (
        f"#{factoid.id} {state.lower()}  {statement(factoid.triple)}  "
        f"({factoid.reason}, confidence {factoid.confidence:.2f}, by {factoid.author}"
        f"{_times(factoid.statement_count)})"
    )
    return f"{line}\n    “{factoid.evidence}”" if factoid.evidence else line


def confirmed_line(number: int, outcome: outcome_pb2.Outcome) -> str:
    """What became of a candidate that was confirmed."""
    verdict = outcome_pb2.Outcome.Verdict.Name(outcome.verdict)
    word = verdict.removeprefix("VERDICT_").lower()
    queued = f" as conflict #{outcome.conflict_id}" if outcome.conflict_id else ""
    return f"confirmed #{number}: {statement(outcome.triple)} — {word}{queued}"


def inquiry_line(inquiry: inquiry_service_pb2.Inquiry) -> str:
    """A concept that a model is asked about, and what came of it."""
    state = inquiry_service_pb2.Inquiry.State.Name(inquiry.state)
    lines = [
        f"{inquiry.concept}  {state.removeprefix('STATE_').lower()} since "
        f"{moment(inquiry.end_time if inquiry.end_time.seconds else inquiry.create_time)}"
        f"  (met {inquiry.encounter_count} times)"
    ]
    lines += [f"    “{sentence}”" for sentence in inquiry.sentences]
    if inquiry.last_error:
        again = ""
        if inquiry.HasField("due_time"):
            again = f", again at {moment(inquiry.due_time)}"
        lines.append(
            f"    failed {inquiry.attempts} times{again}: {inquiry.last_error}"
        )
    lines += [
        f"    {finding.fact}: {finding.outcome}{_why(finding.reason)}"
        for finding in inquiry.findings
    ]
    return "\n".join(lines)


def interaction_line(interaction: extraction_service_pb2.Interaction) -> str:
    """What was said between somebody and an agent, and what came of it."""
    state = extraction_service_pb2.Interaction.State.Name(interaction.state)
    word = state.removeprefix("STATE_").lower()
    session = f" in {interaction.session}" if interaction.session else ""
    parts = [
        f"#{interaction.id} {word}  {interaction.subject}{session}, "
        f"{interaction.turn_count} turns until {moment(interaction.update_time)}"
    ]
    if word == "extracted":
        found, stored = interaction.found_count, interaction.stored_count
        parts.append(f"({found} found, {stored} stored)")
    elif word != "forgotten" and not interaction.extract:
        parts.append("(not to be extracted)")
    elif interaction.HasField("due_time") and not interaction.last_error:
        parts.append(f"(to be extracted at {moment(interaction.due_time)})")
    lines = ["  ".join(parts)]
    if interaction.last_error:
        again = ""
        if interaction.HasField("due_time"):
            again = f", again at {moment(interaction.due_time)}"
        lines.append(
            f"    failed {interaction.attempts} times{again}: {interaction.last_error}"
        )
    return "\n".join(lines)


def turn_line(turn: memory_service_pb2.Turn) -> str:
    """What somebody said."""
    role = memory_service_pb2.Turn.Role.Name(turn.role).removeprefix("ROLE_")
    return f"{role.lower()}: {turn.text}"


def finding_line(finding: extraction_service_pb2.Interaction.Finding) -> str:
    """What was read in an interaction, and what became of it."""
    claim = f" #{finding.claim_id}" if finding.claim_id else ""
    because = ", ".join(filter(None, (finding.reason, finding.detail)))
    return (
        f"{finding.text}: {finding.outcome}{claim} ({_claim_type(finding.type)}, "
        f"confidence {finding.confidence:.2f}){': ' + because if because else ''}"
    )


def rejection_line(rejection: extraction_service_pb2.Rejection) -> str:
    """What a model read and was not stored, and why."""
    proposal = "a proposal, " if rejection.proposal else ""
    because = ", ".join(filter(None, (rejection.reason, rejection.detail)))
    line = (
        f"#{rejection.id} {rejection.text or '(forgotten)'}  ({proposal}"
        f"{_claim_type(rejection.type)} of {rejection.subject}, confidence "
        f"{rejection.confidence:.2f} of {rejection.threshold:.2f})  {because}"
    )
    reason = rejection.validation.reason
    return f"{line}\n    {reason}" if reason else line


def _claim_type(type: claim_pb2.Claim.Type) -> str:
    return claim_pb2.Claim.Type.Name(type).removeprefix("TYPE_").lower()


def moment(time: Timestamp) -> str:
    """A moment, to the minute."""
    return f"{time.ToDatetime(UTC):%Y-%m-%d %H:%M} UTC"


def model_line(model: model_pb2.Model) -> str:
    """A model, what it is chosen for, and what was spent on it."""
    provider = model_pb2.Model.Provider.Name(model.provider).removeprefix("PROVIDER_")
    parts = [f"#{model.id} {provider.lower()} {model.model_name}"]
    if model.base_url:
        parts.append(f"at {model.base_url}")
    if model.api_key_hint:
        parts.append(f"key …{model.api_key_hint}")
    parts.append(", ".join(map(_purpose, model.purposes)) or "not chosen")
    lines = ["  ".join(parts)]
    lines += [
        f"    {_purpose(usage.purpose)} today: {usage.call_count} answers, "
        f"{usage.failure_count} failures, {usage.input_token_count} tokens in, "
        f"{usage.output_token_count} out"
        for usage in model.usage_today
    ]
    if model.last_error:
        lines.append(f"    last failed: {model.last_error}")
    return "\n".join(lines)


def _why(reason: str) -> str:
    return f" ({reason})" if reason else ""


def _purpose(purpose: model_pb2.Model.Purpose) -> str:
    return model_pb2.Model.Purpose.Name(purpose).removeprefix("PURPOSE_").lower()


def _resolution(resolution: conflict_pb2.Conflict.Resolution) -> str:
    decision = conflict_pb2.Conflict.Decision.Name(resolution.decision)
    word = decision.removeprefix("DECISION_").lower()
    because = f": {resolution.reasoning}" if resolution.reasoning else ""
    line = f"{word}, decided by {resolution.principal}{because}"
    if not resolution.undo_principal:
        return line
    because = f": {resolution.undo_reasoning}" if resolution.undo_reasoning else ""
    return f"{line} — undone by {resolution.undo_principal}{because}"


def _parent(triple: triple_pb2.Triple) -> str:
    return f"not {triple.parent}" if triple.negated else triple.parent


def _times(statements: int) -> str:
    return f", {statements} times" if statements > 1 else ""
