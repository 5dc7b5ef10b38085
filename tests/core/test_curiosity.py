from __future__ import annotations

import pytest

from festinger.core.curiosity import HEARD_MAX, REMEMBERED_MAX, Curiosity
from festinger.core.inquiry import (
    ATTEMPTS_MAX,
    BACKOFF_SECONDS,
    BACKOFF_SECONDS_MAX,
    SENTENCES_MAX,
    backoff,
)
from festinger.core.reading import Reader, Role, Turn, read
from festinger.core.world import World
from tests.memories import DICTIONARY, NOW, TRUST, propose, stated

WRITE_THRESHOLD = 1.2
USE = "please use the gnommoweb service instead"


class Listener:
    """
    A memory that prompts pass by, and what it wants to know.
    """

    def __init__(self, threshold=WRITE_THRESHOLD):
        self.world = World.from_structures(dictionary=DICTIONARY)
        self.curiosity = Curiosity()
        self.threshold = threshold

    def hears(self, text=USE, times=1, role=Role.USER, **turn):
        """
        Reads a text so often; gives what is wanted to be known after that.
        """
        wanted = []
        for _ in range(times):
            reading = read(
                self.world,
                [Turn(role, text, **turn)],
                Reader(TRUST, "alice"),
                threshold=0.5,
                now=NOW,
            )
            self.curiosity.hear(reading.heard)
        while self.curiosity.waiting:
            wanted += self.curiosity.listen(
                self.world, threshold=self.threshold, now=NOW
            )
        # Each once, as it was wanted last.
        return list({it.token: it for it in wanted}.values())

    def sentences(self, *texts, **turn):
        """
        What is remembered of texts that all hold gnommoweb, once it matters.
        """
        self.hears("gnommoweb", 16)
        for text in texts:
            self.hears(text, **turn)
        (wanted,) = self.hears("gnommoweb")
        return [it for it in wanted.mentions if it.text != "gnommoweb"]


@pytest.fixture
def listener():
    """
    A memory that knows nothing.
    """
    return Listener()


def test_sixteenth_encounter_asks(listener):
    """
    The default threshold of 1.2 is sixteen encounters (B4), and not fifteen.
    """
    assert listener.hears(times=15) == []

    (wanted,) = listener.hears()

    assert (wanted.token, wanted.encounters) == ("gnommoweb", 16)
    assert [it.text for it in wanted.mentions] == [USE]


def test_words_of_the_dictionary_never_do(listener):
    """
    Their saliency is 0 for ever, and at a threshold of 0 they are left out as well.
    """
    assert listener.hears("please use python", 40) == []
    assert Listener(threshold=0.0).hears("please use python", 40) == []


@pytest.mark.parametrize(
    "fact",
    ["gnommoweb -isa repo", "repo -isa gnommoweb", "x -isa y in context of gnommoweb"],
)
def test_known_concepts_do_not(listener, fact):
    """
    Unknown is what stands at no place of any edge (D3).
    """
    propose(listener.world, stated(fact))

    assert listener.hears(times=20) == []


@pytest.mark.parametrize(
    "name", ["3f2c8a9b", "v1.2.3", "notes.md", "a1b2c3d4e5f6a7b8", "x9999999"]
)
def test_identifiers_do_not(listener, name):
    """
    Nobody can say what a hash, a version or a file is.
    """
    assert listener.hears(f"please use {name} instead", 20) == []


def test_asked_once_until_doubled(listener):
    """
    Once it is noted it is wanted no more, until its count has doubled (F2).
    """
    (wanted,) = listener.hears(times=16)
    listener.curiosity.note(wanted.token, wanted.encounters)

    assert listener.hears(times=15) == []
    assert [it.encounters for it in listener.hears()] == [32]


def test_last_sentences_are_kept(listener):
    """
    The last five in their order; what is said again is said lately.
    """
    texts = [f"gnommoweb is near the {name}" for name in "abcdefgh"]

    kept = listener.sentences(*texts, texts[4])

    assert [it.text[-1] for it in kept] == ["f", "g", "h", "e"]
    assert len(kept) + 1 == SENTENCES_MAX


