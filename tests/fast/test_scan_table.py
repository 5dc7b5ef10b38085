"""The token rules by example."""

from __future__ import annotations

import json

import pytest

from festinger import _fast
from tests.apart import SHARED

VECTORS = SHARED / "vectors/tokens.jsonl"

# Text, its tokens.
TABLE = [
    # Words and joiners.
    ("", []),
    ("...", []),
    ("one two", ["one", "two"]),
    ("glitch.university hosts", ["glitch.university", "hosts"]),
    ("a.b.c-d'e", ["a.b.c-d'e"]),
    ("a.b..c", ["a.b", "c"]),
    ("a.-b", ["a", "b"]),
    ("-a- .b.", ["a", "b"]),
    ("__init__ _x", ["__init__", "_x"]),
    ("H₂O and m²", ["h", "o", "and", "m"]),
    ("Ⓐ Ⅷ", []),
    ("٣٤ numbers", ["٣٤", "numbers"]),
    ("a\x00b", ["a", "b"]),
    ("a\ud800b", ["a", "b"]),
    ("I ❤\ufe0f docker", ["i", "docker"]),
    ("\u0301abc", ["abc"]),
    ("word—word", ["word", "word"]),
    ("zero\u200dwidth", ["zero", "width"]),
    # Apostrophes.
    ("Don’t", ["don't"]),
    ("the agent_pool’s workers", ["the", "agent_pool", "workers"]),
    ("BOB'S", ["bob"]),
    ("x's's", ["x"]),
    ("'s", ["s"]),
    ("s's", ["s"]),
    ("it's", ["it"]),
    ("students' work", ["students", "work"]),
    ("rock 'n' roll", ["rock", "n", "roll"]),
    ("'Glitch University'", ["glitch_university"]),
    # Literal endings.
    ("C++, C# and F#", ["c++", "c#", "and", "f#"]),
    ("c+ d++ g#", ["c", "d", "g"]),
    ("C++17", ["c++", "17"]),
    ("C++'s C#’s", ["c++", "c#"]),
    ("abc++", ["abc"]),
    ("main.c#L10", ["main.c", "l10"]),
    ("objective-c++", ["objective-c++"]),
    ("Visual C++ Compiler", ["visual_c++_compiler"]),
    ("visual_c++_compiler", ["visual_c++_compiler"]),
    # Lower case and normal forms.
    ("cafe\u0301", ["café"]),
    ("ΟΔΟΣ ΣΑΣ's", ["οδος_σας"]),
    ("İzmir", ["i̇zmir"]),
    ("ẞ Ⱥ K", ["ß_ⱥ_k"]),
    ("J\u030c", ["ǰ"]),
    ("ǅ Foo", ["ǆ_foo"]),
    # Chinese, Japanese, Korean, Devanagari.
    ("東京都", ["東京", "京都"]),
    ("本", ["本"]),
    ("Tシャツ", ["t", "シャ", "ャツ"]),
    ("カ゛", ["カ"]),
    ("か\u3099く", ["がく"]),
    ("第3章", ["第", "3", "章"]),
    ("二〇二四", ["二〇", "〇二", "二四"]),
    ("東京-Tokyo", ["東京", "tokyo"]),
    ("한국어 텍스트", ["한국어", "텍스트"]),
    ("हिन्दी में", ["हिन्दी", "में"]),
    # Compounds.
    ("Agent Zero", ["agent_zero"]),
    ("agent Zero", ["agent", "zero"]),
    ("Glitch\u00a0University", ["glitch_university"]),
    ("Glitch\r\nUniversity", ["glitch_university"]),
    ("Glitch\rUniversity", ["glitch", "university"]),
    ("Glitch \nUniversity", ["glitch", "university"]),
    ("Glitch\n University", ["glitch", "university"]),
    ("Glitch\tUniversity", ["glitch", "university"]),
    ("Glitch, University", ["glitch", "university"]),
    ("Glitch\n\nUniversity", ["glitch", "university"]),
    ("Glitch\n- University", ["glitch", "university"]),
    ("Glitch\n2. University", ["glitch", "2", "university"]),
    ("1. Alpha\n2. Beta", ["1", "alpha", "2", "beta"]),
    ("* Alpha\n* Beta", ["alpha", "beta"]),
    ("# Big Title\nFestinger", ["big_title", "festinger"]),
    ("  ## Title\r\nFestinger", ["title", "festinger"]),
    ("C# Title\nFestinger", ["c#_title_festinger"]),
    ("Bank of America", ["bank", "of", "america"]),
    ("In The Glitch University", ["in", "the", "glitch_university"]),
    ("Use Docker Compose Now", ["use", "docker_compose", "now"]),
    ("Dobby ISA Worker", ["dobby", "isa", "worker"]),
    ("Émile Zola", ["émile_zola"]),
    ("Éa Éb Éc Éd Ée", ["éa_éb_éc_éd_ée"]),
    ("A Glitch", ["a", "glitch"]),
    ("One Two Three Four Five Six", ["one", "two", "three", "four", "five", "six"]),
    ("X" * 31 + " " + "Y" * 32, ["x" * 31 + "_" + "y" * 32]),
    ("X" * 32 + " " + "Y" * 32, ["x" * 32, "y" * 32]),
    ("É" * 31 + " " + "É" * 32, ["é" * 31 + "_" + "é" * 32]),
    ("É" * 32 + " " + "É" * 32, ["é" * 32, "é" * 32]),
    ("Glitch University's Server Room", ["glitch_university", "server_room"]),
    ("Node.js Foundation", ["node.js_foundation"]),
    ("_Glitch_ University", ["_glitch_", "university"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tokens"), TABLE)
def test_tokens_are_those_of_the_table(text: str, tokens: list[str]) -> None:
    """A text has these tokens, in this order."""
    assert list(_fast.scan(text)) == tokens


def test_a_token_does_not_depend_on_where_it_stands() -> None:
    """The table holds at every place of a longer text: the classes come in blocks."""
    for text, tokens in TABLE:
        for before in (1, 31, 57, 60, 63, 64, 65, 126):
            scanned = _fast.scan("x" * before + "\n\n" + text + "\n\n!")

            assert list(scanned) == ["x" * before, *tokens], (text, before)


@pytest.mark.skipif(
    not VECTORS.exists(), reason=f"THE SHARED VECTORS ARE NOT TESTED: no {VECTORS}"
)
def test_tokens_are_those_of_the_vectors() -> None:
    """Every shared vector holds."""
    vectors = [json.loads(line) for line in VECTORS.read_text().splitlines()]

    for vector in vectors:
        assert list(_fast.scan(vector["text"])) == vector["tokens"], vector["text"]
