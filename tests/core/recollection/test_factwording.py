from __future__ import annotations

import pytest

from festinger.core.memories.memory import Memory
from festinger.core.memories.types import MemoryType
from festinger.core.recollection.concepts import Kind, Line
from festinger.core.recollection.factwording import FactWording, merge
from festinger.core.recollection.recall import RecallRequest, recall
from festinger.core.recollection.retelling import StandingLine, line_of
from festinger.core.system.preferences import Preferences
from tests.memories import DAY, NOW, world_of

EVERYDAY = frozenset(
    [
        "where",
        "does",
        "our",
        "which",
        "do",
        "we",
        "use",
        "for",
        "what",
        "is",
        "a",
        "the",
        "with",
        "run",
        "daemon",
        "gateway",
    ]
)
ASKED = "which load balancer do we use for kassel?"
TOLD = "kassel_gateway: [type] load_balancer"


def memory_of(*facts):
    """Return a world that holds facts, with everyday words."""
    return world_of(*facts, "indexer -isa daemon", dictionary=EVERYDAY)


def told(world, prompt, *, subject="", tokens=200, now=NOW, **given):
    """Return the lines that a prompt is told because they fit."""
    worded = FactWording(
        world,
        given.pop("preferences", Preferences()),
        given.pop("lines", ()),
        given.pop("kept", ()),
        subject=subject,
        now=now,
    )
    return recall(
        world.lines,
        RecallRequest(prompt, asker=subject or "theo", **given),
        dictionary=EVERYDAY,
        tokens=tokens,
        now=now,
        worded=worded,
    )


def texts(recalled):
    """Return the texts of what is told."""
    return [line.text for line in recalled.lines]


def test_statement_that_fits_is_told_as_a_graph_line():
    """Though the prompt names its concept by other words."""
    recalled = told(memory_of("kassel_gateway -isa load_balancer"), ASKED)

    assert texts(recalled) == [TOLD]
    assert recalled.lines[0].kind is Kind.RECOLLECTION
    assert recalled.lines[0].concept == "kassel_gateway"


def test_words_side_by_side_are_a_name():
    """Everyday words that make a name together find it, with all that is told of it."""
    world = memory_of("billing_service -ispart hetzner", "billing_service -isa daemon")

    recalled = told(world, "where does our billing service run?")

    assert texts(recalled) == [
        "billing_service: [membership] hetzner [type] daemon",
    ]


def test_concept_is_told_once():
    """A line that the block, or the prompt, has already is not told again."""
    world = memory_of("kassel_gateway -isa load_balancer")
    there = Line("kassel_gateway", TOLD, Kind.RECOLLECTION, "")
    kept = StandingLine("kassel_gateway", TOLD, kept=True)

    assert texts(told(world, ASKED, lines=[there])) == []
    assert texts(told(world, ASKED, kept=[kept])) == []


def test_statement_beyond_the_limits_is_not_told():
    """Age and confidence have the operator's limits here as well."""
    world = memory_of("kassel_gateway -isa load_balancer")
    preferences = Preferences(recollection_recency_days=30)

    late = told(world, ASKED, preferences=preferences, now=NOW + 31 * DAY)

    assert texts(late) == []


@pytest.mark.parametrize(("tokens", "lines"), [(0, []), (2, []), (200, [TOLD])])
def test_statements_keep_the_limit_of_tokens(tokens, lines):
    """The same as quotes."""
    world = memory_of("kassel_gateway -isa load_balancer")

    assert texts(told(world, ASKED, tokens=tokens)) == lines


def test_what_the_prompt_states_is_not_told_to_it():
    """Its agent has read it."""
    world = memory_of("kassel_gateway -isa load_balancer")
    prompt = "The kassel gateway is our load balancer. Update the diagram for kassel."

    recalled = told(world, prompt)

    assert texts(recalled) == []
    assert {it.why for it in recalled.rejected} <= {"present", "quiet"}


def test_memory_is_told_to_its_subject_alone():
    """As a line about them."""
    world = memory_of()
    content = "deploys kassel with podman"
    memories = [Memory(1, "alice", MemoryType.USER_FACT, content, 0.9, NOW)]
    world.remember(["alice"], {"alice": memories})
    prompt = "which container tool do we use for the kassel deploys, podman or docker?"

    ours, theirs = (told(world, prompt, subject=it) for it in ("alice", "bob"))

    assert texts(ours) == ["about alice: deploys kassel with podman (fact)"]
    assert texts(theirs) == []
    assert "alice" not in {it.found.line.subject for it in theirs.rejected}


def test_lines_that_fit_stand_among_the_others():
    """Concepts by name, quotes behind them, hints last."""
    hint = Line("zork", "? zork: …", Kind.HINT, "")
    known = Line("kassel", "kassel: [type] city", Kind.RECOLLECTION, "")
    fact = Line("bonn", "bonn: [type] city", Kind.RECOLLECTION, "")
    quote = Line("said 1.0@1", 'nan, 5 May: "…"', Kind.QUOTE, "")

    assert merge([known, hint], [fact, quote]) == [fact, known, quote, hint]
    assert merge([known, hint], []) == [known, hint]


def test_told_statement_is_the_line_that_sticks():
    """It is exactly what is compared when the session comes back."""
    world = memory_of("kassel_gateway -isa load_balancer")
    number = world.id("kassel_gateway")
    assert number is not None

    line = line_of(world, number, Preferences(), NOW)

    assert line is not None
    assert texts(told(world, ASKED)) == [line.text]
