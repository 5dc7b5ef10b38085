from __future__ import annotations

import pytest

from festinger.core.language.utterances import read_turn
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.quotes import word
from festinger.core.lines.turns import SpokenTurn, digest_of, lines_of
from festinger.core.recollection.query import read_query
from festinger.core.recollection.recall import RecallRequest, recall
from festinger.core.recollection.scopes import common_nouns, is_elsewhere, proper_names
from festinger.core.recollection.scoring import score
from festinger.core.recollection.succession import successor_of
from festinger.core.recollection.weighing import shipped
from tests.memories import COMMON_WORDS

NOW = 1_790_000_000.0
EVERYDAY = COMMON_WORDS | {"for", "start", "which", "at", "every", "it", "run", "night"}
OTHERS = [
    ("nan", "shop", "Invoices are archived for eleven years in the vault bucket."),
    ("theo", "catalog", "Staging runs in Falkenstein, on the small machine."),
    ("nan", "wiki", "Our wiki is backed up to the Synology in the cellar."),
]
SHOP = ("nan", "shop", "The indexer starts at 04:25 every night.")
CATALOG = ("theo", "catalog", "The indexer starts at 23:10 every night.")
ASKED = "when does our indexer start at night?"


def index_of(*chat):
    """Return an index of turns, the oldest first."""
    index = LineIndex()
    for number, (speaker, project, text) in enumerate((*OTHERS, *chat), 1):
        turn = SpokenTurn(
            number,
            speaker,
            speaker,
            project,
            "s",
            NOW - 86_400 * (50 - number),
            digest_of(text),
            read_turn(text).utterances,
        )
        index.sources.put(LineKind.UTTERANCE, number, lines_of(turn))
    return index


def told(index, project, prompt=ASKED):
    """Return the texts that a prompt in a project is told."""
    asked = RecallRequest(prompt, asker="ada", project=project)
    recalled = recall(index, asked, dictionary=EVERYDAY, tokens=200, now=NOW)
    return [it.text for it in recalled.lines]


def likelihoods(index, project, prompt=ASKED):
    """The likelihood that each line helps a prompt in a project, by its own project."""
    query = read_query(index, prompt, asker="ada", project=project, dictionary=EVERYDAY)
    return {it.line.project: it.probability for it in score(index, query, shipped())}


@pytest.mark.parametrize(
    ("project", "time", "others"),
    [("shop", "04:25", "23:10"), ("catalog", "23:10", "04:25")],
)
def test_each_project_is_told_of_its_own_indexer(project, time, others):
    """Whichever was said first; the other one's is not told as if it was theirs."""
    lines = told(index_of(SHOP, CATALOG), project)

    (own,) = (it for it in lines if time in it)
    assert "(" not in own.partition(":")[0]
    assert all(others not in it or "(shop)" in it or "(catalog)" in it for it in lines)


@pytest.mark.parametrize("project", ["", "wiki"])
def test_line_of_another_project_names_it(project):
    """Also where nobody knows where the prompt was typed."""
    lines = index_of(SHOP).lines_of(LineKind.UTTERANCE, len(OTHERS) + 1)

    text = word(lines, asker="ada", project=project, now=NOW)

    assert text.startswith("nan, ")
    assert " (shop): " in text


def test_common_noun_of_another_project_is_less_likely():
    """A name holds everywhere."""
    noun = likelihoods(index_of(SHOP), "wiki")["shop"]
    name = likelihoods(
        index_of(("nan", "shop", "Indexer9 starts at 04:25 every night.")),
        "wiki",
        "when does indexer9 start at night?",
    )["shop"]

    assert noun < name / 2


@pytest.mark.parametrize(
    ("thing", "project", "is_news"),
    [
        ("the indexer", "shop", True),
        ("the indexer", "catalog", False),
        ("the file of Kassel", "catalog", True),
        ("the file of db-prod-1", "catalog", True),
    ],
)
def test_another_projects_noun_changes_nothing_here(thing, project, is_news):
    """A concept moved by its indexer is no news of ours; a moved name is."""
    said = f"On the old machine {thing} starts at 04:25 with the nightly import."
    moved = (
        f"Correction, {thing} is not at 04:25 with the nightly import anymore, "
        "it starts at 23:10 on the old machine now."
    )
    others = [("ada", "wiki", f"Page{at} tells of topic{at}.") for at in range(90)]
    index = index_of(*others, ("nan", "shop", said), ("nan", project, moved))
    (ours,) = index.lines_of(LineKind.UTTERANCE, len(OTHERS) + 91)

    assert (successor_of(index, ours, shipped()) is not None) is is_news


def test_common_nouns_stand_behind_an_article():
    """A capital within the sentence makes a name, and so does a digit."""
    text = "The nightly indexer and our Kassel file are on node7."

    assert common_nouns(text) == {"night", "index"}
    assert proper_names(text) == {"kassel", "node7"}


@pytest.mark.parametrize(
    ("ours", "expected"),
    [("SHOP", False), ("\uff33hop", False), ("wiki", True), ("", False)],
)
def test_project_is_compared_whatever_its_spelling(ours, expected):
    """And nowhere in particular is no other project."""
    (line,) = index_of(SHOP).lines_of(LineKind.UTTERANCE, len(OTHERS) + 1)

    assert is_elsewhere(line, ours) is expected


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("three ideas for a quiz on the weather, in a list please", False),
        ("which image do we use for the cache of the gateway?", True),
        ("does the valkey need a password?", True),
    ],
)
def test_note_shares_more_than_an_everyday_word(prompt, expected):
    """
    A sentence accepted from a document was said to nobody: one everyday word in common
    is no reason to tell it, two are, and a name is.
    """
    index = LineIndex()
    index.sources.put(
        LineKind.ENTITY,
        1,
        [
            IndexedLine(
                0,
                LineKind.ENTITY,
                1,
                "cache of gateway uses the image valkey, a list of keys",
                "component",
                project="shop",
                said=NOW,
            )
        ],
    )
    query = read_query(
        index,
        prompt,
        asker="ada",
        project="shop",
        dictionary=EVERYDAY | {"list", "keys", "image", "use", "cache", "gateway"},
    )

    (found,) = score(index, query, shipped())

    plain = shipped().of(found.line).probability(found.values)
    assert (found.probability == plain) is expected
