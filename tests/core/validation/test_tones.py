"""Tones of questions: three tones, one sentence, and nobody else's words in it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.graph.candidates import Candidate, Lane
from festinger.core.graph.predicates import Registry
from festinger.core.graph.proposal import Triple
from festinger.core.validation.escaping import cut, name_of, quoted
from festinger.core.validation.questions import BotName
from festinger.core.validation.tones import QuestionAudience, QuestionWording, worded
from tests.people import candidate

ALICE = QuestionAudience(Lane.AUTHOR, recipient="alice")
BOB = QuestionAudience(Lane.COMMUNITY, recipient="user:bob")
TOWN = QuestionAudience(Lane.COMMUNITY, channel="slack:C1")
MODERATORS = QuestionAudience(Lane.MODERATOR, channel="slack:C2")
REGISTRY = Registry()
OPTIONS = "(Yes / No / Not sure)"
# What calls somebody, or marks something up, on one platform or another.
DANGEROUS = set("@<>[]{}*`~|\\&\n\r\t\x00\u200b\u200d\u202e\u2066\ufeff\u00ad\u2028")


def asked(
    candidate: Candidate, audience: QuestionAudience = TOWN, **more: bool
) -> QuestionWording:
    """Return the wording with the template of its predicate."""
    triple = candidate.triple
    predicate = REGISTRY.of(triple.dimension, triple.is_isa)
    template = predicate.question if predicate else ""
    return worded(candidate, audience, template=template, **more)


def sentence(
    candidate: Candidate, audience: QuestionAudience = TOWN, **more: bool
) -> str:
    """Return the question without the source below it."""
    return asked(candidate, audience, **more).text.partition("\n")[0]


def stated(*names: str, is_isa: bool = False, negated: bool = False) -> Candidate:
    """Return a candidate of which only the graph's names are known."""
    concept, parent, dimension = names
    triple = Triple(concept, parent, dimension, is_isa, negated)
    return candidate(
        triple=triple, subject_raw="", object_raw="", evidence="", predicate=""
    )


@pytest.mark.parametrize(
    ("audience", "bot", "words"),
    [
        (
            ALICE,
            BotName.BARKEEP,
            "Hey @Alice — quick check: did you join the Chess Club?",
        ),
        (
            BOB,
            BotName.BARKEEP,
            "Hey @bob — quick check: did Alice join the Chess Club?",
        ),
        (TOWN, BotName.HISTORIAN, "Community: did Alice join the Chess Club?"),
        (MODERATORS, BotName.HISTORIAN, "Moderators: did Alice join the Chess Club?"),
    ],
)
def test_each_bot_has_its_tone(audience, bot, words):
    """To a person, to a channel, and to moderators."""
    wording = asked(candidate(), audience)

    assert wording.bot is bot
    assert wording.text == (f"{words} {OPTIONS}\n“I joined the Chess Club last week.”")


@pytest.mark.parametrize(
    ("audience", "words"),
    [
        (ALICE, "did you join the chess club?"),
        (BOB, "did alice join the chess club?"),
        (TOWN, "did alice join the chess club?"),
    ],
)
def test_speaker_is_named_and_tokens_are_words(audience, words):
    """
    "Did I join chess_club?" asks its reader about themselves, in the graph's notation.
    """
    said = candidate(subject_raw="I", object_raw="chess_club")

    assert words in sentence(said, audience)
    assert "alice" in sentence(replace(said, author=""), audience)


def test_a_contradiction_is_the_critics():
    """It tells the claim and the fact that is held."""
    claim = candidate(contradicts="alice -ispart debate_club in context of joined")

    assert asked(claim).bot is BotName.CRITIC
    assert sentence(claim) == (
        "We have a claim that Alice joined the Chess Club, but records show otherwise "
        f"(“alice joined the debate club”): is the claim correct? {OPTIONS}"
    )


def test_a_held_fact_in_other_words_is_quoted():
    """A text that cannot be read as a fact is told unchanged."""
    claim = candidate(contradicts="alice: [joined] debate_club")

    assert "(“alice: (joined) debate_club”)" in sentence(claim)


