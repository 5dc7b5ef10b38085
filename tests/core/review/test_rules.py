# ruff: noqa: RUF001 - typographic marks are the subject of this file
from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.memories.types import MemoryType as T
from festinger.core.review.extractors import (
    FOUND_MAX,
    ExtractionSource,
    attempt,
    builtin,
)
from festinger.core.review.prose import is_aside, is_prose
from festinger.core.review.rules import extractors
from festinger.core.review.rules.cues import Cues
from festinger.core.review.rules.headings import Headings
from festinger.core.review.rules.items import Items
from festinger.core.review.rules.measures import Measures
from festinger.core.review.rules.sentences import Sentences
from festinger.core.world.world import World

HEADINGS = {
    "## Decision: Use Postgres": (T.DECISION, "Use Postgres"),
    "### 4.2 Constraint – No SQLite anywhere": (T.CONSTRAINT, "No SQLite anywhere"),
    "# [Requirement] Answers within a second": (T.REQUIREMENT, "Answers within a second"),
    "## DECISION 12: Use `gRPC`.": (T.DECISION, "Use gRPC"),
    "## Decision ADR-7: Use **gRPC** only": (T.DECISION, "Use gRPC only"),
    "Decision: Use Cython\n====": (T.DECISION, "Use Cython"),
    "## Validation claim: The load test passed": (
        T.VALIDATION_CLAIM, "The load test passed",
    ),
    "## Component: Billing service": (T.COMPONENT, "Billing service"),
    "## Decision\n\nWe will use Postgres. It is good.": (
        T.DECISION, "We will use Postgres",
    ),
    "## Decision Outcome\n\nUse Postgres, because it is there.": (
        T.DECISION, "Use Postgres, because it is there",
    ),
    "## Decision\n\nIt is a blend of options 2 and 3. We will run two servers.": (
        T.DECISION, "We will run two servers",
    ),
}  # fmt: skip
NO_HEADINGS = [
    "## Decision: TBD", "## Decision: to be decided", "## Decision: use Postgres?",
    "## Decision: <title>", "## Decision: {{ title }}", "## Decisions: all of them",
    "## Decision log: 2024", "## Decision-making", "## Decision", "## Decision: none",
    "## Requirements\n\n- Python 3.11", "## Decision: ", "##Decision: Use Postgres",
    "```\n## Decision: Use Postgres\n```", "> ## Decision: Use Postgres",
    "    ## Decision: Use Postgres", "<!--\n## Decision: Use Postgres\n-->",
    "# Changelog\n## Decision: Use Postgres", "# Template\n## Decision: Use Postgres",
    "# 1.2.0\n## Decision: Use Postgres", "## Decision: If it rains, use Postgres",
    "## Decision: Maybe Postgres", "## Decision\n\nShould we use Postgres?",
    "## Decision\n\n- [ ] decide", "## Decision\n\n```\nUse Postgres\n```",
    "## Decision\n\n<describe the decision>", "## Decision\n\nThis is simpler.",
    "## Decision\n\nWe explored many solutions.",
]  # fmt: skip

ITEMS = {
    "- [Decision] Use Postgres.": (T.DECISION, "Use Postgres"),
    "* [constraint]: No SQLite": (T.CONSTRAINT, "No SQLite"),
    "1. **Requirement:** Answers within a second": (
        T.REQUIREMENT, "Answers within a second",
    ),
    "- Requirement R12: Answers within a second": (
        T.REQUIREMENT, "Answers within a second",
    ),
    "- [Preference] Tabs\n  over spaces": (T.PREFERENCE, "Tabs over spaces"),
    "**Decision:** Use [Postgres](https://postgresql.org)": (
        T.DECISION, "Use Postgres",
    ),
    "  - [Measurement] The mass is 4.8 kg": (T.MEASUREMENT, "The mass is 4.8 kg"),
}  # fmt: skip
NO_ITEMS = [
    "- [ ] Decision: use Postgres", "- [x] [Decision] Use Postgres",
    "- [Decision](decision.md)", "- [Decision](decision.md) about Postgres",
    "- [Decision][1]", "- [Decision]", "- [Decision] ?", "- [Decision] TBD", "- [Decision] not yet decided", "- Decision: we haven't decided",
    "- [Decision] Use Postgres?", "- [Decisions] Use Postgres", "- Decisions: many",
    "[Decision]: https://example.com", "- Decision: pending", "| [Decision] Use it |",
    "```\n- [Decision] Use Postgres\n```", "> - [Decision] Use Postgres",
    "- ~~[Decision] Use Postgres~~", "- [Decision] would be Postgres",
    "# Rejected alternatives\n\n- [Decision] Use Postgres", "- no decision: none",
    "- [ ] tasks\n\n  Decision: use Postgres", "- **Measurement**: level, temperature",
]  # fmt: skip

