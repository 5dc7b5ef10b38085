"""Predicates: what they are, what is suggested, and changing them."""

from __future__ import annotations

from dataclasses import replace

from tests.console.guesses import GUESSER, guess
from tests.console.house import text_of


async def test_suggested_predicate_is_accepted_or_dismissed(house, memories):
    """A recurring unregistered word is shown, and becomes a dimension, or goes."""
    policy = memories.validation.policy
    memories.validation.policy = replace(policy, predicates=("*",))
    for number, name in enumerate(("Alice", "Bob", "Carol"), 1):
        await guess(house.client, name, "Rust", "t:writesIn", who=GUESSER)
        await house.send("/admin/inbox/accept", item=f"candidate-{number}")

    before = text_of(await house.see("/admin/predicates"))
    code, wrong = await house.send(
        "/admin/predicates", uri="t:writesIn", dimension="no dimension!"
    )
    _, after = await house.send(
        "/admin/predicates", uri="t:writesIn", dimension="writes-in", is_isa="0"
    )

    assert "suggested t:writesIn" in before
    assert code == 400
    assert 'role="alert"' in wrong
    assert "suggested" not in text_of(after)
    assert "t:writesIn [writes-in]" in text_of(after)
    assert "t:writesIn is written." in text_of(after)


async def test_dismissed_predicate_is_suggested_no_more(house, memories):
    """One button, and it does not come back."""
    policy = memories.validation.policy
    memories.validation.policy = replace(policy, predicates=("*",))
    for number, name in enumerate(("Alice", "Bob"), 1):
        await guess(house.client, name, "Rust", "t:writesIn", who=GUESSER)
        await house.send("/admin/inbox/accept", item=f"candidate-{number}")
    before = await house.see("/admin/predicates")

    await house.send("/admin/predicates", uri="t:writesIn", dismiss="1")

    assert "suggested t:writesIn" in text_of(before)
    assert "t:writesIn" not in await house.see("/admin/predicates")


async def test_predicates_are_found_by_the_words_that_mean_them(house):
    """A search for words shows the number of values, and the words of the same meaning."""
    page = text_of(await house.see("/admin/predicates?q=hosted+on"))

    assert "t:runsOn [runs-on] single" in page
    assert "deployed to" in page
    assert "t:isA" not in page
    assert "No predicate is called so." in text_of(
        await house.see("/admin/predicates?q=nothing+like+it")
    )


async def test_operator_changes_how_many_values_there_are(house, memories):
    """With the words of a memory's own, which are added and taken away by their list."""
    fields = {"uri": "t:runsOn", "dimension": "runs-on", "cardinality": "multi"}
    _, one = await house.send(
        "/admin/predicates?q=runs-on", **fields, synonyms="lebt auf, wohnt auf"
    )
    _, other = await house.send(
        "/admin/predicates?q=runs-on", **fields, synonyms="wohnt auf, hängt an"
    )

    assert "t:runsOn [runs-on] multi" in text_of(one)
    assert "of yours: lebt auf, wohnt auf" in text_of(one)
    assert "of yours: wohnt auf, hängt an" in text_of(other)
    registry = (await memories.get("default")).registry
    assert registry.cardinality("runs-on") == "multi"
    assert registry.resolve("lebt auf") is None


async def test_new_predicate_is_written(house, memories):
    """A name is enough: of a dimension, or a URI."""
    _, page = await house.send(
        "/admin/predicates", uri="retry-limit", cardinality="single", synonyms="retries"
    )

    assert "t:retryLimit [retry-limit] single" in text_of(page)
    found = (await memories.get("default")).registry.resolve("retries")
    assert found is not None
    assert found.dimension == "retry-limit"


async def test_what_cannot_be_written_is_kept_in_its_form(house):
    """The refusal says why, and nobody types anything twice."""
    status, page = await house.send(
        "/admin/predicates?q=runs-on",
        uri="t:runsOn",
        dimension="runs-on",
        question="does {subject}?",
        synonyms="lebt auf",
    )

    assert status == 400
    assert "a question names {subject} and {object}" in text_of(page)
    assert 'value="does {subject}?"' in page
    assert 'value="lebt auf"' in page