@pytest.mark.parametrize(
    ("candidate", "words"),
    [
        (
            stated("gnommoweb", "repo", "type", is_isa=True),
            "is gnommoweb a kind of repo",
        ),
        (
            stated("gnommoweb", "agent", "role", is_isa=True),
            "is gnommoweb an agent in the context of role",
        ),
        (
            stated("gnommoweb", "unicorn", "role", is_isa=True),
            "is gnommoweb a unicorn in the context of role",
        ),
        (stated("web", "town", "membership"), "is web part of town"),
        (
            stated("web", "town", "membership", negated=True),
            "is it true that web is not part of town",
        ),
        (stated("web", "docker", "runs-on"), "does web run on docker"),
        (
            stated("web", "docker", "runs-on", negated=True),
            "is it true that web does not run on docker",
        ),
        (stated("web", "bob", "written-by"), "is web written by bob"),
        (
            stated("web", "india", "climate"),
            "is web part of india in the context of climate",
        ),
        (
            candidate(triple=Triple("alice", "chess_club", "joined", False, True)),
            "is it true that Alice did not join the Chess Club",
        ),
        (
            candidate(object_raw="the Chess Club", evidence=""),
            "did Alice join the Chess Club",
        ),
        (
            candidate(object_raw="Mensa", evidence="joined Mensa"),
            "did Alice join Mensa",
        ),
    ],
)
def test_the_words_read_well(candidate, words):
    """Whatever the statement is, and also if it is denied."""
    assert sentence(candidate) == f"Community: {words}? {OPTIONS}"


@pytest.mark.parametrize(
    ("subject", "words"),
    [("Alice", "do you work at Acme"), ("I", "do you work at Acme")],
)
def test_whoever_is_spoken_of_is_spoken_to(subject, words):
    """And the verb goes with it."""
    works = candidate(
        triple=Triple("alice", "acme", "works-at", False),
        subject_raw=subject,
        object_raw="Acme",
        evidence="",
    )

    assert words in sentence(works, ALICE)


@pytest.mark.parametrize(
    ("template", "name", "words"),
    [
        ("did {subject} join their {object}", "the Chess Club", "their Chess Club"),
        ("did {subject} join its {object}", "The Chess Club", "its Chess Club"),
        ("is {subject} the {object}", "a club of the year", "the club of the year"),
        ("is {subject} the {object}", "club of the year", "the club of the year"),
        ("did {subject} see a {object}", "Bathe a Dog", "a Bathe a Dog"),
        ("did {subject} bathe {object}", "the Dog", "bathe the Dog"),
    ],
)
def test_a_name_has_one_article(template, name, words):
    """
    The article of the template replaces the one that the name begins with, and no other
    part of the name.
    """
    named = candidate(object_raw=name, evidence="")

    assert worded(named, TOWN, template=template).text.endswith(f" {words}? {OPTIONS}")


def test_words_of_somebodys_own_are_asked_as_they_are():
    """A template that cannot be turned around is quoted where a statement is needed."""
    template = "would you say that {subject} has read {object}?"

    plain = worded(candidate(), TOWN, template=template)
    claim = worded(candidate(contradicts="alice -isa cat"), TOWN, template=template)

    assert plain.text.startswith(
        "Community: would you say that Alice has read the Chess Club? (Yes"
    )
    assert "We have a claim that the answer to \u2018would you say" in claim.text


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, "We read “I joined” — is this true?"),
        (
            {"rule": "is a", "evidence": "Well, gnommoweb is a repo of ours"},
            "We read “gnommoweb is a” — is this true?",
        ),
        (
            {"evidence": "What a day at the club"},
            "We read “What a day at the club” — is this true?",
        ),
        ({"evidence": ""}, "scanner put it forward — is this true?"),
        (
            {"evidence": "", "extractor_version": "microllm:v0.1"},
            "microllm v0.1 put it forward — is this true?",
        ),
        (
            {"justification": "she says so"},
            "We read “I joined” — is this true? Why it was guessed: “she says so”",
        ),
    ],
)
def test_people_are_told_why(changes, why):
    """The words that made us ask, and what a model gave as its reason."""
    assert asked(candidate(**changes)).why == why


def test_a_message_is_named_beside_its_sentence_only():
    """Without a sentence there is nothing below the question: a bare name helps nobody."""
    assert "\n" not in asked(candidate(evidence="", message_cid="m:7")).text