SENTENCES = {
    "I prefer tabs over spaces.": T.PREFERENCE,
    "We strongly prefer short functions.": T.PREFERENCE,
    "My favourite editor is Vim.": T.PREFERENCE,
    "I am a backend engineer in Berlin.": T.IDENTITY,
    "I'm the maintainer of gnommoweb.": T.IDENTITY,
    "My name is Alice Example.": T.IDENTITY,
    "I work at Glitch University.": T.IDENTITY,
    "We decided to use Postgres.": T.DECISION,
    "After a long talk, we've decided against Kafka.": T.DECISION,
    "In May, the team agreed to drop Python 3.10.": T.DECISION,
    "It was decided that gnommoweb stays a monolith.": T.DECISION,
    "We **chose** `asyncpg` as our driver.": T.DECISION,
    "[We chose `asyncpg`][1] as our driver.": T.DECISION,
    "The API must answer within a second.": T.REQUIREMENT,
    "Every service is required to log requests.": T.REQUIREMENT,
    "gnommoweb must run on ARM machines.": T.REQUIREMENT,
    "The client MUST NOT retry a refused call.": T.CONSTRAINT,
    "Uploads are limited to 5 MB.": T.CONSTRAINT,
    "A response cannot exceed 64 KiB in total.": T.CONSTRAINT,
    "Uploads are not permitted on Fridays.": T.CONSTRAINT,
    "Tests should exit with code 0 on success.": T.REQUIREMENT,
    "Every pull request needs to stay open for two days.": T.REQUIREMENT,
    "Do not merge without a review.": T.CONSTRAINT,
    "- Never push to `main` by hand.": T.CONSTRAINT,
    "We use Redis for the queue of mails.": T.COMPONENT,
    "Restarts should spare trace\\_event threads.": T.REQUIREMENT,
    "!!! warning\n    The API must answer within a second.": T.REQUIREMENT,
    ":::note\nThe API must answer within a second.\n:::": T.REQUIREMENT,
    "The password is optional and never shown.": T.CONSTRAINT,
    "We decided to run Postgres on ARM because it is cheap.": T.DECISION,
}
NO_SENTENCES = [
    "Do I prefer tabs over spaces?", "I do not prefer tabs.", "I don't prefer tabs.",
    "I would prefer tabs.", "I'd prefer tabs.", "If I prefer tabs, fine.",
    "\"I prefer tabs.\"", "He said “I prefer tabs over spaces.”", "They prefer tabs.",
    "\"We talked. I prefer tabs. Bye.\"", "> I prefer tabs.", "`I prefer tabs.`",
    "```\nI prefer tabs.\n```", "    I prefer tabs.", "- [ ] I prefer tabs",
    "- [x] We decided to use Postgres", "| I prefer tabs | yes |",
    "<p>\nI prefer tabs.\n</p>", "~~I prefer tabs.~~", "<!-- I prefer tabs. -->",
    "I am not a lawyer.", "I am a bit tired.", "I'm going home.", "I am tired.",
    "We have not decided to use Postgres.", "We decided nothing.",
    "We never decided to use Postgres.", "If we decided to use Postgres, it would run.",
    "We might have decided to use Postgres.", "Have we decided to use Postgres?",
    "Suppose we decided to use Postgres.", "For example, we decided to use Postgres.",
    "Originally we decided to use Postgres.", "Maybe we decided to use Postgres.",
    "We decided to use Postgres, but reverted that.", "We decided:",
    "You must install Docker first.", "It must be green.", "This must be a joke.",
    "Before you start, the server must be up.", "This book is a must read.",
    "There must be a better way.", "That must have been hard.", "They must go.",
    "Nothing must change here.", "Not every service must log.",
    "The service must have been down.", "Musts are for wine.",
    "The server must not necessarily be up.",
    "# Changelog\n\nWe decided to use Postgres.", "# v1.2.3\n\nThe API must be fast.",
    "# Examples\n\nI prefer tabs over spaces.", "# FAQ\n\nThe API must be fast.",
    "# Considered options\n\nThe API must be on Kafka.", "TODO: the API must be fast.",
    "- [The API must be fast](a.md)\n- [I prefer tabs](b.md)",
    "The parser should we say must be fast?", "I think the API must be fast.",
    "[When it rains, the API must be fast][1]", "G3a. Somebody must write it down.",
    "Redistributions must retain the notice.",
    "The above copyright notice shall be included in all copies.",
    "Do not close the issue in that case.", "This should be enough for everyone.",
    "Both should always be updated together.", "Don't worry about it too much.",
    "Reasons to refuse a plugin:\n\n- The plugin should be a library instead.",
    "We use it as a reference for the rest.", "Avoid it.",
    "The interval at which the server should ask for news.",
    "The types we will need to create are not decided on.",
    "Plugins are optional components of the server.", "Don't get angry about that.",
    "Service must strive to be the fastest of all.", "Care must be taken of the queue.",
    "We decided to experiment with it.", "We chose not to proceed with them for long.",
    "The queue must be one of the above mentioned ones.",
    "An export does not have to be in CSV.", "Second, the API must be fast.", "Whereas in Go developers must write it by hand.",
]  # fmt: skip

