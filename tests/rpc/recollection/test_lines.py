from __future__ import annotations

import asyncio

import grpc
import pytest

from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1.conflict_service_pb2 import ListConflictsRequest
from festinger.api.v1.memory_service_pb2 import RetractRequest
from festinger.config import PromptStorage
from tests.serving import Client, refused
from tests.waiting import until

CODE = grpc.StatusCode
OPERATOR = Client.as_("operator")
STOCK = "Kassel delivers the stock file at 05:40 every morning."
OTHER = "Nobody touches the Kassel shelf before Lena has counted it."
VAULT = "The vault bucket is in Falkenstein, and nobody else may read it."


def speaker(name, **values):
    """Return the metadata of a prompt of somebody."""
    return Client.as_("shim", principal="key-1", subject=name, **values)


async def say(client, text, name="nan", **fields):
    """Has somebody tell the memory something."""
    request = pb.SayRequest(text=text, **fields)
    return await client.lines.Say(request, metadata=speaker(name))


async def search(client, *who, **fields):
    """Return the texts of the lines that are found."""
    request = pb.SearchLinesRequest(**fields)
    response = await client.lines.SearchLines(request, metadata=who or OPERATOR)
    # A sentence and what was read from it have the same words.
    return list(dict.fromkeys(it.quote or it.text for it in response.lines))


async def forget(client, *who, **fields):
    """Forget lines."""
    request = pb.ForgetLinesRequest(**fields)
    return await client.lines.ForgetLines(request, metadata=who or OPERATOR)


async def export(client):
    """Return every line of the memory."""
    call = client.lines.ExportLines(pb.ExportLinesRequest(), metadata=OPERATOR)
    return [line async for page in call for line in page.lines]


async def every_text(pool):
    """Return all that any table holds, in lower case."""
    tables = await pool.fetch(
        "select table_name from information_schema.tables "
        "where table_schema = 'public' and table_type = 'BASE TABLE'"
    )
    texts = []
    for (table,) in tables:
        rows = await pool.fetch(f"select t::text from {table} t")
        texts += [row[0] for row in rows]
    # What is kept as bytes shows as hexadecimal digits.
    return "\n".join(texts).lower()


async def test_what_is_said_is_found_by_any_word(client):
    """With who said it and where."""
    await say(client, STOCK, project="shop")
    await say(client, VAULT, "theo")

    assert await search(client, query="stock") == [STOCK]
    assert await search(client, speaker="THEO") == [VAULT]
    assert await search(client, project="shop") == [STOCK]
    assert await search(client) == [VAULT, STOCK]


async def test_pages_follow_each_other(client):
    """Each line stands on one page."""
    await say(client, STOCK)
    await say(client, OTHER)

    first = await client.lines.SearchLines(
        pb.SearchLinesRequest(page_size=1), metadata=OPERATOR
    )
    second = await client.lines.SearchLines(
        pb.SearchLinesRequest(page_size=1, page_token=first.next_page_token),
        metadata=OPERATOR,
    )

    assert [it.quote for it in (*first.lines, *second.lines)] == [OTHER, STOCK]
    assert (first.total_size, second.next_page_token) == (2, "")


async def test_plain_sentence_is_a_statement(client):
    """In plain words or in the strict form, it goes through the gate as certain."""
    plain = await say(client, "gnommoweb is a repo")
    strict = await say(client, "gnommoweb -isa container")

    (held,) = plain.outcomes
    assert (held.triple.concept, held.triple.parent) == ("gnommoweb", "repo")
    assert (held.verdict, held.edge.confidence) == (1, 1.0)
    (conflict,) = strict.outcomes
    assert conflict.conflict_id
    assert not strict.lines


async def test_common_noun_that_is_told_holds_in_its_project(client):
    """However it was read: another project has a worker of its own."""
    response = await say(client, "worker is a repo.", project="shop")

    assert {it.triple.concept for it in response.outcomes} == {"shop/worker"}


async def test_common_noun_holds_in_no_project_whose_name_names_nothing(client):
    """Nothing is stated of it, and the sentence is kept all the same."""
    response = await say(client, "worker is a repo.", project="!!!")

    assert not response.outcomes
    assert [it.quote for it in response.lines] == ["worker is a repo."]


async def test_answer_says_what_is_not_kept(client):
    """With a reason for each sentence."""
    response = await say(client, f"{STOCK} Could you write a poem about the sea?")

    assert [it.quote for it in response.lines] == [STOCK]
    assert [(it.text, bool(it.reason)) for it in response.left_out] == [
        ("Could you write a poem about the sea?", True)
    ]


