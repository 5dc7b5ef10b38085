from __future__ import annotations

import asyncio
import json

import pytest

from tests.apart import SHARED
from tests.e2e.conftest import Festinger
from tests.waiting import until

AGENT_ZERO = SHARED / "samples/agent-zero"

SHELL = [{"type": "function", "function": {"name": "bash", "parameters": {}}}]
"""The tools of an agent that can run commands."""


async def test_a_compound_name_is_met_counted_and_told(festinger: Festinger) -> None:
    """A prompt's names are merged and counted, and once they matter they are told."""
    await festinger.run(
        "gutask", "iknowthat", "Glitch University -isa school in context of type"
    )

    told = await festinger.told("We meet at Glitch University tomorrow.")

    assert told == "<recollection>\nglitch_university: [type] school\n</recollection>"


async def test_a_statement_in_one_prompt_is_told_in_another(
    festinger: Festinger,
) -> None:
    """A statement becomes a fact at its first mention, whatever its words' saliency."""
    first = await festinger.chat("gnommoweb is a repo of Glitch University", "alice")
    told = await festinger.until("Please deploy gnommoweb.", bool)

    assert [message["role"] for message in first["messages"]] == ["user"]
    assert (
        told == "<recollection>\ngnommoweb: [glitch_university] repo\n</recollection>"
    )


async def test_a_contradiction_shows_as_doubt_in_the_very_answer(
    festinger: Festinger,
) -> None:
    """The fact stands, the statement is queued, and the agent sees the question mark."""
    await festinger.chat("gnommoweb is a repo", "alice")
    await festinger.until("gnommoweb?", bool)

    told = await festinger.told("gnommoweb is a container deployed on Docker", "bob")

    assert told == (
        "<recollection>\ngnommoweb: [type?] repo — conflict pending\n</recollection>"
    )


async def test_a_person_settles_what_was_refused(festinger: Festinger) -> None:
    """An update replaces the fact, and the doubt is gone from the next prompt."""
    for fact in ("gnommoweb -isa repo", "gnommoweb -isa container"):
        code, output = await festinger.run("gutask", "iknowthat", fact)
    assert code == 3
    assert output.startswith("conflict #1")

    code, output = await festinger.run("festinger", "inbox", "accept", "conflict-1")

    assert code == 0, output
    told = await festinger.told("What is gnommoweb?")
    assert told == "<recollection>\ngnommoweb: [type] container\n</recollection>"


async def test_a_fact_is_forgotten_and_remembered_as_forgotten(
    festinger: Festinger,
) -> None:
    """
    A retracted fact is told no more, one that it kept waiting is, and the history has
    it.
    """
    for fact in ("gnommoweb -isa repo", "gnommoweb -isa container"):
        await festinger.run("gutask", "iknowthat", fact)

    code, output = await festinger.run(
        "gutask", "forget", "gnommoweb -isa repo", "--why", "it moved"
    )

    assert (code, output) == (
        0,
        "forgotten: gnommoweb [type] repo\n"
        "  held in its place: the statement of conflict #1\n",
    )
    told = await festinger.told("What is gnommoweb?")
    assert told == "<recollection>\ngnommoweb: [type] container\n</recollection>"
    _, history = await festinger.run("gutask", "whatis", "gnommoweb", "--history")
    assert [line[21:] for line in history.splitlines()] == [
        "held          [type] isa repo, by local (gutask)",
        "conflict #1   [type] isa container, by local (gutask)",
        "retracted     [type] isa repo, by local (gutask), “it moved”",
        "settled #1    [type] isa container, update by local, "
        "“free since retraction 3”",
        "ended         [type] isa repo, by retraction 3",
        "held          [type] isa container, by local (gutask)",
    ]


async def test_a_time_of_the_history_shows_what_was_known_then(
    festinger: Festinger,
) -> None:
    """The time of an event, given back, tells what was known when it had happened."""
    await festinger.run("gutask", "iknowthat", "gnommoweb -isa repo")
    _, history = await festinger.run("gutask", "whatis", "gnommoweb", "--history")
    # The next event is in another second.
    await asyncio.sleep(1)
    await festinger.run("gutask", "forget", "gnommoweb -isa repo")

    code, then = await festinger.run(
        "gutask", "whatis", "gnommoweb", "--as-of", history[:19]
    )

    assert (code, then.splitlines()[0]) == (0, "gnommoweb: [type] repo")
    assert (await festinger.run("gutask", "whatis", "gnommoweb"))[0] == 6