MEASURES = {
    "Mass = 4.8 kg": "Mass = 4.8 kg",
    "The response time is about 12 ms on average.": "The response time is about 12 ms",
    "- Supply voltage: 3.3 V": "Supply voltage: 3.3 V",
    "Our cluster measures 1,200 req/s under load.": "Our cluster measures 1,200 req/s",
    "Throughput is 1.5 GB/s.": "Throughput is 1.5 GB/s",
    "Drift ≤ 0.5 %": "Drift ≤ 0.5 %",
    "Operating temperature: -20 to 60 °C": "Operating temperature: -20 to 60 °C",
    "p99 latency = 30ms": "p99 latency = 30ms",
}
NO_MEASURES = [
    "Mass = 4.8", "The version is 3.11", "Is the mass 4.8 kg?", "Mass is not 4.8 kg.",
    "If the mass = 4.8 kg, it flies.", "It is 5 ms.", "This takes 5 min.",
    "Port: 8080", "`timeout = 3 s`", "```\nmass = 4.8 kg\n```", "> Mass = 4.8 kg",
    "- [ ] Mass = 4.8 kg", "\"Mass = 4.8 kg\"", "# Example\n\nMass = 4.8 kg",
    "| Mass = 4.8 kg | a |", "The mass could be 4.8 kg.", "Wait until 5 s pass.",
    "The answer is 42 things.", "There are 5 days left.", "Mass = 4.8 kgs per box",
]  # fmt: skip

CUES = {
    "gnommoweb is a repo of Glitch University.": (
        "gnommoweb is a repo of Glitch University",
        "gnommoweb -isa repo in context of glitch_university",
    ),
    "GlitchServer is a small **web service** in Go.": (
        "GlitchServer is a small web service in Go",
        "",
    ),
    "[VS Code](https://example.com) is an editor.": (
        "VS Code is an editor",
        "vs_code -isa editor in context of type",
    ),
    "GlitchServer runs on Docker.": (
        "GlitchServer runs on Docker",
        "glitchserver -ispart docker in context of runs-on",
    ),
}
NO_CUES = [
    "this is a test", "gnommoweb is not a repo.", "Is gnommoweb a repo?",
    "If gnommoweb is a repo, fine.", "> gnommoweb is a repo.", "`gnommoweb is a repo`",
    "```\ngnommoweb is a repo.\n```", "| gnommoweb is a repo | x |",
    "# Changelog\n\ngnommoweb is a repo.", "- [ ] gnommoweb is a repo",
    "<recollection>\ngnommoweb is a repo.\n</recollection>",
]  # fmt: skip


