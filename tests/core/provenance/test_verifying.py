from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.provenance.chain import Chain
from festinger.core.provenance.trail import LinkPredicate, MetaTriple, TrailObject
from festinger.core.provenance.verifying import verify
from festinger.core.system.cid import canonical, cid_of
from festinger.core.validation.fitting import RaterSkill
from festinger.core.validation.reputation import Reputation, Reputations
from tests.core.validation.crowds import known
from tests.trails import forged, guessed, told

PEOPLE = ("alice", "bob", "carol", "dave", "erin", "moderator mia", "author alice")
ANSWERS = st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from("yynn-w")))
SKILLS = st.builds(
    lambda yes, told: RaterSkill(yes, min(0.99999, 1.0 - yes + told)),
    st.floats(0.001, 0.999),
    st.floats(0.0, 0.99),
)
REPUTATIONS = st.builds(
    Reputations,
    st.dictionaries(
        st.sampled_from([*PEOPLE[:5], "mia"]),
        st.builds(
            Reputation,
            skill=SKILLS,
            of_true=st.integers(0, 20),
            of_false=st.integers(0, 20),
            bloc=st.sampled_from([*PEOPLE[:5], "mia"]),
        ),
    ),
    st.floats(0.05, 0.95),
)
CHAINS = st.builds(lambda said, of: told(said, reputations=of), ANSWERS, REPUTATIONS)


def problems(chain: Chain) -> list[str]:
    """Return the problems that the verifier finds, each with its object."""
    return [f"{what}: {problem}" for what, problem in verify(chain) if problem]


def changed(chain: Chain, **objects: TrailObject) -> Chain:
    """Return a chain with other objects below names."""
    return replace(chain, objects={**chain.objects, **objects})


@given(CHAINS)
def test_whatever_was_answered_and_decided_is_proven(found):
    """
    A chain that was put down as it happened has no problem, whoever answered what with
    whatever reputation.
    """
    assert problems(found.chain) == []


def test_what_is_looked_at_is_told():
    """Each object, the links, each answer and the decision are steps of their own."""
    steps = [step.what for step in verify(told([("author alice", "y")]).chain)]
    assert sum("its name is the hash" in step for step in steps) == 5
    assert any("alice answered confirmed, and may" in step for step in steps)
    assert any("confirmed by the rule author, decided again" in step for step in steps)