def test_only_its_sentence_is_kept(listener):
    """
    Of a long message the sentence in which it stands, and not its neighbours.
    """
    (kept,) = listener.sentences(
        "My password is hunter2. I cloned gnommoweb today. Nobody knows."
    )

    assert kept.text == "I cloned gnommoweb today"


@pytest.mark.parametrize(
    "text",
    [
        "<recollection>\ngnommoweb: [type] repo\n</recollection>",
        "```\ngnommoweb is secret\n```",
        "see https://gnommoweb.example/gnommoweb",
        'he said "gnommoweb is a virus"',
    ],
)
def test_what_is_no_prose_is_not_kept(listener, text):
    """
    Our own blocks, code, addresses and quotations (B7).
    """
    assert all("gnommoweb" not in it.text for it in listener.sentences(text))


def test_long_sentences_are_cut(listener):
    """
    Nobody stores more than 400 characters of what was said.
    """
    (kept,) = listener.sentences("gnommoweb " + "and more " * 100)

    assert len(kept.text) <= 400


@pytest.mark.parametrize(
    ("text", "role", "doubt"),
    [
        ("we pushed the gnommoweb repo", Role.USER, ""),
        ("we pushed the gnommoweb repo", Role.TOOL, "tool_text"),
        ("we pushed the gnommoweb repo", Role.ASSISTANT, "assistant_text"),
        ("is gnommoweb a repo?", Role.USER, "asked"),
        ("what does gnommoweb do", Role.USER, "asked"),
        ("maybe gnommoweb is a repo", Role.USER, "hedged"),
        ("gnommoweb might be a repo", Role.USER, "hedged"),
        ("> gnommoweb is a repo", Role.USER, "quoted"),
    ],
)
def test_doubt_stays_with_a_sentence(listener, text, role, doubt):
    """
    What its role and its form permit (E1, E5).
    """
    (kept,) = listener.sentences(text, role=role)

    assert (kept.doubt, kept.principal) == (doubt, "alice")


@pytest.mark.parametrize(
    "turn", [{"role": Role.SYSTEM}, {"role": Role.USER, "seen": True}]
)
def test_what_is_not_counted_is_not_heard(listener, turn):
    """
    System text, and what the session brought before (B6).
    """
    assert listener.sentences("gnommoweb is a repo", **turn) == []


def test_no_sentence_no_question(listener):
    """
    A name that stands in code only cannot be grounded in anything.
    """
    assert listener.hears("```\ngnommoweb()\n```", 40) == []


def test_flood_is_bounded(listener):
    """
    What nobody listens to is let go, the oldest first; the newest is heard.
    """
    reading = read(
        listener.world,
        [Turn(Role.USER, f"word{n}x") for n in range(HEARD_MAX + 50)],
        Reader(TRUST, "alice"),
        threshold=0.5,
        now=NOW,
    )
    listener.curiosity.hear(reading.heard)

    heard = 0
    while listener.curiosity.waiting:
        listener.curiosity.listen(listener.world, threshold=1.2, now=NOW)
        heard += 1
    assert heard == HEARD_MAX


def test_memory_is_bounded():
    """
    So many concepts have sentences; those that were met least lately lose theirs.
    """
    listener = Listener(threshold=0.0)
    for part in range(0, REMEMBERED_MAX + 500, 250):
        listener.hears(" ".join(f"word{part + n}x" for n in range(250)) + ".")

    kept = listener.curiosity._mentions
    assert len(kept) <= REMEMBERED_MAX


def test_pauses_grow_to_a_day():
    """
    A minute after the first failure, four times as long after each, at most a day.
    """
    pauses = [backoff(attempts) for attempts in range(1, ATTEMPTS_MAX + 1)]

    assert pauses[:3] == [BACKOFF_SECONDS, 4 * BACKOFF_SECONDS, 16 * BACKOFF_SECONDS]
    assert pauses == sorted(pauses)
    assert pauses[-1] == BACKOFF_SECONDS_MAX