async def test_no_secret_is_found(client):
    """It is cut out before anything is kept or answered."""
    response = await say(client, "The staging password is Tr0ub4dor&3Zx.")

    assert "Tr0ub4dor" not in str(response)
    assert await search(client, query="staging") == [
        "The staging password is [secret]."
    ]


async def test_correction_takes_the_place_of_what_it_corrects(client):
    """The old words are gone."""
    (line,) = (await say(client, STOCK)).lines
    new = "Kassel delivers the stock file at 06:10 every morning."

    await say(client, new, corrects=line.name)

    assert await search(client, query="Kassel") == [new]


async def test_repeated_correction_is_answered_alike(client):
    """A call whose answer was lost may be repeated, although the line is gone by then."""
    (line,) = (await say(client, STOCK)).lines

    once = await say(client, OTHER, corrects=line.name)
    again = await say(client, OTHER, corrects=line.name)
    with refused() as refusal:
        await say(client, OTHER, corrects="said-900.0")

    assert again.lines == once.lines
    assert await search(client, query="Kassel") == [OTHER]
    assert refusal.reason == "LINE_NOT_FOUND"


@pytest.mark.parametrize(
    "texts",
    [
        [STOCK],
        ["gnommoweb -isa repo"],
        ["Gnommoweb is a repo.", "Gnommoweb is a container."],
        ["Gnommoweb runs on podman.", "Gnommoweb moved from podman to kubernetes."],
    ],
)
async def test_repeated_words_confirm_nothing(client, texts):
    """
    A call whose answer was lost may be repeated: each sentence, fact and conflict is there
    once, and somebody's own words make no fact more certain.
    """

    async def held():
        edges = (await client.concept("gnommoweb")).edges if texts != [STOCK] else []
        request = ListConflictsRequest()
        listed = await client.conflicts.ListConflicts(request, metadata=OPERATOR)
        return (
            sorted(line.text for line in await export(client)),
            [(edge.parent, edge.confidence) for edge in edges],
            [conflict.id for conflict in listed.conflicts],
        )

    for text in texts:
        await say(client, text)
    once = await held()
    await say(client, texts[-1])

    assert await held() == once


async def test_words_of_corrected_sentences_are_not_written_again(
    client, memories, pool
):
    """Not even everyday words, whose encounters are written when a memory is closed."""
    memory = await memories.get("default")
    (line,) = (await say(client, "The python sleeps in Kassel.")).lines
    for _ in range(2):
        await client.says("What is a python?")
    await memory.writer.flush(everything=True)
    await client.says("What is a python?")

    await say(client, VAULT, corrects=line.name)
    await memories.stop()

    assert "python" not in await every_text(pool)


@pytest.mark.parametrize("text", ["", "   ", "what is it?", "thanks!", "x" * 64_001])
async def test_what_cannot_be_kept_is_refused(client, text):
    """With a sentence that says why."""
    with refused() as refusal:
        await say(client, text)

    assert refusal.code is CODE.INVALID_ARGUMENT
    assert refusal.message


async def test_nothing_is_kept_where_the_setting_says_so(client, memories):
    """The refusal names the setting."""
    (await memories.get("default")).keeps = PromptStorage.NOTHING

    with refused() as refusal:
        await say(client, STOCK)

    assert (refusal.code, refusal.reason) == (
        CODE.FAILED_PRECONDITION,
        "NOTHING_KEPT",
    )
    assert "memory.keep" in refusal.message


async def test_explanation_keeps_nothing(client):
    """It tells the block, each line with its likelihood, and what is not told and why."""
    for number, text in enumerate(
        [
            STOCK,
            "The staging cluster for the catalog runs in Falkenstein.",
            "Invoices are archived for eleven years in the vault bucket.",
            "We rotate the on-call pager every Tuesday at ten.",
        ]
    ):
        await say(client, text, project="shop", name=f"nan{number}")

    prompt = "When does Kassel deliver the stock file?"
    request = pb.ExplainRequest(prompt=prompt, project="shop", asker="theo")
    response = await client.lines.Explain(request, metadata=OPERATOR)

    assert "05:40" in response.block
    assert response.told[0].line.quote == STOCK
    assert 0 < response.told[0].probability <= 1
    assert response.told[0].features
    assert response.openness >= response.threshold
    assert len(await search(client)) == 4


