"""Files that are made to hurt whoever reads them."""

from __future__ import annotations

import pytest

from festinger.core.review.extractors import (
    FOUND_CHARACTERS_MAX,
    ExtractionSource,
    attempt,
)
from festinger.core.review.structure.compose import Compose
from festinger.core.review.structure.package_json import PackageJson
from festinger.core.review.structure.pyproject import Pyproject
from festinger.core.review.structure.trees import (
    CHARACTERS_MAX,
    DEPTH_MAX,
    NODES_MAX,
    read_yaml,
)
from festinger.errors import UnreadableFile

LEVELS = 30
LAUGHS = "a0: &a0 [lol, lol]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n"
    for level in range(1, LEVELS)
)
MERGES = "a0: &a0 {x0: 1}\n" + "".join(
    f"a{level}: &a{level} {{<<: [*a{level - 1}, *a{level - 1}], x{level}: 1}}\n"
    for level in range(1, LEVELS)
)
WIDE = "a: &a {" + ", ".join(f"k{number}: 1" for number in range(20_000)) + "}\n"


def test_aliases_are_not_copied():
    """Nine to the power of thirty laughs are thirty lists, and each alias is its list."""
    (tree,) = read_yaml(f"{LAUGHS}services: {{web: {{image: a, depends_on: *a29}}}}")

    assert tree.get("a29").items[0] is tree.get("a28")
    assert len(Compose().extract(ExtractionSource(LAUGHS))) == 0


def test_merges_add_up():
    """The part that `<<` takes over is counted like what is written."""
    (tree,) = read_yaml(MERGES)
    many = WIDE + "b: {<<: [" + ", ".join(["*a"] * 10_000) + "]}\n"

    assert len(tree.get("a29").fields) == LEVELS
    with pytest.raises(UnreadableFile, match="more than"):
        read_yaml(many)


def test_a_mapping_that_holds_itself():
    """A circle is no endless road."""
    text = "services: &s\n  web: &w\n    image: a\n    depends_on: *s\n    self: *w\n"

    contents = {found.content for found in Compose().extract(ExtractionSource(text))}

    assert "web uses the image a and depends on web" in contents


@pytest.mark.parametrize("sign", ["[", "{a: ", "- ", "? "])
def test_depth_is_limited(sign):
    """A hundred thousand levels are refused at the first that is too deep."""
    with pytest.raises(UnreadableFile, match=f"deeper than {DEPTH_MAX}|no YAML"):
        read_yaml(sign * 100_000)


def test_size_is_limited():
    """So many values are no manifest."""
    with pytest.raises(UnreadableFile, match=f"more than {NODES_MAX}"):
        read_yaml("- a\n" * (NODES_MAX + 1))


@pytest.mark.parametrize("extractor", [Pyproject(), PackageJson()])
def test_files_that_are_read_at_once_are_limited(extractor):
    """JSON and TOML have a size that they may have, and a depth."""
    for text in (" " * (CHARACTERS_MAX + 1), "[" * 100_000, "a = " + "[" * 100_000):
        error = attempt(extractor, ExtractionSource(text)).error
        assert error
        assert "failed" not in error


def test_tags_make_nothing():
    """A tag that would run something is only a word that nobody reads."""
    text = (
        "services:\n  web:\n    image: !!python/object/apply:os.system ['echo']\n"
        "  db:\n    image: !reset postgres\n"
    )

    contents = [found.content for found in Compose().extract(ExtractionSource(text))]

    assert "db uses the image postgres" in contents
    assert not any("echo" in content for content in contents)


def test_the_last_of_two_keys_counts():
    """A key that is there twice, or is no word, harms nobody."""
    text = (
        "services:\n  ? [a, b]\n  : {image: x}\n  1: {image: one}\n"
        "  ? {c: d}\n  : e\n  web: {image: first}\n  web: {image: second}\n"
    )

    contents = [found.content for found in Compose().extract(ExtractionSource(text))]

    assert contents == [
        "1 uses the image one",
        "web uses the image second",
    ]


def test_names_of_any_length():
    """A service that is called like a novel has a bounded content and no fact."""
    novel = "x" * 100_000
    text = f"services:\n  {novel}: {{image: {novel}, depends_on: [{novel}, b]}}\n"
    text = text.replace(f"  {novel}:", f"  ? {novel}\n  :")

    reading = attempt(Compose(), ExtractionSource(text))

    assert reading.error == ""
    assert reading.found
    assert all(len(it.content) <= FOUND_CHARACTERS_MAX for it in reading.found)
    assert not any(it.fact for it in reading.found)