@given(CHAINS, st.data())
def test_a_bit_that_was_changed_is_found(found, draw):
    """Whichever bit of whichever object is another one: the object is not what it is called."""
    chain = found.chain
    each = draw.draw(st.sampled_from(list(chain.objects.values())))
    data = bytearray(each.data)
    bit = draw.draw(st.integers(0, 8 * len(data) - 1))
    data[bit // 8] ^= 1 << bit % 8
    spoilt = changed(chain, **{each.cid: replace(each, data=bytes(data))})
    assert any(f"{each.cid}: its name" in problem for problem in problems(spoilt))


@given(CHAINS, st.data())
def test_a_link_that_was_put_in_is_found(found, draw):
    """No link can be added, whatever it leads from and to."""
    chain = found.chain
    ends = [*chain.objects, "mallory", "alice", "alice [joined]"]
    link = MetaTriple(
        draw.draw(st.sampled_from(ends)),
        draw.draw(st.sampled_from(LinkPredicate)),
        draw.draw(st.sampled_from(ends)),
    )
    spoilt = problems(replace(chain, links=chain.links | {link}))
    if link in chain.links:
        assert spoilt == []
    else:
        [problem] = spoilt
        assert "each link is said" in problem
        assert link.object in problem


@given(CHAINS, st.data())
def test_a_link_that_was_taken_out_is_found(found, draw):
    """No link can be left out."""
    chain = found.chain
    link = draw.draw(st.sampled_from(sorted(chain.links)))
    [problem] = problems(replace(chain, links=chain.links - {link}))
    assert "no link is left out" in problem


@given(CHAINS, st.data())
def test_an_object_that_was_taken_out_is_found(found, draw):
    """No object can be left out: others name it, or its links are said by nobody."""
    chain = found.chain
    cid = draw.draw(st.sampled_from(list(chain.objects)))
    rest = {name: each for name, each in chain.objects.items() if name != cid}
    assert problems(replace(chain, objects=rest))


@given(CHAINS, st.data())
def test_an_answer_that_was_suppressed_is_found(found, draw):
    """An answer that came before others cannot be left out with all that speaks of it."""
    answers = [event.cid for event in found.events]
    if len(answers) < 2:
        return
    cid = draw.draw(st.sampled_from(answers[:-1]))
    rest = {name: each for name, each in found.chain.objects.items() if name != cid}
    links = {it for it in found.chain.links if cid not in it}
    assert problems(Chain(found.chain.start, rest, frozenset(links)))


def test_an_object_below_the_name_of_another_is_found():
    """Two answers cannot be exchanged."""
    found = told([("bob", "y"), ("carol", "y"), ("dave", "n")])
    one, _, other = (found.chain.objects[event.cid] for event in found.events)
    spoilt = changed(
        found.chain,
        **{
            one.cid: replace(other, cid=one.cid),
            other.cid: replace(one, cid=other.cid),
        },
    )
    assert sum("what it says is called" in each for each in problems(spoilt)) == 2


def test_an_object_of_another_kind_is_found():
    """An object states its own kind."""
    found = told()
    each = found.chain.objects[found.question]
    [problem, *_] = problems(
        changed(found.chain, **{each.cid: replace(each, kind="message")})
    )
    assert "it says that it is a question" in problem


def test_what_says_nothing_of_ours_is_found():
    """An object with the name of its bytes and no form of ours is none."""
    data = canonical({"kind": "rumour", "form": 1})
    cid = cid_of(data)
    found = changed(told().chain, **{cid: TrailObject(cid, "rumour", data)})
    assert any("there is no kind 'rumour'" in each for each in problems(found))


def test_what_does_not_belong_to_it_is_found():
    """
    A sound chain of another candidate adds nothing, and answers of the same one that came
    first somewhere else cannot both have been the first.
    """
    mine = told().chain
    stranger = told(candidate=guessed(id=9, author="eve")).chain
    rival = told([("mia", "y"), ("eve", "y")]).chain
    assert any("belongs to it" in each for each in problems(together(mine, stranger)))
    assert any("follow each other" in each for each in problems(together(mine, rival)))


def together(one: Chain, other: Chain) -> Chain:
    """Return the statements of two chains, beginning with those of the first."""
    objects = {**one.objects, **other.objects}
    return Chain(one.start, objects, one.links | other.links)


@pytest.mark.parametrize(
    ("kind", "changes", "problem"),
    [
        (
            "event",
            {"responder": "microllm:v0.1"},
            "whoever proposed it does not answer",
        ),
        ("event", {"proposer": "mallory"}, "its proposer is not the candidate's"),
        ("event", {"responder": "MicroLLM:v0.1"}, "proposed it does not answer"),
        ("event", {"prompt_hash": "00"}, "its prompt_hash is not the candidate's"),
        ("event", {"model_version": "huge"}, "its model_version is not"),
        ("event", {"message": ""}, "its message is not the candidate's"),
        ("event", {"role": "author"}, "the author is alice"),
        ("event", {"role": "king"}, "'king' is not a valid VoterRole"),
        ("event", {"response": "maybe"}, "'maybe' is not a valid EventResponse"),
        ("event", {"ordinal": 7}, "follow each other"),
        ("event", {"response": "rejected"}, "yes was said by carol"),
        ("event", {"responder": "carol"}, "yes was said by carol"),
        ("event", {"role": "moderator"}, "the rule is moderator"),
        ("message", {"author": "mallory"}, "the message is of 'mallory'"),
        ("factoid", {"parent": "mafia"}, "its parent is 'chess_club'"),
        ("factoid", {"negated": True}, "its negated is False"),
        ("factoid", {"dimension": "left"}, "the candidate states it of 'left'"),
        ("factoid", {"proposer": "bob"}, "its proposer is not"),
        ("triple", {"concept": "mallory"}, "its concept is 'mallory'"),
        ("triple", {"is_isa": True}, "its is_isa is True"),
        ("triple", {"stated_dimension": "left"}, "of 'joined'"),
        ("triple", {"events": []}, "which are not the first"),
        ("triple", {"validated_by": ["bob", "carol", "eve"]}, "yes was said by bob, c"),
        ("triple", {"verdict": "belief"}, "the verdict is confirmed"),
        ("triple", {"verdict": "rejected"}, "what was not confirmed is no fact"),
        ("triple", {"verdict": "certain"}, "'certain' is not a valid CandidateVerdict"),
        ("triple", {"critical": True}, "is decided by moderators"),
        ("triple", {"rule": "author"}, "the rule is two_distinct"),
        ("triple", {"posterior": "0.1"}, "the posterior is 0."),
        ("triple", {"confidence": "1.0"}, "the confidence is 0."),
        ("triple", {"prior": "0.99"}, "the posterior is 0.99"),
        ("triple", {"prior": "1.0"}, "leaves no doubt"),
        ("triple", {"prior": "nan"}, "is not a share"),
        ("triple", {"posterior": ".9"}, "is not a share"),
        ("triple", {"confidence": "surely"}, "could not convert"),
    ],
)
def test_a_forgery_that_names_itself_anew_is_found(kind, changes, problem):
    """
    Whoever changes an object and computes all names and links again still has to say what
    could have happened.
    """
    chain = told([("bob", "y"), ("carol", "y")]).chain
    assert problems(forged(chain, "event")) == []
    found = problems(forged(chain, kind, **changes))
    assert any(problem in each for each in found), found


def test_reputations_that_were_invented_are_found():
    """A forger of an always-yes account's worth has to write another posterior."""
    found = told(
        [("bob", "y"), ("carol", "y")], reputations=known("bob", "carol", yes=0.7)
    )
    raters = found.chain.objects[found.triple].content["raters"]
    better = {name: {**each, "no_skill": "0.99"} for name, each in raters.items()}
    assert any(
        "the posterior is" in each
        for each in problems(forged(found.chain, "triple", raters=better))
    )


def test_what_is_not_shown_proves_nothing():
    """A chain with an object withheld, or with more than was told, is not proven."""
    found = told()
    each = found.chain.objects[found.candidate.message_cid]
    hidden = replace(each, data=b"", withheld="private")
    assert any(
        "not shown (private)" in problem
        for problem in problems(changed(found.chain, **{each.cid: hidden}))
    )
    [problem] = problems(replace(found.chain, more=True))
    assert "there is more" in problem


def test_a_chain_without_a_beginning_proves_nothing():
    """A chain of nothing, and one that begins with what is not there, are not proven."""
    assert problems(Chain(()))
    chain = told().chain
    assert problems(replace(chain, start=(cid_of(b""),)))
    assert problems(replace(chain, start=()))


def test_a_fact_that_was_moved_is_the_candidates_still():
    """If a decision moved the candidate's statement, the fact says so and is proven."""
    assert problems(told(dimension="membership").chain) == []


def test_a_belief_is_proven_by_both_signals():
    """The author's yes and the community's no are in the chain, and make a belief."""
    found = told([("author alice", "y"), ("bob", "n"), ("carol", "n")])
    triple = found.chain.objects[found.triple].content
    assert (triple["verdict"], triple["validated_by"]) == ("belief", ["alice"])
    assert problems(found.chain) == []


def test_two_facts_of_one_candidate_are_proven_together():
    """Confirmed first and believed later: each fact names the answers until then."""
    first = told([("author alice", "y")])
    later = told(
        [("author alice", "y"), ("bob", "n"), ("carol", "n")], trail=first.trail
    )
    chain = Chain((later.triple, first.triple), later.chain.objects, later.chain.links)
    assert first.triple != later.triple
    assert problems(chain) == []
