from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.provenance.chain import of_json, to_json
from festinger.core.provenance.forms import FORMS, RATER
from festinger.core.provenance.trail import (
    LinkPredicate,
    ObjectKind,
    Trail,
    TrailObject,
)
from festinger.core.system.cid import canonical, cid_of, is_cid, read
from festinger.core.validation.votes import EventResponse, ValidationEvent, VoterRole
from tests.core.validation.crowds import known
from tests.trails import SENTENCE, guessed, told

DOCUMENT = (Path(__file__).parents[3] / "docs" / "provenance.md").read_text("utf-8")
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
MOMENTS = st.integers(0, 4_000_000_000_000_000).map(lambda us: us / 1e6)
EVENTS = st.builds(
    ValidationEvent,
    candidate_id=st.integers(1, 2**62),
    candidate_cid=TEXT,
    proposer=TEXT,
    responder=TEXT,
    role=st.sampled_from(VoterRole),
    response=st.sampled_from(EventResponse),
    before_visible=st.booleans(),
    created=MOMENTS,
    note=TEXT,
    bot_id=TEXT,
    context_message_cid=TEXT,
    question_id=st.integers(0, 2**62),
    delivery=TEXT,
    prompt_hash=TEXT,
    model_version=TEXT,
    message_cid=TEXT,
)


def test_the_example_of_the_specification_is_put_down():
    """
    A candidate, its message, the question, the author's yes and the fact are objects, and
    the links are those of the specification.
    """
    found = told([("author alice", "y")])
    links = found.trail.links
    candidate, [event] = found.candidate, found.events

    kinds = sorted(each.kind for each in found.trail.objects.values())
    assert kinds == ["event", "factoid", "message", "question", "triple"]
    assert links == {
        (candidate.cid, "extractedBy", "microllm:v0.1/5f0c"),
        (candidate.cid, "fromMessage", candidate.message_cid),
        (candidate.cid, "validationEventCID", event.cid),
        (candidate.cid, "validatedBy", "alice"),
        (found.question, "asksAbout", candidate.cid),
        (event.cid, "respondedBy", "alice"),
        (event.cid, "answers", found.question),
        (found.triple, "assertedFrom", candidate.cid),
        (found.triple, "assertedFrom", event.cid),
        (found.triple, "about", "alice [joined]"),
    }
    triple = found.trail.objects[found.triple].content
    assert (triple["rule"], triple["confidence"]) == ("author", "0.95")
    assert triple["events"] == [event.cid]


def test_a_name_is_the_same_on_every_machine():
    """The document of the example has this identifier, whoever computes it and whenever."""
    found = told([("author alice", "y")])
    message = "bafyreibsnmk3uf65gm42xtp625km43xxdqgbzb2pp3vxnxspyjbj3e32xu"
    triple = "bafyreiazkuofkeizbro6zu725ricedkwuqlejzahrjvsga77mhpjoqtxzq"
    assert (found.candidate.message_cid, found.triple) == (message, triple)


def test_every_field_of_a_form_is_written_down_and_no_other():
    """The documented forms are what is written."""
    found = told([("author alice", "y"), ("bob", "n")], reputations=known("bob"))
    for each in found.trail.objects.values():
        assert each.content.keys() == {"kind", "form", *FORMS[each.kind]}
    assert {each.kind for each in found.trail.objects.values()} == set(ObjectKind)
    assert set(FORMS) == set(ObjectKind)


def test_the_forms_are_those_that_are_documented():
    """Whoever computes a name by the documentation has every field, and no other."""
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|$", DOCUMENT, re.MULTILINE)
    documented = {kind: set(re.findall(r"`(\w+)`", fields)) for kind, fields in rows}
    assert documented == {kind: set(form) for kind, form in FORMS.items()}
    for name in (*RATER, *LinkPredicate):
        assert f"`{name}`" in DOCUMENT


def test_a_name_is_computed_as_documented():
    """The documentation's own lines of Python compute the name of every object."""
    [code] = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    for cid, each in told([("author alice", "y")]).trail.objects.items():
        known: dict[str, Any] = {"content": dict(each.content)}
        exec(code, known)
        assert known["name"] == cid


def test_only_the_sentence_of_a_message_is_kept():
    """
    Of a long text no more than the sentence is put down, and of that not more than 400
    characters.
    """
    trail = Trail()
    cid = trail.message("word " * 500, author="alice")
    assert len(trail.objects[cid].content["sentence"]) == 400


def test_putting_down_twice_is_putting_down_once():
    """A batch that is written again, or an answer that comes again, changes nothing."""
    once, twice = told(), told(trail=told().trail)
    assert once.trail == twice.trail


def test_the_same_words_said_again_are_another_answer():
    """A person who says yes, no and yes in one moment gave three answers with three names."""
    trail = Trail()
    event = told().events[0]
    names = {trail.answer(event, ordinal) for ordinal in range(3)}
    assert len(names) == 3


def test_a_fact_that_another_candidate_makes_again_has_both_makers():
    """
    The same fact confirmed by another candidate is another object at the same place:
    whoever asks about the place finds both.
    """
    trail = Trail()
    first = told(trail=trail)
    second = told(trail=trail, candidate=guessed(id=2, external_id=""))
    about = {link.subject for link in trail.links if link.object == "alice [joined]"}
    assert about == {first.triple, second.triple}
    assert len(about) == 2


