"""The public data sets' files are read as their makers write them.

The samples are ours, in the shape of those files.
"""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime

import pytest

from benchmarks import beam, histories, locomo, longmemeval, memoryagentbench
from festinger.standin import StandIn

KASSEL = "The stock file from Kassel arrives at 05:40 every morning."
PRIYA = "Deploys to staging go out only after Priya has signed off."
ASKED = "When does the stock file from Kassel arrive?"

LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Nadia",
            "speaker_b": "Theo",
            "session_2_date_time": "9:05 am on 3 June, 2025",
            "session_2": [{"speaker": "Theo", "dia_id": "D2:1", "text": PRIYA}],
            "session_1_date_time": "1:56 pm on 8 May, 2025",
            "session_1": [
                {"speaker": "Nadia", "dia_id": "D1:1", "text": KASSEL},
                {
                    "speaker": "Theo",
                    "dia_id": "D1:2",
                    "text": "Look at that!",
                    "img_url": ["https://example.org/1.jpg"],
                    "blip_caption": "a photo of a red lorry",
                    "query": "lorry",
                },
            ],
        },
        "qa": [
            {"question": ASKED, "answer": "05:40", "evidence": ["D1:1"], "category": 4},
            {
                "question": "Why did Theo buy the lorry?",
                "adversarial_answer": "To deliver.",
                "evidence": ["D1:2; D2:1"],
                "category": 5,
            },
        ],
        "event_summary": {},
        "observation": {},
        "session_summary": {},
    }
]

LONGMEMEVAL = [
    {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": ASKED,
        "answer": "05:40",
        "question_date": "2025/06/01 (Sun) 10:00",
        "haystack_session_ids": ["other", "answer_q1"],
        "haystack_dates": ["2025/05/20 (Tue) 02:21", "2025/05/21 (Wed) 12:03"],
        "haystack_sessions": [
            [
                {"role": "user", "content": PRIYA},
                {"role": "assistant", "content": "Noted."},
            ],
            [
                {"role": "user", "content": KASSEL, "has_answer": True},
                {"role": "assistant", "content": "Early!", "has_answer": False},
            ],
        ],
        "answer_session_ids": ["answer_q1"],
    }
]

CHAT = [
    {
        "batch_number": 1,
        "time_anchor": None,
        "turns": [
            [
                {
                    "role": "user",
                    "id": 0,
                    "time_anchor": "March-15-2024",
                    "index": "1,1",
                    "question_type": "main_question",
                    "content": f"{KASSEL} ->-> 1,1",
                },
                {"role": "assistant", "id": 1, "content": "Early!"},
            ],
            [
                {
                    "role": "user",
                    "id": 2,
                    "index": "1,2",
                    "question_type": "main_question",
                    "content": f"{PRIYA} ->-> 1,2",
                }
            ],
        ],
    }
]
PROBING = {
    "information_extraction": [
        {"question": ASKED, "answer": "05:40", "source_chat_ids": [0], "rubric": []}
    ],
    "knowledge_update": [
        {
            "question": "Who signs off deploys to staging?",
            "answer": "Priya",
            "source_chat_ids": {"original_info": [0], "updated_info": [2]},
        }
    ],
    "abstention": [{"question": "Who is Bo?", "ideal_response": "It was not said."}],
}

MEMORYAGENTBENCH = {
    "context": f"{KASSEL}\n{PRIYA}",
    "questions": [ASKED, "Who signs off deploys to staging?"],
    "answers": [["05:40", "twenty to six"], "Priya"],
    "metadata": {"source": "factconsolidation_sh_6k", "qa_pair_ids": ["a", "b"]},
}