STRIPPED = re.compile(r"\[1\]|[\[\]*`\\]|^- |^!!! \w+\s+|^:::note\n|\.?\n:::$")


def contents(extractor, text, path="notes.md"):
    """Return the types and contents that an extractor finds in a document."""
    reading = attempt(extractor, ExtractionSource(text, path))
    assert reading.error == ""
    return [(found.type, found.content) for found in reading.found]


@pytest.mark.parametrize(("text", "expected"), HEADINGS.items())
def test_headings(text, expected):
    """A heading with a type is what it says; a bare "Decision" is what is said under it."""
    assert contents(Headings(), text) == [expected]


@pytest.mark.parametrize("text", NO_HEADINGS)
def test_no_headings(text):
    """Placeholders, questions, code, quotations and sections aside are no decision."""
    assert contents(Headings(), text) == []


@pytest.mark.parametrize(("text", "expected"), ITEMS.items())
def test_items(text, expected):
    """A list item with a type is what it says, without its markup."""
    assert contents(Items(), text) == [expected]


@pytest.mark.parametrize("text", NO_ITEMS)
def test_no_items(text):
    """Boxes, links, placeholders and struck text are nothing."""
    assert contents(Items(), text) == []


@pytest.mark.parametrize(("text", "kind"), SENTENCES.items())
def test_sentences(text, kind):
    """A plain statement is remembered as it stands, without its markup."""
    plain = STRIPPED.sub("", text.rstrip("."))

    assert contents(Sentences(), text) == [(kind, plain)]


@pytest.mark.parametrize("text", NO_SENTENCES)
def test_no_sentences(text):
    """A question, denial, supposition, quotation, past event or duty is not remembered."""
    assert contents(Sentences(), text) == []


@pytest.mark.parametrize(("text", "content"), MEASURES.items())
def test_measures(text, content):
    """A name, a value and its unit."""
    assert contents(Measures(), text) == [(T.MEASUREMENT, content)]


@pytest.mark.parametrize("text", NO_MEASURES)
def test_no_measures(text):
    """A number without a unit, or of nothing that has a name, is no measurement."""
    assert contents(Measures(), text) == []


@pytest.mark.parametrize(("text", "expected"), CUES.items())
def test_cues(text, expected):
    """A component that the scanner reads has its fact, at the scanner's prior."""
    (found,) = Cues(World(frozenset(["a", "is"]))).extract(ExtractionSource(text))

    assert (found.content, found.fact) == expected
    assert found.type == T.COMPONENT
    assert found.prior >= 0.65


@pytest.mark.parametrize("text", NO_CUES)
def test_no_cues(text):
    """A denial, question, code or our own text is no statement here."""
    assert contents(Cues(), text) == []


def test_measurement_has_the_title_that_it_is_about():
    """
    "The saving is 15 %" says more with what saves.
    """
    text = "# Use ARM machines\n\nThe cost saving is 15 %.\n"

    assert contents(Measures(), text) == [
        (T.MEASUREMENT, "Use ARM machines: The cost saving is 15 %")
    ]


def test_decision_has_the_title_of_its_record():
    """
    "Use Redis" says more with what for.
    """
    text = "## Decision\n\nUse Redis.\n"
    found = Headings().extract(ExtractionSource(text, "6.md", ("6. Queue of mails",)))

    assert [it.content for it in found] == ["Queue of mails: Use Redis"]


def test_title_is_left_out_where_it_makes_a_statement_too_long():
    """A long rule under long titles is still found."""
    rule = f"The tool must keep {'names ' * 60}apart"
    source = ExtractionSource(f"{rule}.\n", "a.md", ("Support tiers " * 13,))

    assert [it.content for it in Sentences().extract(source)] == [rule]
    assert attempt(Sentences(), source).error == ""


