from __future__ import annotations

import pytest

from festinger.config import RoleTrust
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.language.turns import Role, Turn
from festinger.core.recollection.reading import NEW_CONCEPTS_MAX, Reader, read
from tests.memories import NOW, TRUST, propose, stated, world_of
from tests.structures import build_world, soas_by_token

FACT = Triple("gnommoweb", "repo", "type", True)


def hear(world, *turns, trust=TRUST, now=NOW):
    """Read turns, by the specification's threshold."""
    return read(
        world, list(turns), Reader(trust, "alice", "bob"), threshold=0.5, now=now
    )


def said(text, role=Role.USER, **turn):
    """Return a turn, of a person if nothing else is said."""
    return Turn(role, text, **turn)


def count(world, token):
    """Return the number of times that a concept was met; 0 if never."""
    row = soas_by_token(world).get(token)
    return row.encounter_count if row else 0


@pytest.mark.parametrize("role", [Role.USER, Role.TOOL, Role.ASSISTANT])
def test_new_words_are_counted(role):
    """People's, tools' and models' words are encounters (B6)."""
    world = build_world()

    hear(world, said("gnommoweb is here", role))

    assert count(world, "gnommoweb") == 1


def test_system_text_is_only_looked_up():
    """A framework's own text counts nothing, teaches nothing and is still recalled."""
    world = world_of("gnommoweb -isa repo")

    reading = hear(world, said("gnommoweb is a container. zork too", Role.SYSTEM))

    assert count(world, "gnommoweb") == 0
    assert "zork" not in soas_by_token(world)
    assert reading.proposals == []
    assert [world.token(it) for it in reading.salient] == ["gnommoweb"]


def test_what_was_counted_is_heard():
    """Whoever listens later gets the turns that may teach, with what their roles permit."""
    world = build_world()

    reading = hear(
        world,
        said("one"),
        said("two", Role.TOOL),
        said("three", Role.SYSTEM),
        said("four", seen=True),
    )

    assert [(it.text, it.principal, it.doubt) for it in reading.counted_turns] == [
        ("one", "alice", ""),
        ("two", "alice", "tool_text"),
    ]


def test_seen_turn_is_only_looked_up():
    """A turn of the session's history teaches nothing a second time (B6)."""
    world = world_of("gnommoweb -isa repo")

    reading = hear(world, said("gnommoweb is a container. zork too", seen=True))

    assert count(world, "gnommoweb") == 0
    assert "zork" not in soas_by_token(world)
    assert reading.proposals == []
    assert len(reading.salient) == 1


def test_word_counts_once_a_turn():
    """Saying a word three times in one message is one encounter."""
    world = build_world()

    hear(world, said("dobby, dobby and Dobby"), said("dobby"))

    assert count(world, "dobby") == 2


def test_word_becomes_salient_at_the_fourth_encounter():
    """The default threshold 0.5 means four messages (B4)."""
    world = build_world()

    salient = [bool(hear(world, said("dobby")).salient) for _ in range(5)]

    assert salient == [False, False, False, True, True]


def test_everyday_word_stays_at_saliency_0():
    """However often it is met, a word of the dictionary is nothing special (B4)."""
    world = build_world(dictionary=frozenset({"python"}))

    readings = [hear(world, said("python")) for _ in range(50)]

    assert soas_by_token(world)["python"].saliency == 0.0
    assert not any(reading.salient for reading in readings)


def test_everyday_word_surfaces_once_it_is_placed():
    """Somebody said what it is here, so it matters from now on (B5)."""
    world = build_world(dictionary=frozenset({"python"}))
    propose(world, stated("python -isa language"))

    assert hear(world, said("python")).salient == [soas_by_token(world)["python"].id]


def test_salient_concepts_are_in_the_order_of_the_prompt():
    """Each once, where it was first met."""
    world = world_of("cat -isa pet", "ant -isa pet", "bee -isa pet")

    reading = hear(world, said("bee and cat"), said("cat, ant and bee"))

    assert [world.token(it) for it in reading.salient] == ["bee", "cat", "ant"]


def test_own_blocks_are_not_read():
    """A text that we told comes back and is neither counted nor learnt nor recalled (B7)."""
    world = world_of("gnommoweb -isa repo")
    block = "<recollection>\ngnommoweb is a container. zork\n</recollection>"

    reading = hear(world, said(f"{block} hello"))

    assert (reading.salient, reading.proposals) == ([], [])
    assert "zork" not in soas_by_token(world)
    assert "hello" in soas_by_token(world)


