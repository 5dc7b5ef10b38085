from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.graph.predicates import Predicate, Registry
from festinger.core.graph.proposal import Triple
from festinger.core.language.turns import Role
from festinger.core.recollection.reading import CountedTurn
from festinger.core.validation.dreaming import AskedModel
from festinger.core.validation.guesses import (
    EXTRACTOR,
    NOBODY,
    QUEUE_MAX,
    QUEUED_MAX,
    AmbiguousSentence,
    GuessAnswer,
    Guesses,
    find_ambiguous,
    question,
    weigh,
)
from tests.memories import world_of

REGISTRY = Registry()
ASKED = AskedModel("model:1", "ollama small", "hash")
JOINED = Triple("alice", "chess_club", "joined", False)
I_JOINED = AmbiguousSentence("I joined the Chess Club", "alice", "alice", "alice")


def found(text, *, speaker="alice", registry=REGISTRY, facts=(), **fields):
    """Return the sentences of a text that a model is asked about."""
    heard = CountedTurn(text, speaker, "", subject=speaker, **fields)
    return [it.sentence for it in find_ambiguous(heard, world_of(*facts), registry)]


def guess(subject="I", predicate="t:joined", object="Chess Club", **fields):
    """Return a model's guess."""
    values = {"subject": subject, "predicate": predicate, "object": object}
    return {"confidence": 0.6, "why": 'it says "I joined"'} | values | fields


def weighed(*guesses, of=I_JOINED):
    """Return the verdicts on guesses."""
    answer = GuessAnswer.model_validate({"guesses": list(guesses)})
    return weigh(answer, of, REGISTRY, ASKED)


@pytest.mark.parametrize(
    "text",
    [
        "I joined the Chess Club",
        "I'm part of the Core Team",
        "I am a member of the Chess Club",
        "my company uses Docker heavily",
        "Alice works at Acme Corp",
        "yesterday Alice joined the Chess Club",
    ],
)
def test_what_seems_to_state_something_is_asked_about(text):
    """A predicate's word, or a cue of which nothing came, between somebody and a name."""
    assert found(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "gnommoweb is a repo",  # the scanner holds it
        "Did I join the Chess Club?",
        "I wish I had joined the Chess Club",
        "Maybe I joined the Chess Club",
        "I joined them",
        "She joined the Chess Club",
        "please use the service instead",
        "I want to use the toilet",
        "```\nI joined the Chess Club\n```",
        "> I joined the Chess Club",
        "I joined " + "word " * 60 + "the Chess Club",
        "joined Chess Club",
        "",
    ],
)
def test_what_states_nothing_or_is_clear_is_not(text):
    """Questions, wishes, quotes, code and what the scanner reads cost no model anything."""
    assert found(text) == []


def test_nobody_is_guessed_where_nobody_said_who_speaks():
    """
    "I" is a person only where the server knows which.
    """
    assert found("I joined the Chess Club", speaker=NOBODY) == []
    assert found("I joined the Chess Club", speaker="Bob & Co.") == []
    assert found("I joined the Chess Club", speaker="user:alice") != []


def test_only_the_sentence_itself_is_given_out():
    """The other statements of the turn stay where they are."""
    text = "My password is hunter2. I joined the Chess Club. Bye."

    assert found(text) == ["I joined the Chess Club."]


def test_a_known_concept_is_a_name_as_well():
    """A name that a fact has placed needs no capital."""
    assert found("I use gnommoweb daily") == []
    assert found("I use gnommoweb daily", facts=["gnommoweb -isa repo"]) != []


def test_a_memory_s_own_predicates_are_looked_for():
    """Whoever registers `t:mentors` has sentences with that word asked about."""
    registry = Registry([Predicate("t:mentors", "mentor", is_isa=False)])

    assert found("Alice mentors Bob daily") == []
    assert found("Alice mentors Bob daily", registry=registry) != []


@given(st.text(max_size=400))
def test_whatever_is_said_can_be_looked_through(text):
    """No text ends the listener, and what it finds is short."""
    for sentence in found(text):
        assert 0 < len(sentence) <= 400


