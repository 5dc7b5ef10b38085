"""Recollect's answer as a message."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from festinger.api.v1 import edge_pb2, outcome_pb2
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.core.graph.outcome import CollisionType, Fact, Outcome, Verdict
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.recollection.concepts import Kind, Line, render
from festinger.core.recollection.retelling import OutdatedLine
from festinger.core.system.preferences import Position
from festinger.rpc import convert, filling
from festinger.rpc.fields import to_time
from festinger.services.recollection.recollect import Recollection

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
numbers = st.integers(0, 2**63 - 1)
moments = st.sampled_from([0.0, float("inf"), -1.5]) | st.floats(-6e10, 2e11)
triples = st.builds(Triple, texts, texts, texts, st.booleans(), st.booleans())
facts = st.builds(
    Fact,
    texts,
    texts,
    texts,
    st.booleans(),
    st.floats(0, 1),
    moments,
    st.sampled_from(StatementSource),
    numbers,
    st.booleans(),
)
outcomes = st.builds(
    Outcome,
    st.sampled_from(Verdict),
    triples,
    st.none() | facts,
    st.none() | st.sampled_from(CollisionType),
    texts | st.sampled_from(CollisionType),
    texts,
    numbers,
    numbers,
    numbers,
)
lines = st.builds(Line, texts, texts, st.sampled_from(Kind), texts)
changes = st.builds(OutdatedLine, st.integers(0, 2**31 - 1), st.none() | lines)
recollections = st.builds(
    Recollection,
    st.lists(lines, max_size=5),
    st.sampled_from(Position),
    st.lists(outcomes, max_size=3),
    numbers,
    st.lists(changes, max_size=3),
)


@given(recollection=recollections, stale=st.booleans())
def test_answer_is_read_as_it_was_meant(recollection, stale):
    """Whatever is told, the message that is sent has all of it."""
    message = pb.RecollectResponse()
    filling.fill_response(message, recollection, stale)
    read = pb.RecollectResponse.FromString(message.SerializeToString())

    assert read == _meant(recollection, stale)


def _meant(recollection: Recollection, stale: bool) -> pb.RecollectResponse:
    """Return the message, put together by protobuf."""
    return pb.RecollectResponse(
        lines=map(_line, recollection.lines),
        block=render(recollection.lines),
        position=f"POSITION_{recollection.position.name}",
        outcomes=map(_outcome, recollection.outcomes),
        version=recollection.version,
        stale=stale,
        changes=[
            pb.RecollectResponse.Change(
                told_index=each.index, line=each.line and _line(each.line)
            )
            for each in recollection.changes
        ],
    )


def _line(line: Line) -> pb.RecollectResponse.Line:
    return pb.RecollectResponse.Line(
        concept=line.concept,
        text=line.text,
        digest=line.digest,
        kind=f"KIND_{line.kind.name}",
        why=line.why,
    )


def _outcome(outcome: Outcome) -> outcome_pb2.Outcome:
    return outcome_pb2.Outcome(
        verdict=f"VERDICT_{outcome.verdict.name}",
        triple=convert.to_triple(outcome.triple),
        edge=outcome.fact and _edge(outcome.fact),
        conflict_id=outcome.conflict_id,
        candidate_id=outcome.candidate_id,
        reason=outcome.reason,
        message=outcome.message,
        assertion_id=outcome.assertion_id,
    )


def _edge(fact: Fact) -> edge_pb2.Edge:
    return edge_pb2.Edge(
        concept=fact.concept,
        parent=fact.parent,
        dimension=fact.dimension,
        is_isa=fact.is_isa,
        confidence=fact.confidence,
        last_confirm_time=to_time(fact.last_confirmed),
        source=f"SOURCE_{fact.source.name}",
        assertion_id=fact.assertion_id,
        contested=fact.contested,
        belief=fact.belief,
    )
