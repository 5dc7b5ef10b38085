"""Answers that repeat themselves, and answers that only look as if they did."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).parents[4]

SENTENCE = "I should look at the configuration again to be sure that it is right. "


def beer() -> str:
    """Return a song in which every verse is the last one, less a bottle."""
    return "".join(
        f"{n} bottles of beer on the wall, {n} bottles of beer. Take one down and pass "
        f"it around, {n - 1} bottles of beer on the wall.\n"
        for n in range(99, 1, -1)
    )


def table() -> str:
    """Return a table whose rows are alike."""
    row = "| the same long cell in each of the rows | and another | and one more |\n"
    return "Here is the table:\n\n" + row * 60


def long_list() -> str:
    """Return a list whose items are alike."""
    return "The guests:\n" + "- a guest whose name is not known to anybody here\n" * 60


def numbered_list() -> str:
    """Return a numbered list with the same wording in each item."""
    return "".join(
        f"{n}. Press the button at the end of the corridor and wait for the signal.\n"
        for n in range(60)
    )


def code() -> str:
    """Code with repeated lines, in a fence."""
    line = "    assert response.json()['message'] == expected['message']['content']\n"
    return "The test:\n\n```python\ndef test():\n" + line * 60 + "```\nThat is all."


def indented_code() -> str:
    """Code with repeated lines, by indentation."""
    line = "    assert response.json()['message'] == expected['message']['content']\n"
    return "The test:\n\n" + line * 60


def markup() -> str:
    """Return a page whose rows are alike."""
    row = '<tr><td class="name">unknown</td><td class="value">unknown</td></tr>\n'
    return "<table>\n" + row * 60 + "</table>"


def data() -> str:
    """JSON whose members are alike, on one line."""
    member = '{"name": "unknown", "street": "unknown", "town": "unknown"}, '
    return "[" + member * 60 + "{}]"


def printed_data() -> str:
    """JSON over many lines, whose strings are alike."""
    line = '  "The same long sentence stands in each of the members of this list.",\n'
    return "[\n" + line * 60 + '  "the end"\n]'


def laughter() -> str:
    """Return a short word, many times but not without end."""
    return "And everybody laughed: " + "ha " * 120 + "and that was that."


def call() -> str:
    """Agent Zero writes a file with repeated lines."""
    line = "print('the same line in the program, again and again and again')\\n"
    return '{"thoughts": ["write"], "tool_args": {"code": "' + line * 60 + '"}}'


def written_page() -> str:
    """Agent Zero writes a page with repeated sentences: that is an argument."""
    arguments = {"path": "page.md", "text": "It is the same sentence. " * 80}
    return json.dumps({"thoughts": ["So."], "tool_name": "w", "tool_args": arguments})


def response() -> str:
    """Agent Zero answers with a block of code in its text."""
    arguments = {"text": code()}
    return json.dumps({"tool_name": "response", "tool_args": arguments})


def rulers() -> str:
    """Return lines across the page."""
    return ("A part.\n" + "-" * 120 + "\n" + "=" * 120 + "\n") * 30


def digits() -> str:
    """Many digits."""
    return "One divided by nine is 0." + "1" * 3000


def boilerplate() -> str:
    """Return the same sentence before each of many blocks of code."""
    names = ["one", "two", "three", "four", "five", "six", "seven", "eight"] * 3
    return "".join(
        f"The following example shows how the function is to be used:\n\n"
        f"```python\n{name}()\n```\n\n"
        for name in names
    )


def translations() -> str:
    """Return the same remark between sentences that differ."""
    verbs = ["goes", "runs", "sees", "asks", "eats", "sings", "reads", "stands"] * 3
    return " ".join(
        f'"He {verb} to the {n}th house" is translated, with the word order kept as it '
        f"is in the original, as item {n} of the glossary shows."
        for n, verb in enumerate(verbs)
    )


def refrain() -> str:
    """Return a song with a refrain after each of nine verses."""
    verses = "abcdefghi"
    refrain = "And we shall sing until the morning comes and the sun is in the sky.\n"
    return "".join(
        f"{letter * 9} {letter * 7} {letter * 8}\n{refrain}" for letter in verses
    )


def litany() -> str:
    """Return the same plea after each of many names."""
    names = ["Peter", "Paul", "John", "James", "Anne", "Mary", "Mark", "Luke"] * 3
    return "".join(
        f"Saint {name} the {n}th, pray for us and for all who are with us today.\n"
        for n, name in enumerate(names)
    )


def readme() -> str:
    """This project's own page."""
    return (ROOT / "README.md").read_text(encoding="utf-8")


def figures() -> str:
    """This project's page of measurements."""
    return (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")


def changes() -> str:
    """This project's changes."""
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


SOUND = [
    beer,
    boilerplate,
    call,
    changes,
    code,
    data,
    digits,
    figures,
    indented_code,
    laughter,
    litany,
    long_list,
    markup,
    numbered_list,
    printed_data,
    readme,
    refrain,
    rulers,
    response,
    table,
    translations,
    written_page,
]


def one_sentence() -> str:
    """Return one sentence without end."""
    return "Let me think. " + SENTENCE * 60


def one_word() -> str:
    """Return one word without end."""
    return "So it is " + "really " * 400


def lines() -> str:
    """Return the same line without end."""
    return "Well.\n\n" + (SENTENCE + "\n\n") * 60


def paragraph() -> str:
    """Return three sentences, round and round."""
    return (
        "First the file has to be opened and read to its end. Then its lines have to "
        "be counted. After that the file can be closed again, unless it is wanted. "
    ) * 40


def two_by_turns() -> str:
    """Return two sentences by turns, after sound text."""
    more = "But perhaps it was right the first time, so it may stay as it is now. "
    return readme() + "\n\nSo much for that.\n\n" + (SENTENCE + more) * 30


def after_code() -> str:
    """Return a sentence without end after a block of code."""
    return code() + "\n\n" + SENTENCE * 40


def chinese() -> str:
    """Return a sentence without spaces."""
    return "\u6211\u4eec\u9700\u8981\u518d\u68c0\u67e5\u4e00\u4e0b\u914d\u7f6e" * 100


def unended_word() -> str:
    """Return a sound without end."""
    return "A" + "a" * 3000


def thoughts() -> str:
    """Agent Zero thinks the same thought without end."""
    return json.dumps({"thoughts": [SENTENCE.strip()] * 40})


def endless_response() -> str:
    """Agent Zero says the same sentence without end."""
    arguments = {"text": 'He said: "No."\n\n' + SENTENCE * 40}
    return json.dumps({"tool_name": "response", "tool_args": arguments})


ENDLESS = [
    endless_response,
    thoughts,
    after_code,
    chinese,
    lines,
    one_sentence,
    one_word,
    paragraph,
    two_by_turns,
    unended_word,
]