def test_title_of_one_word_has_the_one_above():
    """
    "Weight" is that of something.
    """
    text = "# Tags\n\n## Fields\n\n### Weight\n\nValues must be below 100.\n"
    found = Sentences().extract(ExtractionSource(text, "tag.md", ("Tags", "Fields")))

    assert [it.content for it in found] == ["Tags: Weight: Values must be below 100"]


def test_rule_has_the_title_that_it_is_about():
    """
    "The tool must …" is about what its title names; what names it itself needs none.
    """
    text = "The tool must be open source.\n\nGlitchServer must log each call.\n"
    found = Sentences().extract(
        ExtractionSource(text, "tools.md", ("Guide", "Support tiers", "Overview"))
    )

    assert [it.content for it in found] == [
        "Support tiers: The tool must be open source",
        "GlitchServer must log each call",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Commit queue\n\nThe commit queue lands pull requests. It is new.\n", []),
        (
            "# Commit queue\n\nThe commit queue holds pull requests until they land.\n",
            ["The commit queue holds pull requests until they land"],
        ),
        ("# Commit queue\n\nCommit queues are important for every project.\n", []),
        ("# Landing\n\nThe commit queue holds pull requests until they land.\n", []),
        ("A landing queue is a tool.\n", []),
        (
            "# Landing queue\n\n## How it helps\n\nThe landing queue holds pull requests"
            " until they land.\n",
            [],
        ),
        (
            "# Landing queue\n\nIn our CI, a landing queue (LQ) holds pull requests until"
            " CI is green.\n",
            ["In our CI, a landing queue (LQ) holds pull requests until CI is green"],
        ),
        (
            "---\ntitle: Landing Queue Interface\n---\n\nAn LQI offers a way to hold pull"
            " requests.\n",
            ["An LQI offers a way to hold pull requests"],
        ),
        (
            "# Landing\n\nThe landing command puts a pull request into the queue.\n",
            ["The landing command puts a pull request into the queue"],
        ),
        ("(A landing queue is a set of pull requests that wait for CI.)\n", []),
        (
            "A landing queue is a set of pull requests that wait for CI.\n",
            ["A landing queue is a set of pull requests that wait for CI"],
        ),
    ],
)
def test_definition_is_a_whole_clause(text, expected):
    """
    A definition is kept with its whole sentence; a tool that nothing more is said of is
    nothing.
    """
    found = Cues().extract(ExtractionSource(text, "notes.md"))

    assert [(it.content, it.fact) for it in found] == [(each, "") for each in expected]


def test_cues_doubt_everyday_words_without_a_dictionary():
    """With no dictionary at hand every word may be one, and is relied on less."""
    source = ExtractionSource("gnommoweb is a repo.")

    (doubted,) = Cues().extract(source)
    (relied,) = Cues(World(frozenset())).extract(source)

    assert doubted.prior < 0.7 <= relied.prior


def test_decomposed_text_has_a_span_all_the_same():
    """In a text that is not NFC the offsets of a statement are those of the whole."""
    text = "Cafe\u0301Server is a web editor."

    (found,) = Cues().extract(ExtractionSource(text))

    assert found.span == (0, len(text))
    assert found.content == "CaféServer is a web editor"


def test_marked_lines_of_notes():
    """Lines that are marked each stand alone, without a blank line between them."""
    text = "Notes of May.\nDecision: Use Postgres\nsoon\n[Constraint] No SQLite\n"

    assert contents(Items(), text) == [
        (T.DECISION, "Use Postgres"),
        (T.CONSTRAINT, "No SQLite"),
    ]


def test_spans_show_where_it_stands():
    """A span is the place in the text, markup included."""
    text = "Intro.\r\n\r\n- [Decision] Use **Postgres**.\r\n\r\nWe *decided* to go.\r\n"
    source = ExtractionSource(text, "a.md")

    (item,) = Items().extract(source)
    (sentence,) = Sentences().extract(source)

    assert text[slice(*item.span)] == "[Decision] Use **Postgres**."
    assert text[slice(*sentence.span)] == "We *decided* to go."


