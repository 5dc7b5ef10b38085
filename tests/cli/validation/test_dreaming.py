"""`festinger validation dream` and `festinger graph predicates`, as processes against a server."""

from __future__ import annotations

import pytest

from festinger.errors import BadAnswer, ModelRefused
from tests.dreaming import JOINED, dream, dreams, put


@pytest.fixture
async def memory(memories):
    """The memory of the test's server."""
    return await memories.get("default")


@pytest.fixture
async def chosen(pool):
    """A model is chosen."""
    await pool.execute("update config set value = '1' where key = 'dream_model_id'")


async def test_progress_tells_of_each_item_and_then_of_the_night(
    chosen, operator, memory, memories, pool, model
):
    """A line an item, what was found in it, and the report, which is kept."""
    await put(memory, pool, 1)
    await put(memory, pool, 2, fact="bob -isa poet", sentence="")
    await memories.read_settings("default")
    model.says(dreams(dream()), BadAnswer("it answered with prose"))

    printed = await operator.prints("validation", "dream", "--progress")
    last = await operator.prints("validation", "dream", "--last")

    lines = printed.splitlines()
    assert lines[:2] == [
        "1/2  #1 done  candidate 1001, expired (normal)",
        f"    held: {JOINED}",
    ]
    assert lines[2].startswith("2/2  #2 waiting  candidate 1002")
    assert "    failed 1 times: it answered with prose" in lines
    assert "  held: 1" in lines
    assert last.startswith("night 1 (manual) since")
    assert "  items: 1 worked through, 1 failed, of 2" in last
    assert "next night: " in last


async def test_night_that_cannot_go_on(chosen, operator, memory, memories, pool, model):
    """The reason, and exit code 1."""
    await put(memory, pool, 1)
    await memories.read_settings("default")
    model.says(ModelRefused("its key is not accepted (401)"))

    code, printed, _ = await operator.runs("validation", "dream")

    assert code == 1
    assert "it could not go on: its key is not accepted (401)" in printed


async def test_no_model_says_what_to_do(operator, memory, pool):
    """The command that chooses one; and what waits is listed all the same."""
    assert (
        await operator.prints("validation", "dream", "--waiting") == "Nothing waits.\n"
    )
    await put(memory, pool, 1)

    code, _, complained = await operator.runs("validation", "dream")

    assert code == 1
    assert "config set dream_model_id" in complained
    assert "#1 waiting" in await operator.prints("validation", "dream", "--waiting")
    assert "config set dream_model_id" in await operator.prints(
        "validation", "dream", "--last"
    )


async def test_predicates_are_listed_set_and_dismissed(operator, memory, pool):
    """A recurring unregistered word is suggested until somebody says what it is."""
    for number, uri in enumerate(("t:mentors", "t:mentors", "t:leads", "t:leads")):
        fact = f"a{number} -ispart b in context of {uri[2:]}"
        await put(memory, pool, number + 1, fact=fact, predicate=uri, confirmed=True)
    listed = await operator.prints("graph", "predicates")

    line = await operator.prints(
        "graph", "predicates", "set", "t:mentors", "mentor", "--question",
        "does {subject} mentor {object}?",
    )  # fmt: skip
    await operator.prints("graph", "predicates", "dismiss", "t:leads")
    after = await operator.prints("graph", "predicates", "list")

    assert "t:joined  [joined] single ispart  did {subject} join {object}?" in listed
    assert "suggested: t:mentors  met 2 times" in listed
    assert line == "t:mentors  [mentor] ispart  does {subject} mentor {object}?\n"
    assert "suggested" not in after
    assert after.count("t:mentors") == 1


async def test_operator_changes_how_many_values_there_are(operator, memory):
    """A dimension's name does, and what is not said stays: its question and its words."""
    line = await operator.prints(
        "graph", "predicates", "set", "runs-on", "--cardinality", "multi",
        "--synonym", "lebt auf", "--synonym", "Wohnt Auf",
    )  # fmt: skip
    less = await operator.prints(
        "graph", "predicates", "set", "t:runsOn", "--no-synonym", "lebt auf"
    )

    assert line.startswith(
        "t:runsOn  [runs-on] multi ispart  does {subject} run on {object}?"
    )
    assert "    lebt auf, wohnt auf, " in line
    assert "lebt auf" not in less
    assert "wohnt auf" in less
    found = memory.registry.resolve("wohnt auf")
    assert found is not None
    assert (found.uri, memory.registry.cardinality("runs-on")) == ("t:runsOn", "multi")


async def test_new_dimension_needs_no_uri(operator, memory):
    """One is made of its name."""
    line = await operator.prints(
        "graph", "predicates", "set", "retry-limit", "--cardinality", "single"
    )

    assert line == "t:retryLimit  [retry-limit] single ispart\n"
    assert memory.registry.cardinality("retry-limit") == "single"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("runs-on", "--no-synonym", "hosted on"), "no synonym that this memory gave"),
        (("t:hostedBy", "--cardinality", "multi"), "set the cardinality there"),
        (("runs-on", "--synonym", "?!"), "a synonym is words"),
        (("two words", "--cardinality", "multi"), "is not a name"),
    ],
)
async def test_what_cannot_be_said_of_a_predicate(operator, arguments, complaint):
    """Each mistake has its sentence, and nothing is changed by it."""
    before = await operator.prints("graph", "predicates")
    code, _, complained = await operator.runs("graph", "predicates", "set", *arguments)

    assert code == 1
    assert complaint in complained
    assert await operator.prints("graph", "predicates") == before


async def test_predicate_that_cannot_be_one(operator):
    """One sentence that says what to write."""
    code, _, complained = await operator.runs(
        "graph", "predicates", "set", "http://a/b", "x"
    )

    assert code == 1
    assert "as t:worksAt" in complained