@pytest.mark.parametrize("role", list(Role))
def test_a_hundred_echoes_teach_nothing(role):
    """Our own blocks, in whatever role they return, bring no statement."""
    world = world_of("gnommoweb -isa repo")
    block = "<recollection>\ngnommoweb: [type] repo\ngnommoweb ISA container\n"

    proposals = [
        hear(world, said(f"{block}</recollection>", role)).proposals for _ in range(100)
    ]

    assert not any(proposals)


def test_a_prompt_brings_500_new_concepts_at_most():
    """A flood of words does not become a flood of rows (B5a)."""
    world = build_world()

    hear(
        world,
        said(" ".join(f"one{i}x" for i in range(NEW_CONCEPTS_MAX - 10))),
        said(" ".join(f"two{i}x" for i in range(100))),
    )

    assert len(soas_by_token(world)) == NEW_CONCEPTS_MAX


def test_numbers_may_run_out():
    """Without numbers left words are not met, and nothing else happens to the prompt."""
    world = build_world(ids=range(1, 3))

    hear(world, said("ant bee cat dog"))

    assert set(soas_by_token(world)) == {"ant", "bee"}


def test_fenced_code_is_counted_and_states_nothing():
    """Text in code fences is tokenised but not scanned for cues (B7)."""
    world = build_world()

    reading = hear(world, said("```\ngnommoweb is a repo\n```"))

    assert count(world, "gnommoweb") == 1
    assert reading.proposals == []


def test_people_assert():
    """A clean sentence of a person is a proposal that may be held, with its provenance."""
    turn = said("gnommoweb is a repo", digest=b"turn")

    (proposal,) = hear(build_world(), turn).proposals

    assert proposal.triple == FACT
    assert (proposal.asserts, proposal.source) == (True, StatementSource.INFERRED)
    assert (proposal.principal, proposal.subject) == ("alice", "bob")
    assert proposal.proposer == "scanner"
    assert proposal.evidence.sentence == "gnommoweb is a repo"
    assert (proposal.evidence.segment, proposal.evidence.ordinal) == (b"turn", 0)


@pytest.mark.parametrize("role", [Role.TOOL, Role.ASSISTANT])
def test_tools_and_models_propose(role):
    """Their statements may become candidates and say why (E1)."""
    (proposal,) = hear(build_world(), said("gnommoweb is a repo", role)).proposals

    assert (proposal.asserts, proposal.reason) == (False, f"{role}_text")


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("trust", list(RoleTrust))
def test_trust_is_the_operators_choice(role, trust):
    """The table decides what a role may do; a model never asserts, whatever it says."""
    proposals = hear(
        build_world(),
        said("gnommoweb is a repo", role),
        trust=dict.fromkeys(Role, trust),
    ).proposals

    expected = {
        RoleTrust.ASSERTS: [role is not Role.ASSISTANT],
        RoleTrust.PROPOSES: [False],
        RoleTrust.NOTHING: [],
    }
    assert [it.asserts for it in proposals] == expected[trust]


def test_statements_are_numbered_by_their_place():
    """A dropped text keeps its number, so that knowing more later shifts none."""
    text = "Maybe dobby is a worker. gnommoweb is a repo. agent-7 is a worker."

    proposals = hear(build_world(), said(text, digest=b"t")).proposals

    ordinals = {it.triple.concept: it.evidence.ordinal for it in proposals}
    assert ordinals == {"gnommoweb": 1, "agent-7": 2}


def test_evidence_holds_no_nul():
    """A character that Postgres cannot store does not get into a proposal."""
    text = "gnommoweb is a repo.\0 And\0 dobby is a worker"

    proposals = hear(build_world(), said(text)).proposals

    assert proposals
    assert not any("\0" in it.evidence.sentence for it in proposals)


def test_evidence_is_cut():
    """A sentence of a thousand words is kept in part."""
    text = f"gnommoweb is a repo {'and more ' * 500}"

    for proposal in hear(build_world(), said(text)).proposals:
        assert len(proposal.evidence.sentence) <= 400


def test_empty_prompt_reads_as_nothing():
    """No turns, no text: nothing is found and nothing is wrong."""
    reading = hear(build_world(), said(""), said("\n\n"))

    assert (reading.salient, reading.proposals) == ([], [])