def test_headings_above_count():
    """A chunk of a changelog does not know by its text that it is one."""
    text = "We decided to use Postgres."

    def count(heading: str) -> int:
        source = ExtractionSource(text, headings=("Shop", heading))
        return len(Sentences().extract(source))

    assert count("Changelog") == 0
    assert count("3. **Options**") == 0  # headings of chunks have their markup
    assert count("[Changelog](changes.md)") == 0
    assert count("3. **Design**") == 1


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", True), ("a/README.md", True), ("notes.txt", True),
        ("CHANGELOG.md", False), ("docs/HISTORY.md", False), ("LICENSE", False),
        ("requirements.txt", False), ("requirements-dev.txt", False), ("a.py", False),
        ("compose.yaml", False), (".gitignore", False), ("CODEOWNERS", False),
        ("Dockerfile", False),
    ],
)  # fmt: skip
def test_what_is_prose(path, expected):
    """Rules read documents; a changelog tells what was."""
    assert is_prose(path) == expected
    assert {each.wants(path) for each in extractors()} == {expected}


@pytest.mark.parametrize(
    "path",
    [
        "_TEMPLATE.md", "docs/adr/0000-template.md", "adr/template.md",
        ".github/ISSUE_TEMPLATE/story.md", "pull_request_template.md",
    ],
)  # fmt: skip
def test_template_is_no_prose(path):
    """A template says nothing yet."""
    assert not is_prose(path)
    assert is_prose("docs/export-template.md")


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Changelog", True), ("3. Changelog:", True), ("[1.2.0] - 2026-01-01", True),
        ("v2.0", True), ("Table of contents", True), ("Open questions", True),
        ("Rejected alternatives", True), ("ADR template", True), ("Decision", False),
        ("Architecture", False), ("3. Goals", False), ("Newsletter", False),
    ],
)  # fmt: skip
def test_what_stands_aside(heading, expected):
    """Some sections say something else than they seem to."""
    assert is_aside(heading) == expected


@settings(max_examples=100)
@given(
    st.lists(
        st.sampled_from(
            [
                *HEADINGS,
                *NO_HEADINGS,
                *ITEMS,
                *NO_SENTENCES,
                *SENTENCES,
                *MEASURES,
                *CUES,
            ]
        ),
        max_size=8,
    ),
    st.text("`*_[]()<>\"'“”.#>-|~ \nab\x00é\u0301🙂", max_size=40),
)
def test_any_text_is_read(parts, noise):
    """Whatever stands together, each finding keeps its promises."""
    text = f"{noise}\n".join(parts) + noise

    for extractor in extractors():
        reading = attempt(extractor, ExtractionSource(text, "a.md"))
        assert reading.error == ""
        for found in reading.found:
            assert found.content == found.content.strip()


@pytest.mark.parametrize(
    "part",
    [
        "[", "`", "<", "“", '"', "*", "_", "~~", "![", "a = ", "a is ", "I prefer ",
        "[Decision] ", "(", "'a", "1,", "1 ", "w ", "— ", "Decision ", "a must ", "is a ",
    ],
)  # fmt: skip
def test_hard_text_is_read_in_bounds(part):
    """
    A hundred thousand characters made to be hard are read like others: what a sentence
    may be is bounded, and no pattern looks further than its own sign.
    """
    source = ExtractionSource(part * (100_000 // len(part)), "a.md")

    for extractor in extractors():
        reading = attempt(extractor, source)
        assert reading.error == ""
        assert len(reading.found) <= FOUND_MAX


def test_builtin_extractors_have_names_of_their_own():
    """A candidate's provenance names one extractor and its version."""
    names = [extractor.name for extractor in builtin()]

    assert len(set(names)) == len(names) == 12
    assert all(extractor.version.count(".") == 2 for extractor in builtin())


@pytest.mark.parametrize(
    "text",
    [
        "- [Requirement] The service must answer within 2 s",
        "- [Requirement] gnommoweb is a repo of Glitch University",
        "[Constraint] The cache must not exceed 4 GB",
    ],
)
def test_item_with_a_type_is_found_once(text):
    """Neither a sentence rule nor the scanner finds it again, as something else."""
    found = [
        each
        for extractor in builtin()
        if extractor.wants("notes.md")
        for each in attempt(extractor, ExtractionSource(text, "notes.md")).found
    ]

    assert [it.rule for it in found] == ["item"]