async def test_a_doubtful_statement_waits_for_a_person(festinger: Festinger) -> None:
    """A candidate is listed, confirmed by the operator, and then told."""
    await festinger.chat("Michigan is a state of USA", "alice")
    await _until_listed(festinger, "inbox", "michigan")

    code, output = await festinger.run("festinger", "inbox", "accept", "candidate-1")

    assert code == 0, output
    told = await festinger.told("Fly me to Michigan.")
    assert told == "<recollection>\nmichigan: [usa] state\n</recollection>"


async def test_a_plain_chat_is_asked_about_nothing(festinger: Festinger) -> None:
    """Nobody there could run a command, however often a name is met."""
    tolds = [await festinger.told(f"Restart ramanujan, try {n}.") for n in range(1, 7)]

    assert all("? ramanujan" not in told for told in tolds)


async def test_an_unknown_name_is_asked_about_once_it_was_met_four_times(
    festinger: Festinger,
) -> None:
    """
    The fourth message with an unknown name carries the hint, the third does not; nor
    does one of a client that runs no commands, nor is a second name asked about.
    """
    tolds = [
        await festinger.told(f"Restart ramanujan {how}.", tools=SHELL)
        for how in ("quickly", "gently", "calmly", "kindly")
    ]
    for how in ("quickly", "gently", "calmly", "kindly"):
        await festinger.told(f"Restart dobbyx {how}.")
    plain = await festinger.told("Restart ramanujan and dobbyx.")
    both = await festinger.told("Restart ramanujan and dobbyx now.", tools=SHELL)

    assert plain == ""
    assert both.count("? ") == 1
    assert tolds[:3] == ["", "", ""]
    assert tolds[3] == (
        "<recollection>\n"
        "? ramanujan: no recollection. If not a typo, store it before proceeding:\n"
        "  gutask iknowthat 'ramanujan -isa <parent> in context of <dimension>'\n"
        "  gutask iknowthat 'ramanujan -ispart <system> in context of <dimension>'\n"
        "</recollection>"
    )


async def test_summaries_and_errands_are_no_encounters(festinger: Festinger) -> None:
    """
    After three messages with an unknown name it is still the fourth that is asked about,
    whatever the client summed up and asked for itself in between.
    """
    for number in range(1, 4):
        await festinger.told(f"Restart ramanujan, try {number}.", tools=SHELL)
    summary = "Here is a summary of the conversation to date:\n\nramanujan is a server."
    title = "You are a title generator. You output ONLY a thread title."
    compacted = [
        {"role": "user", "content": summary},
        {"role": "assistant", "content": "Ok."},
        {"role": "user", "content": "Go on."},
    ]
    errand = [
        {"role": "system", "content": title},
        {"role": "user", "content": "ramanujan is a server."},
    ]
    for messages in (compacted, errand):
        body = {"model": "llama3", "messages": messages}
        given = await festinger.post("/api/chat", body)
        assert given["messages"] == messages

    told = await festinger.told("Restart ramanujan, try 4.", tools=SHELL)

    assert "? ramanujan: no recollection." in told


async def test_everything_is_found_again_after_a_restart(festinger: Festinger) -> None:
    """An acknowledged statement is there when the server starts again."""
    from festinger.app import everything

    await festinger.run("gutask", "iknowthat", "gnommoweb -isa repo")
    again = festinger.settings.model_copy(
        update={"data_dir": festinger.settings.data_dir / "other"}
    )

    async with everything(again) as running:
        festinger.running = running
        told = await festinger.told("gnommoweb?")

    assert told == "<recollection>\ngnommoweb: [type] repo\n</recollection>"


@pytest.mark.skipif(not AGENT_ZERO.is_dir(), reason="the captured samples are absent")
async def test_agent_zero_teaches_its_fact_once(festinger: Festinger) -> None:
    """
    Of a conversation in envelopes only the user's statement is learnt; the tool's
    contradiction waits as a candidate, and nothing of EXTRAS or thoughts is known.
    """
    for turn in ("turn1", "turn2", "turn3"):
        request = json.loads((AGENT_ZERO / f"{turn}.json").read_text())
        await festinger.post(request["path"], request["body"])
    await _until_listed(festinger, "inbox", "container")

    _, known = await festinger.run("gutask", "whatis", "gnommoweb")
    _, conflicts = await festinger.run("festinger", "inbox", "--kind", "conflict")
    _, candidates = await festinger.run("festinger", "inbox", "--kind", "statement")
    assert known.startswith("gnommoweb: [glitch_university] repo\n")
    assert conflicts.strip() == "Nothing in the inbox is like this."
    assert candidates.count("candidate-") == 1
    _, tool = await festinger.run("gutask", "whatis", "memory_load")
    assert "[type]" not in tool


async def _until_listed(festinger: Festinger, what: str, word: str) -> None:
    async def listed() -> bool:
        return word in (await festinger.run("festinger", *what.split()))[1]

    await until(listed)
