"""Extractor of Backstage's `catalog-info.yaml`: owners, systems and dependencies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from festinger.core.graph.proposal import MEMBERSHIP, TYPE
from festinger.core.language.cues.patterns import OWNED_BY
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.structure.relations import (
    DEPENDS_ON,
    base,
    dependencies,
    fact,
    one_parent_each,
    relation,
)
from festinger.core.review.structure.trees import TreeNode, read_yaml

EXTRACTOR_VERSION = "0.1.0"

# Groups, users and templates are not parts of a system.
_KINDS = frozenset(["Component", "API", "Resource", "System", "Domain"])
# Field, verb of the content, dimension: an API that is provided or consumed gives no fact.
_LISTS = (
    ("dependsOn", "depends on", DEPENDS_ON),
    ("providesApis", "provides the API", ""),
    ("consumesApis", "consumes the API", ""),
)


class Backstage:
    """Extractor of the entities of a software catalogue."""

    name = "backstage"
    version = EXTRACTOR_VERSION
    whole = True

    def wants(self, path: str) -> bool:
        """Return True for files named `catalog-info.yaml` or `catalog-info.yml`."""
        return base(path) in ("catalog-info.yaml", "catalog-info.yml")

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the entities of the file, as relations."""
        found = [each for node in read_yaml(source.text) for each in _entity(node)]
        return one_parent_each(found)


def _entity(node: TreeNode) -> Iterator[ExtractorFinding]:
    kind, named = node.get("kind").text, node.get("metadata", "name")
    backstage = node.get("apiVersion").text.startswith("backstage.io/")
    if not backstage or kind not in _KINDS or not named.text:
        return
    spec, called = node.get("spec"), named.text
    sort = spec.get("type")  # "service", "library", "website"
    what = sort.text or kind.lower()
    span = named.start, named.end
    held = fact(called, what, TYPE, is_isa=True)
    yield relation("backstage.entity", f"{called} is a {what}", span, held)
    owner = spec.get("owner")
    if owner.text:
        who = _reference(owner.text)
        held = fact(called, who, OWNED_BY)
        content = f"{called} is owned by {who}"
        yield relation("backstage.owner", content, (owner.start, owner.end), held)
    yield from _wholes(spec, called)
    for key, verb, dimension in _LISTS:
        others = [_reference(other) for other in spec.get(key).texts()]
        where = spec.keys.get(key, span)
        rule = f"backstage.{key}"
        yield from dependencies(
            rule, called, others, where, verb=verb, dimension=dimension
        )


def _wholes(spec: TreeNode, called: str) -> Iterator[ExtractorFinding]:
    """Yield what it is part of; only the first one, such as the system, is a fact."""
    # Membership has a single place; the first of these fields takes it.
    placed = False
    for key in ("system", "domain", "subcomponentOf", "subdomainOf"):
        whole = spec.get(key)
        if not whole.text:
            continue
        name = _reference(whole.text)
        held = "" if placed else fact(called, name, MEMBERSHIP)
        placed = True
        content = f"{called} is part of {name}"
        yield relation("backstage.part", content, (whole.start, whole.end), held)


def _reference(text: str) -> str:
    """Return the name in a reference, `artists` for `group:default/artists`."""
    # Kind and namespace are left out: people say "artists".
    return text.rsplit("/", 1)[-1].rsplit(":", 1)[-1].strip()