@pytest.mark.parametrize(
    "fields",
    [
        {"speaker": "NAN"},
        {"phrase": "stock FILE"},
        {"project": "Shop"},
        {"speaker": "nan", "phrase": "kassel", "project": "shop"},
    ],
)
async def test_forgotten_words_are_nowhere(client, pool, fields):
    """Not in any table, not in the index, and not in the export."""
    await say(client, STOCK, project="shop")
    await say(client, VAULT, "theo")
    await client.says(f"{STOCK} The pager is loud.", who=speaker("nan", project="shop"))
    await wait_for_lines(client, 4)

    before = await forget(client, **fields, preview=True)
    assert await search(client, query="Kassel")
    gone = await forget(client, **fields)

    assert before.total_size == gone.total_size >= 1
    assert [it.name for it in before.lines] == [it.name for it in gone.lines]
    texts = await every_text(pool)
    assert "stock file" not in texts
    assert "kassel delivers" not in texts
    assert STOCK.lower().encode().hex() not in texts
    assert "falkenstein" in texts
    assert await search(client, query="Kassel delivers") == []
    assert not [it for it in await export(client) if "05:40" in it.text + it.quote]


async def test_words_that_only_a_forgotten_sentence_had_are_dropped(client, pool):
    """Also from the counted words; those of other sentences stay."""
    await say(client, "The quuxbarn delivers the zorbfile at five.")
    await client.says("The quuxbarn delivers the zorbfile at five.", who=speaker("nan"))
    await say(client, "The zorbfile is read by the importer.", "theo")

    await forget(client, phrase="quuxbarn")
    await asyncio.sleep(0)

    texts = await every_text(pool)
    assert "quuxbarn" not in texts
    assert "zorbfile" in texts


async def test_statement_of_a_forgotten_sentence_ends(client):
    """Unless others said so too."""
    await client.says("gnommoweb is a repo.", who=speaker("nan"))
    await client.says("ramanujan is a server.", who=speaker("nan"))
    await client.says("Well, ramanujan is a server.", who=speaker("theo"))
    await settled(client, 2)

    await forget(client, phrase="a repo")
    await forget(client, speaker="nan")

    assert not (await client.concept("gnommoweb")).edges
    assert (await client.concept("ramanujan")).edges


async def settled(client, edges):
    """Wait until statements of prompts are held."""

    async def held():
        kinds = [it.kind for it in await export(client)]
        return kinds.count(pb.MemoryLine.KIND_STATEMENT) >= edges

    await until(held)


async def test_history_that_is_sent_again_does_not_bring_it_back(client, memories):
    """Not even to a server that was started anew; saying it again does."""
    await client.says(STOCK, who=speaker("nan"))
    await wait_for_lines(client, 1)
    await forget(client, phrase="Kassel")

    memory = await memories.get("default")
    memory.recent_turns.forget(list(memory.recent_turns._digests))
    await client.says(STOCK, "Go on, please.", who=speaker("nan"))
    await memory.writer.flush()
    assert await search(client, query="Kassel") == []

    await client.says(STOCK, who=speaker("nan"))
    await wait_for_lines(client, 1)
    assert await search(client, query="Kassel") == [STOCK]


async def wait_for_lines(client, count):
    """Wait until so many lines are kept."""

    async def kept():
        kinds = [it.kind for it in await export(client)]
        return kinds.count(pb.MemoryLine.KIND_UTTERANCE) >= count

    await until(kept)


async def test_forgetting_what_is_being_written_forgets_it(client):
    """A line from before the call is gone after it."""
    for number in range(20):
        await client.says(f"Shelf {number} holds the Kassel stock.", who=speaker("nan"))

    await forget(client, speaker="nan")

    assert await search(client) == []


async def test_people_forget_their_own_words_alone(client):
    """Operators forget anybody's."""
    await say(client, STOCK)
    (line,) = (await say(client, VAULT, "theo")).lines

    for fields in ({"speaker": "theo"}, {"phrase": "e"}, {"name": line.name}):
        with refused() as refusal:
            await forget(client, *speaker("nan"), **fields)
        assert refusal.code is CODE.PERMISSION_DENIED

    assert (await forget(client, *speaker("nan"), speaker="nan")).total_size == 1
    assert await search(client) == [VAULT]


async def test_unknown_line_is_refused(client):
    """Whatever its name looks like."""
    for name in ("said-99.0", "nonsense", "said-99999999999999999999.1"):
        for call in (
            forget(client, name=name),
            forget(client, name=name, preview=True),
            client.lines.ConfirmLine(
                pb.ConfirmLineRequest(name=name), metadata=OPERATOR
            ),
            say(client, STOCK, corrects=name),
        ):
            with refused() as refusal:
                await call
            assert (refusal.code, refusal.reason) == (CODE.NOT_FOUND, "LINE_NOT_FOUND")


async def test_nothing_selected_is_refused(client):
    """Nobody forgets everything by accident."""
    with refused() as refusal:
        await forget(client)

    assert refusal.code is CODE.INVALID_ARGUMENT