def test_only_those_whose_yes_stands_validated_it():
    """A person who took a yes back, or does not know, did not validate the fact."""
    found = told(
        [("dave", "y"), ("bob", "y"), ("erin", "-"), ("dave", "n"), ("carol", "y"),
         ("frank", "y"), ("frank", "w"), ("bob", "y")]
    )  # fmt: skip
    said = {
        it.object
        for it in found.trail.links
        if it.predicate == LinkPredicate.VALIDATED_BY
    }
    assert found.triple
    assert said == {"bob", "carol"}


def test_the_reputations_that_decided_are_written_down():
    """With the fact stands what was known of those who answered, and of nobody else."""
    found = told(reputations=known("bob", "carol", "mallory", yes=0.9, prior=0.4))
    triple = found.trail.objects[found.triple].content
    assert triple["raters"].keys() == {"bob", "carol"}
    assert triple["raters"]["bob"] == {
        "yes_skill": "0.9",
        "no_skill": "0.8",
        "of_true": 10,
        "of_false": 10,
        "bloc": "bob",
    }
    assert triple["prior"] == "0.4"


def test_what_extracted_a_candidate_has_a_name_that_fits_an_index():
    """However long a version and a hash are, the link that names them stays short."""
    trail = Trail()
    trail.candidate(guessed(extractor_version="v" * 10_000))
    [link] = [it for it in trail.links if it.predicate == LinkPredicate.EXTRACTED_BY]
    assert len(link.object) == 256


@given(EVENTS, st.integers(0, 1000))
def test_any_answer_can_be_read_as_it_was_put_down(event, ordinal):
    """
    Whatever somebody answered, its object says so, to the microsecond, in bytes and in
    JSON.
    """
    trail = Trail()
    cid = trail.answer(event, ordinal)
    each = trail.objects[cid]
    content = each.content
    assert content["responder"] == event.responder
    assert content["note"] == event.note
    assert content["created_us"] / 1e6 == event.created
    assert canonical(json.loads(each.json)) == each.data
    assert cid_of(each.data) == cid
    assert is_cid(cid)


@given(
    st.lists(st.sampled_from(["bob", "carol", "author alice", "moderator mia"])),
    st.data(),
)
def test_any_chain_survives_a_file(names, draw):
    """A chain that was written into a file is the same when it is read."""
    chain = told([(name, draw.draw(st.sampled_from("yn-w"))) for name in names]).chain
    assert of_json(to_json(chain)) == chain


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "Expecting value"),
        ("[]", "not what"),
        ("{}", "not what"),
        ('{"start": [], "objects": [], "links": [["a"]], "more": false}', "not what"),
        ('{"start": [1], "objects": [], "links": [], "more": false}', "not what"),
        ('{"start": [], "start": [], "objects": []}', "twice"),
        ('{"objects": [{"cid": "a", "kind": "b", "content": 0.5}]}', "canonical"),
        ('{"objects": [{"cid": "a", "kind": "b", "content": NaN}]}', "no number"),
        ("[" * 100_000, "deeply"),
    ],
)
def test_a_file_that_is_no_chain_is_refused(text, problem):
    """Whatever else a file holds is told in a sentence."""
    with pytest.raises(ValueError, match=problem):
        of_json(text)


def test_an_object_twice_in_a_file_is_refused():
    """Of two objects of one name a reader could see one and the verifier the other."""
    said = json.loads(to_json(told().chain))
    said["objects"].append(said["objects"][0])
    with pytest.raises(ValueError, match="twice"):
        of_json(json.dumps(said))


@pytest.mark.parametrize("kind", FORMS)
def test_what_has_another_form_is_no_object(kind):
    """
    Without one of its fields, with another one, or with one of another type, an object of
    any kind cannot be read.
    """
    found = told([("author alice", "y")], reputations=known("alice"))
    [each] = [it for it in found.trail.objects.values() if it.kind == kind]
    content = dict(each.content)
    others = [content | {"more": 1}, content | {"form": 2}, content | {"form": True}]
    for name in content:
        less = dict(content)
        del less[name]
        others += [less, content | {name: [[]]}]
    for other in others:
        with pytest.raises(ValueError, match=r"form|field|kind|type|names|map"):
            _ = replace(each, data=canonical(other)).content


@given(st.binary(max_size=200))
def test_no_bytes_crash_whoever_reads_an_object(data):
    """Bytes that are no object are refused, whatever they are."""
    with pytest.raises(ValueError, match=r"form|field|kind|map"):
        _ = TrailObject("b", "event", data).content


def test_the_sentence_is_what_can_be_read_of_the_message():
    """The message's object holds the sentence, and says of whom."""
    found = told()
    message = read(found.trail.objects[found.candidate.message_cid].data)
    assert message == {
        "kind": "message",
        "form": 1,
        "sentence": SENTENCE,
        "author": "alice",
        "message_id": "m:0x998",
        "chunk_id": "7",
    }