def test_the_source_is_cut_at_a_words_end_and_its_message_named():
    """Nobody has to read a chapter, and whoever wants to finds it."""
    long = candidate(
        evidence="I joined it " + "because of chess " * 40, message_cid="m:7"
    )

    source = asked(long).text.partition("\n")[2]

    assert len(source) < 240
    assert re.fullmatch(
        r"“I joined it (because of chess )*because( of( chess)?)?…” — message m:7",
        source,
    )


def test_evidence_is_asked_for():
    """With the same answers to click."""
    wording = asked(candidate(), ALICE, evidence=True)

    assert wording.text.startswith(
        "Hey @Alice — quick check: did you join the Chess Club, and where can we read of "
        "it? (Yes"
    )
    assert wording.why.endswith("A moderator asks for evidence.")


def test_the_hash_names_what_was_asked():
    """Another word is another hash, and the same words are the same one."""
    hashes = [
        asked(each).prompt_hash
        for each in (candidate(), candidate(id=2), candidate(object_raw="Mensa"))
    ]

    assert hashes[0] == hashes[1] != hashes[2]
    assert re.fullmatch("[0-9a-f]{64}", hashes[0])


@pytest.mark.parametrize("everybody", ["channel", "here", "everyone", "room", "all"])
def test_nobody_is_called_by_the_name_of_everybody(everybody):
    """A principal of that name is addressed without an `@`."""
    words = sentence(candidate(), QuestionAudience(Lane.COMMUNITY, recipient=everybody))

    assert words.startswith(f"Hey {everybody} —")


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("@channel", "channel"),
        ("<!here>", "here"),
        ("**Bob**", "Bob"),
        ("_Bob_", "Bob"),
        ("chess_club", "chess_club"),
        ("[Bob](http://evil.example)", "Bob http evil.example"),
        ("Bob\n\n# Heading", "Bob Heading"),
        ("Bo\U000e0101b\u2800\ufe0f", "Bob"),
        ("Bo\u200bb\u202e\u2066", "Bob"),
        ("Bob? (Yes", "Bob Yes"),
        ("node.js", "node.js"),
        ("C++ & c#", "C++ c#"),
        ("St. Pauli", "St Pauli"),
        ("O'Brien-Smith", "O'Brien-Smith"),
        ("one two three four five six", "one two three four five"),
        ("Zoe\u0301", "Zoé"),
        ("Z\u0301\u0302\u0303\u0304\u0305", "Ź\u0302\u0303"),
        ("हिन्दी क्लब", "हिन्दी क्लब"),
        ("\u3164\u200b@", ""),
    ],
)
def test_names_are_disarmed(raw, name):
    """The remaining characters are letters, marks, digits and what stands between them."""
    assert name_of(raw) == name


@given(st.text(), st.text(), st.text(), st.text(), st.booleans(), st.sampled_from(Lane))
def test_nothing_that_others_wrote_marks_up_or_calls(
    subject, held, evidence, contradicts, negated, lane
):
    """Whatever is in names and sentences, on any platform."""
    told = candidate(
        triple=Triple("alice", "chess_club", "joined", False, negated),
        subject_raw=subject,
        object_raw=held,
        evidence=evidence,
        justification=evidence,
        contradicts=contradicts,
        message_cid=held,
    )
    for audience in (
        QuestionAudience(lane, recipient="alice"),
        QuestionAudience(lane, channel="slack:C"),
    ):
        wording = asked(told, audience)
        first, _, source = wording.text.partition("\n")

        # Our own `@` calls whom we ask.
        mine = first.replace("Hey @", "", 1)
        assert not DANGEROUS & set(mine + source + wording.why)
        # `c#` is a name; what begins with it leads to a channel, or is a heading.
        assert not re.search(r"(?<![\w+#])#", wording.text + wording.why)
        assert first.endswith(f"? {OPTIONS}")
        assert "://" not in wording.text + wording.why
        if not contradicts:
            question = first.removesuffix(f" {OPTIONS}")
            assert question.count("?") == 1
            assert not re.search(r"[.!]\s", question)


@given(st.text(), st.integers(2, 50))
def test_what_is_cut_fits(text, most):
    """And is not cut if it fits as it is."""
    assert len(cut(text, most)) <= most
    assert cut(text, len(text)) == text


@given(st.text())
def test_what_is_quoted_cannot_end_the_quotation(text):
    """The only marks of ours are at its ends."""
    inside = quoted(text)[1:-1]

    assert not set('“”"') & set(inside)