def written(path, data):
    """Return a file with JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))
    return path


@pytest.fixture
def data(tmp_path):
    """A sample of each data set, by its module."""
    written(tmp_path / "100K" / "1" / "chat.json", CHAT)
    written(
        tmp_path / "100K" / "1" / "probing_questions" / "probing_questions.json",
        PROBING,
    )
    return {
        locomo: written(tmp_path / "locomo10.json", LOCOMO),
        longmemeval: written(tmp_path / "longmemeval_s_cleaned.json", LONGMEMEVAL),
        beam: tmp_path / "100K",
        memoryagentbench: written(tmp_path / "rows.jsonl", MEMORYAGENTBENCH),
    }


def total(module, data):
    """Return the results of all questions of a data set."""
    found = histories.measure(module.read(data[module]))
    return sum(found.counts.values(), start=type(next(iter(found.counts.values())))())


@pytest.mark.parametrize("module", [locomo, longmemeval, beam, memoryagentbench])
def test_what_answers_is_told(module, data):
    """The question about the stock file finds the turn that says when it comes."""
    assert total(module, data)["short_told"] >= 1


@pytest.mark.parametrize(
    ("module", "evidence"), [(locomo, 3), (longmemeval, 1), (beam, 3)]
)
def test_evidence_is_what_the_labels_name(module, data, evidence):
    """
    However they name it: several turns in a string, marks of turns, lists by what they
    say.
    """
    count = total(module, data)

    assert count["evidence"] == evidence
    assert 1 <= count["evidence_told"] <= evidence


def test_locomo_has_sessions_in_order_and_pictures_in_words(data):
    """The times are those of the sessions."""
    (history,) = locomo.read(data[locomo])

    assert [it.id for it in history.turns] == ["D1:1", "D1:2", "D2:1"]
    assert "a red lorry" in history.turns[1].text
    assert datetime.fromtimestamp(history.turns[0].said, UTC).isoformat() == (
        "2025-05-08T13:56:00+00:00"
    )


def test_an_adversarial_question_has_no_answer(data):
    """The answer that it suggests is not looked for."""
    (history,) = locomo.read(data[locomo])

    assert [list(it.answers) for it in history.questions] == [["05:40"], []]


def test_longmemeval_asks_on_the_day_of_the_question(data):
    """With the history of that question alone."""
    (history,) = longmemeval.read(data[longmemeval])
    (question,) = history.questions

    assert question.evidence == {"answer_q1:0"}
    assert datetime.fromtimestamp(question.asked, UTC).day == 1


def test_beam_has_plans_of_batches(data, tmp_path):
    """The longest conversations; and marks behind messages are none of their words."""
    written(tmp_path / "100K" / "1" / "chat.json", [{"plan-1": CHAT, "plan-2": None}])

    (history,) = beam.read(tmp_path / "100K")

    assert [it.text for it in history.turns] == [KASSEL, "Early!", PRIYA]


@pytest.mark.parametrize("module", [locomo, longmemeval, beam, memoryagentbench])
def test_the_command_says_what_was_told(module, data, capsys):
    """By the kind of question, and of all."""
    module.main(["--data", str(data[module])])

    assert "evidence told" in capsys.readouterr().out


@pytest.mark.parametrize("module", [locomo, longmemeval, beam, memoryagentbench])
def test_missing_data_are_told(module, tmp_path, capsys):
    """Nobody takes a measurement that did not happen for one."""
    module.main(["--data", str(tmp_path / "none")])

    assert "SKIPPED" in capsys.readouterr().err


async def test_a_model_answers_from_what_is_told(data, tmp_path):
    """A line for the data set's own judge, with the question's own name."""
    answers = tmp_path / "answers.jsonl"
    async with StandIn() as ollama:
        await asyncio.to_thread(
            longmemeval.main,
            [
                *("--data", str(data[longmemeval])),
                *("--model", ollama.url, "m", "--answers", str(answers)),
            ],
        )
    (given,) = ollama.prompts
    told, question = json.loads(given.body)["messages"]

    assert "05:40" in told["content"]
    assert question["content"] == ASKED
    assert json.loads(answers.read_text())["question_id"] == "q1"