async def test_confirmed_instruction_reaches_others(client):
    """Before a person confirms it, it is told to its speaker alone."""
    rule = "Never force-push to the main branch of the storefront."
    (line,) = (await say(client, rule)).lines
    for text in (STOCK, VAULT, "We rotate the on-call pager every Tuesday at ten."):
        await say(client, text)
    prompt = pb.ExplainRequest(
        prompt="Can I force-push my fix to the main branch of the storefront?",
        asker="theo",
    )
    assert (line.instruction, line.confirmed) == (True, False)
    assert rule not in (await client.lines.Explain(prompt, metadata=OPERATOR)).block

    confirmed = await client.lines.ConfirmLine(
        pb.ConfirmLineRequest(name=line.name), metadata=OPERATOR
    )

    assert confirmed.line.confirmed
    assert rule in (await client.lines.Explain(prompt, metadata=OPERATOR)).block


async def test_plain_sentence_cannot_be_confirmed(client):
    """Only instructions wait for that."""
    (line,) = (await say(client, STOCK)).lines

    with refused() as refusal:
        await client.lines.ConfirmLine(
            pb.ConfirmLineRequest(name=line.name), metadata=OPERATOR
        )

    assert refusal.code is CODE.INVALID_ARGUMENT


async def test_what_is_kept_from_somebody_is_not_found_by_them(client):
    """Neither by search nor by what others are told."""
    secret = "The surprise party for Nan is on Friday at eight, don't tell Nan."
    await say(client, "Good morning, the surprise budget is 40 euro.", "nan")
    await say(client, secret, "theo")

    assert len(await search(client, *speaker("theo"), query="surprise")) >= 2
    found = await search(client, *speaker("nan"), query="surprise")
    assert all("party" not in it for it in found)


async def contested(client):
    """Wait until a conflict is queued."""

    async def queued():
        request = ListConflictsRequest()
        answer = await client.conflicts.ListConflicts(request, metadata=OPERATOR)
        return answer.conflicts

    await until(queued)


async def test_export_has_what_holds_waits_and_ended(client):
    """Statements with the sentence that they come from, and sentences as said."""
    await client.says("gnommoweb is a repo.", who=speaker("nan"))
    await say(client, STOCK, project="shop")
    await settled(client, 1)
    await client.memory.Retract(
        RetractRequest(fact="gnommoweb -isa repo"), metadata=OPERATOR
    )

    lines = {it.text: it for it in await export(client)}

    ended = lines["gnommoweb: [type] repo"]
    assert ended.status == pb.MemoryLine.STATUS_CLOSED
    assert (ended.subject, ended.predicate, ended.value) == (
        "gnommoweb",
        "type",
        "repo",
    )
    kept = next(it for it in lines.values() if it.quote == STOCK)
    assert (kept.speaker, kept.project) == ("nan", "shop")
    assert kept.status == pb.MemoryLine.STATUS_ACTIVE


async def test_export_says_what_a_statement_replaced(client):
    """A reader of the list sees the change, as agents do."""
    await say(client, "The stock file is stored on carp.", project="shop")
    await settled(client, 1)
    await say(client, "The stock file is no longer stored on carp.", project="shop")
    await say(client, "The stock file is stored on pike now.", project="shop")
    await settled(client, 2)

    texts = [it.text for it in await export(client) if it.value == "pike"]
    assert texts == ["stock file: [stored-in] pike, no longer carp"]


async def test_export_marks_what_is_contested(client):
    """The held side of a conflict is not exported as if it were certain."""
    await client.says("gnommoweb is a repo.", who=speaker("nan"))
    await settled(client, 1)
    await client.says("gnommoweb is a container.", who=speaker("theo"))
    await contested(client)

    texts = [it.text for it in await export(client) if it.value == "repo"]
    assert texts == ["gnommoweb: [type?] repo"]


async def test_export_is_for_operators(client):
    """It holds what people keep from each other."""
    with refused() as refusal:
        call = client.lines.ExportLines(
            pb.ExportLinesRequest(), metadata=speaker("nan")
        )
        async for _ in call:
            pass

    assert refusal.code is CODE.PERMISSION_DENIED


async def test_statement_is_found_with_its_parts(client):
    """As it is told, with what it is about."""
    await client.states("gnommoweb -isa repo")

    request = pb.SearchLinesRequest(query="gnommoweb")
    (line,) = (await client.lines.SearchLines(request, metadata=OPERATOR)).lines

    assert line.text == "gnommoweb: [type] repo"
    assert line.kind == pb.MemoryLine.KIND_STATEMENT
    assert (line.subject, line.predicate, line.value) == ("gnommoweb", "type", "repo")
