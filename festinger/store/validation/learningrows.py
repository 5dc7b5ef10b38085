"""Conversion of rows to what is learnt from answers."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import asyncpg

from festinger.core.recollection.reading import SCANNER
from festinger.core.system.principals import plain
from festinger.core.validation.calibration import (
    Calibration,
    DecidedLabel,
    ReliabilityBin,
    machine_of,
)
from festinger.core.validation.drift import RuleCounts
from festinger.core.validation.fitting import RaterSkill
from festinger.core.validation.karma import DecidedCandidate
from festinger.core.validation.reputation import Reputation
from festinger.core.validation.votes import (
    EventResponse,
    ValidationEvent,
    Vote,
    VoteAnswer,
    VoterRole,
    votes_of,
)
from festinger.store.graph.rows import to_seconds
from festinger.store.system.queries import value_of
from festinger.store.validation.records import TrainingData


def to_reputation(row: asyncpg.Record) -> Reputation:
    """Convert a row to a rater's reputation."""
    return Reputation(
        RaterSkill(row["yes_skill"], row["no_skill"]),
        row["of_true"],
        row["of_false"],
        row["bloc"],
    )


def to_material(
    cast: Sequence[asyncpg.Record],
    audited: Sequence[asyncpg.Record],
    verdicts: Sequence[asyncpg.Record],
    shadows: Sequence[asyncpg.Record],
) -> TrainingData:
    """Convert rows of answers, audits and verdicts to what is learnt from."""
    return TrainingData(
        votes=[*_votes(cast), *map(_to_audit, audited)],
        gold={_gold(row): row["gold_answer"] for row in audited},
        # Karma comes from answers: what was decided without any is left out.
        decided=[_to_decided(it) for it in verdicts if it["voted"]],
        labels=_labels(verdicts),
        shadows=[RuleCounts(*row) for row in shadows],
    )


def _votes(rows: Iterable[asyncpg.Record]) -> list[Vote]:
    """Convert answers to votes by candidate, with normalised names of raters."""
    events: defaultdict[int, list[ValidationEvent]] = defaultdict(list)
    for row in rows:
        events[row["candidate_id"]].append(to_cast(row))
    cast = [vote for of_one in events.values() for vote in votes_of(of_one)]
    # One rater, however they write their name.
    return [replace(vote, rater=plain(vote.rater)) for vote in cast]


def _labels(rows: Iterable[asyncpg.Record]) -> Mapping[str, list[DecidedLabel]]:
    labels: defaultdict[str, list[DecidedLabel]] = defaultdict(list)
    for row in rows:
        # Beliefs of their author only have no known truth.
        if not row["belief"]:
            labels[_machine(row)].append(DecidedLabel(row["confidence"], row["true"]))
    return labels


def _machine(row: asyncpg.Record) -> str:
    return machine_of(
        extractor_version=row["extractor_version"],
        model_version=row["model_version"],
        proposer=row["proposer"],
    )


def _gold(row: asyncpg.Record) -> str:
    """Return the name of a gold task, which is shared by all who were asked."""
    return f"gold {row['candidate_id']} {row['gold_answer']}"


def _to_audit(row: asyncpg.Record) -> Vote:
    answer = VoteAnswer.YES if row["answer"] else VoteAnswer.NO
    return Vote(
        _gold(row), plain(row["responder"]), answer, to_seconds(row["created_at"])
    )


def to_cast(row: asyncpg.Record) -> ValidationEvent:
    """Convert a row to an answer, with the fields that votes need."""
    return ValidationEvent(
        candidate_id=row["candidate_id"],
        candidate_cid="",  # not asked for, as votes have no need of it
        proposer="",
        responder=row["responder"],
        role=VoterRole(row["role"]),
        response=EventResponse(row["response"]),
        before_visible=row["before_visible"],
        created=to_seconds(row["created_at"]),
    )


def _to_decided(row: asyncpg.Record) -> DecidedCandidate:
    return DecidedCandidate(
        str(row["id"]),
        row["true"],
        row["confidence"],
        row["saliency"],
        by_hand=_is_by_hand(row),
    )


def _is_by_hand(row: asyncpg.Record) -> bool:
    """Return whether a person wrote a candidate."""
    # Names of machines have a colon, such as `festinger:resolver`.
    machine = row["proposer"] == SCANNER or ":" in row["proposer"]
    return not (machine or row["extractor_version"] or row["model_version"])


def to_calibration(row: asyncpg.Record) -> Calibration:
    """Convert a row to a calibration."""
    return value_of(
        Calibration,
        row,
        parameters=tuple((at, worth) for at, worth in json.loads(row["parameters"])),
        bins=tuple(ReliabilityBin(**each) for each in json.loads(row["bins"])),
    )