def test_a_sentence_is_asked_about_once():
    """Said again, or twice in a row, it costs nothing; said by another it does."""
    guesses, world = Guesses(), world_of()
    for speaker in ("alice", "alice", "bob"):
        guesses.queue([CountedTurn("I joined the Chess Club", speaker, "")])
    while guesses.has_turns:
        guesses.search_turn(world, REGISTRY)

    speakers = []
    while item := guesses.next():
        speakers.append(item.speaker)
    assert speakers == ["alice", "bob"]


def test_only_what_people_say_is_listened_to():
    """Tools, documents and assistants are no source of guesses (E1)."""
    guesses = Guesses()

    for role in (Role.TOOL, Role.ASSISTANT, Role.SYSTEM):
        guesses.queue([CountedTurn("I joined the Chess Club", "alice", "", role)])

    assert not guesses.has_turns


def test_what_waits_is_bounded():
    """Neither a long conversation nor one with a thousand such sentences fills the memory."""
    guesses, world = Guesses(), world_of()
    for turn in range(QUEUED_MAX + 100):
        guesses.queue([CountedTurn(f"I joined the Chess Club {turn}x", "alice", "")])
    looked = 0
    while guesses.has_turns:
        guesses.search_turn(world, REGISTRY)
        looked += 1

    waiting = 0
    while guesses.next():
        waiting += 1
    assert (looked, waiting) == (QUEUED_MAX, QUEUE_MAX)


def test_model_is_told_the_sentence_and_what_it_may_answer():
    """As data: whatever stands in it is within quotes."""
    told = json.loads(question(I_JOINED, REGISTRY))

    assert told["sentence"] == "I joined the Chess Club"
    assert told["speaker"] == "alice"
    assert "t:joined" in told["predicates"]


def test_i_is_who_speaks():
    """The specification's candidate: of whom, by which predicate, and why it was guessed."""
    (proposal,) = weighed(guess())

    assert proposal.triple == JOINED
    assert not proposal.asserts
    assert (proposal.principal, proposal.proposer) == ("alice", "model:1")
    known = proposal.candidacy
    assert known is not None
    assert (known.predicate, known.author) == ("t:joined", "alice")
    assert known.extractor_version == EXTRACTOR
    assert (known.model_version, known.prompt_hash) == ("ollama small", "hash")
    assert known.justification == 'it says "I joined"'
    assert proposal.evidence.sentence == I_JOINED.sentence


@pytest.mark.parametrize(
    "bad",
    [
        guess("Mallory"),
        guess(object="Vault"),
        guess(object="</recollection>"),
        guess(predicate="t:murdered"),
        guess(predicate="https://example.org/x"),
        guess(predicate="joined"),
        guess("she"),
        guess(object="Club Chess of Chess Club"),
    ],
)
def test_what_the_sentence_does_not_support_is_dropped(bad):
    """Names that do not stand there, markup, and predicates that nobody registered."""
    assert weighed(bad) == []


def test_a_model_is_never_surer_than_certain():
    """Confidence is a number in [0, 1], whatever it answers."""
    for confidence in (-1.0, 7.0, float("inf"), float("nan")):
        for proposal in weighed(guess(confidence=confidence)):
            assert 0.0 <= proposal.confidence <= 1.0


def test_a_flood_of_guesses_is_cut():
    """Three are looked at, each statement once."""
    assert len(weighed(*[guess()] * 1_000)) == 1
    assert weighed(*[guess("Mallory")] * 3, guess()) == []


def test_heard_turns_come_in_order():
    """The oldest sentence is asked about first, and one that is put back before all."""
    guesses, world = Guesses(), world_of()
    for club in ("Chess", "Go", "Rowing"):
        guesses.queue([CountedTurn(f"I joined the {club} Club", "alice", "")])
    while guesses.has_turns:
        guesses.search_turn(world, REGISTRY)

    first = guesses.next()
    assert first is not None
    guesses.put_back(first)

    order = []
    while item := guesses.next():
        order.append(item.sentence)
    assert order[0] == first.sentence
    assert all(one != other for one, other in pairwise(order))
    assert len(order) == 3
