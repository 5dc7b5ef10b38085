"""Core values as messages, by the names of their fields."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from festinger.api.v1 import conflict_service_pb2 as conflicts_pb
from festinger.api.v1 import extraction_service_pb2 as pb
from festinger.api.v1.candidate_pb2 import Candidate as CandidateMessage
from festinger.core.graph.candidates import CandidateState
from festinger.core.memories.interaction import InteractionFinding
from festinger.core.memories.types import MemoryType
from festinger.core.system.runs import Run, RunState
from festinger.errors import InvalidArgument
from festinger.rpc.fields import from_number, from_numbers, members_of, message_of

STATES = members_of(CandidateMessage.State, CandidateState)


def test_fields_take_the_attributes_of_their_names():
    """Texts and numbers are taken as they are, members by their names."""
    found = InteractionFinding("so", MemoryType.DECISION, 0.5, "active", record_id=7)

    message = message_of(pb.Interaction.Finding, found)

    assert message == pb.Interaction.Finding(
        text="so", type="TYPE_DECISION", confidence=0.5, outcome="active", record_id=7
    )


def test_counts_and_moments_take_what_the_core_calls_them():
    """A count is the core's number, and a moment its participle; never is no moment."""
    run = Run(3, "ada", 1.5, None, (), RunState.RUNNING, total=9, resolved=4)

    message = message_of(conflicts_pb.Run, run, conflict_count=run.total)

    assert message.resolved_count == 4
    assert message.conflict_count == 9
    assert message.start_time.ToMilliseconds() == 1500
    assert not message.HasField("end_time")


def test_field_without_an_attribute_must_be_given():
    """A new field of the API is no field that stays empty unnoticed."""

    @dataclass
    class Nothing:
        text: str = ""

    with pytest.raises(AttributeError, match="Nothing has nothing for type"):
        message_of(pb.Interaction.Finding, Nothing())


@pytest.mark.parametrize("member", CandidateState)
def test_members_there_and_back(member):
    """Every member has a number, by its name or by its value."""
    number = next(it for it, known in STATES.items() if known is member)

    assert from_number(number, STATES, "state") is member


@pytest.mark.parametrize("number", [0, 99])
def test_unspecified_and_unknown_are_refused(number):
    """A filter by nothing is a mistake, and its error says what there is."""
    with pytest.raises(InvalidArgument, match=r"states is .*one of pending,"):
        from_numbers([number], STATES, "states")
