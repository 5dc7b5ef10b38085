"""Recall and precision on real files.

The gold of a compose file is counted from `yaml.safe_load`, which the extractor does not
use.
"""

from __future__ import annotations

import re

import pytest
import yaml

from benchmarks.extraction import Dictionary
from festinger.core.graph.statement import parse_fact
from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import ExtractionSource, builtin
from festinger.core.review.structure.compose import Compose
from tests.apart import SHARED
from tests.documents import swept

DATA = SHARED / "data"
COMPOSE = DATA / "awesome_compose"
GLOSSARY = DATA / "cncf_glossary"
PRECISION_MIN = 0.95
RECALL_MIN = 0.90
DEFINED_MIN = 65
"""Of the 90 terms, those that a clause is found about."""
needs_compose = pytest.mark.skipif(
    not COMPOSE.exists(), reason=f"SKIPPED: {COMPOSE} is not here: nothing was measured"
)
needs_glossary = pytest.mark.skipif(
    not GLOSSARY.exists(),
    reason=f"SKIPPED: {GLOSSARY} is not here: nothing was measured",
)


def gold_of(text):
    """Services, (service, image) and (service, needed), as plain YAML says."""
    services = yaml.safe_load(text)["services"]
    images = {(it, node["image"]) for it, node in services.items() if "image" in node}
    needs = {
        (it, each)
        for it, node in services.items()
        for each in node.get("depends_on", ())
    }
    return {(it,) for it in services}, images, needs


def found_in(text, project):
    """Return the same, as the extractor's contents say."""
    services, images, needs = set(), set(), set()
    for found in Compose().extract(ExtractionSource(text, f"{project}/compose.yaml")):
        match = re.match(r"(\S+) of (\S+) ", found.content)
        assert match
        assert match[2] == project or "name:" in text
        services.add((match[1],))
        if image := re.search(r" uses the image ([^\s,]+)", found.content):
            images.add((match[1], image[1]))
        if needed := re.search(r" depends on ((?:\S+, )*\S+?)(?=$|,? )", found.content):
            needs |= {(match[1], each) for each in needed[1].split(", ")}
    return services, images, needs


def pages(ending):
    """Return the files of the compose examples: project, text."""
    for file in sorted(COMPOSE.glob(f"*__{ending}")):
        yield file.name.split("__")[0], file.read_text(encoding="utf-8")


def share(part, whole):
    """Return a share, as it is printed."""
    return f"{part / whole:.3f} ({part}/{whole})" if whole else "none"


@needs_compose
@pytest.mark.parametrize("part", [0, 1, 2], ids=["services", "images", "dependencies"])
def test_structure_of_compose_files(part):
    """Services, images and dependencies are found, and nothing else."""
    gold, found, right = 0, 0, 0
    for project, text in pages("compose.y*ml"):
        expected, told = gold_of(text)[part], found_in(text, project)[part]
        gold, found, right = (
            gold + len(expected),
            found + len(told),
            right + len(expected & told),
        )
    print(f"precision {share(right, found)}, recall {share(right, gold)}")

    assert gold > 10
    assert right / found >= PRECISION_MIN
    assert right / gold >= RECALL_MIN


@needs_compose
def test_facts_of_compose_files():
    """
    A fact about an image names the last part of it, and one about a dependency one that
    is the service's only one.
    """
    facts = 0
    for project, text in pages("compose.y*ml"):
        _, images, needs = gold_of(text)
        last = {(one, image.split(":")[0].split("/")[-1]) for one, image in images}
        for found in Compose().extract(
            ExtractionSource(text, f"{project}/compose.yaml")
        ):
            if not found.fact:
                continue
            facts += 1
            triple = parse_fact(found.fact)
            pair = triple.concept, triple.parent
            if triple.dimension == "tech":
                assert pair in last
            elif triple.dimension == "depends-on":
                assert [it for it in needs if it[0] == triple.concept] == [pair]
    print(f"{facts} facts")

    assert facts > 50


@needs_compose
def test_prose_about_compose_files():
    """
    Text beside the files repeats next to nothing of what is in them: structure is what
    is worth reading. None of it is false.
    """
    extractors = builtin(Dictionary())
    gold = told = right = others = 0
    for project, text in pages("README.md"):
        file = next(iter(COMPOSE.glob(f"{project}__compose.y*ml")), None)
        if file is None:
            continue
        services, images, needs = gold_of(file.read_text(encoding="utf-8"))
        last = {(one, image.split(":")[0].split("/")[-1]) for one, image in images}
        gold += len(services | last | needs)
        for each in swept(text, extractors, "README.md").found:
            if not each.found.fact:
                others += 1
                continue
            triple = parse_fact(each.found.fact)
            told += 1
            right += (triple.concept, triple.parent) in last | needs
    print(
        f"prose: {told} facts, {right} of {gold} in the files; {others} other memories"
    )

    assert right < gold / 10
    assert told + others < 40


@needs_glossary
def test_terms_of_the_glossary():
    """Of most terms a clause is found that says what they are."""
    extractors = builtin(Dictionary())
    pages = sorted(GLOSSARY.glob("*.md"))
    defined = {
        page.stem
        for page in pages
        for each in swept(page.read_text(encoding="utf-8"), extractors, page.name).found
        if each.found.type is MemoryType.COMPONENT
    }
    print(f"{share(len(defined), len(pages))} terms with a clause")

    assert len(defined) >= DEFINED_MIN
