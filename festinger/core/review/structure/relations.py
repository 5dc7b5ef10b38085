"""Relations of the structural extractors, with names that the graph can hold.

Dimensions: `membership` (what something is part of), `runs-on` (what hosts it), `tech`
(what it is made with), `owned-by`, `type`, and `depends-on`, which such a fact creates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from festinger.core.graph.proposal import Triple
from festinger.core.graph.statement import parse_fact, to_token
from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import (
    FOUND_CHARACTERS_MAX,
    ExtractionSource,
    ExtractorFinding,
)
from festinger.errors import NotATokenError

PRIOR = 0.9
"""High, since such a file configures a machine; only its names may be ambiguous."""
TECH = "tech"
DEPENDS_ON = "depends-on"
NAMES_MAX = 20
"""Maximum number of names in a content; further ones get a content of their own."""
NAME_CHARACTERS_MAX = 120  # longer names are generated

_NOT_OF_A_TOKEN = re.compile(r"[^\w.+#'-]+")  # "my service/api" is "my_service_api"
_DOUBLED = re.compile(r"([_.-])[_.-]+")
# "${TAG}", "${TAG:-1.25}", "${TAG:?error}", "$TAG": name, and the default behind `-`.
_VARIABLE = re.compile(r"\$\{(\w+)(?::?[-+]([^${}]*)|:?\?[^{}]*)?\}|\$(\w+)")
# "nginx:1.25", but not the port of "registry:5000/nginx".
_TAG = re.compile(r":[^/:]*$")
# Directories that are named after a kind of files, and not after their subject.
_NO_SUBJECTS = frozenset(
    [
        ".", "..", "build", "ci", "config", "deploy", "deployment", "deployments",
        "docker", "infra", "k8s", "kubernetes", "manifests", "src", ".devcontainer",
        ".docker", ".github",
    ]
)  # fmt: skip


def name(text: str) -> str:
    """Return the token of a name; empty if it has none."""
    # Bounded, so that a very long name costs no time.
    text = text.strip()[:NAME_CHARACTERS_MAX]
    joined = _DOUBLED.sub(r"\1", _NOT_OF_A_TOKEN.sub("_", text)).strip("_.-'")
    # As it is written, else with `_` for what a token cannot contain, else in lower case.
    for form in (text, joined, joined.lower()):
        try:
            return to_token(form, "name")
        except NotATokenError:
            continue
    # Nothing but digits, too long, or a word like "the": a content without a fact.
    return ""


def image_name(image: str) -> str:
    """Return the token of a container image's name; empty if it has none."""
    # "ghcr.io/acme/api:1.25@sha256:…" is `api`: people say "nginx", whoever packages it.
    bare = resolved(image).strip()
    if not bare or any(each in bare for each in "${} \t"):
        return ""
    bare = _TAG.sub("", bare.split("@", 1)[0])
    return name(bare.rsplit("/", 1)[-1])


def resolved(text: str, values: dict[str, str] | None = None) -> str:
    """Replace the variables of a text by their values or defaults, or remove them."""
    known = values or {}

    def value(match: re.Match[str]) -> str:
        """Return a known variable's value, or its default."""
        found = known.get(match[1] or match[3])
        return found if found is not None else (match[2] or "")

    return _VARIABLE.sub(value, text[:1000])


def fact(concept: str, parent: str, dimension: str, *, is_isa: bool = False) -> str:
    """Return a relation as a fact; empty if a name has no token, or both are equal."""
    one, other = name(concept), name(parent)
    if not one or not other or one == other:  # a service is often named after its image
        return ""
    return str(Triple(one, other, dimension, is_isa))


def relation(
    rule: str, content: str, span: tuple[int, int], held: str = ""
) -> ExtractorFinding:
    """Return a finding of a structural extractor."""
    content = " ".join(content.split())[:FOUND_CHARACTERS_MAX]
    return ExtractorFinding(MemoryType.COMPONENT, content, rule, PRIOR, span, held)


def listed(parts: Sequence[str]) -> str:
    """Return parts of a sentence as one: "a, b and c"."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def placed(called: str, source: ExtractionSource) -> str:
    """Return a name with the directory of its file, if that is below another one."""
    # Several parts of a repository may have a `backend`.
    directories = _directories(source)
    if len(directories) < 2 or directories[-1] in _NO_SUBJECTS:
        return called
    return f"{called} ({'/'.join(directories)})"


def dependencies(
    rule: str,
    concept: str,
    others: Sequence[str],
    span: tuple[int, int],
    *,
    verb: str = "depends on",
    dimension: str = DEPENDS_ON,
    called: str = "",
) -> Iterator[ExtractorFinding]:
    """Yield findings about the dependencies of a concept.

    Their contents name all of them; a single dependency is a fact as well.

    Args:
        called: What the contents call the concept; empty for its name.
    """
    concept = concept[:NAME_CHARACTERS_MAX]
    others = list(dict.fromkeys(other[:NAME_CHARACTERS_MAX] for other in others))
    # A concept has one parent in a dimension: of two dependencies neither is a fact.
    held = fact(concept, others[0], dimension) if len(others) == 1 and dimension else ""
    called = called or concept
    for names in _lists(others):
        yield relation(rule, f"{called} {verb} {', '.join(names)}", span, held)


def _lists(others: Sequence[str]) -> Iterator[list[str]]:
    """Yield groups of names, each as many as a content has room for."""
    listed: list[str] = []
    size = 0
    for other in others:
        size += len(other) + 2
        if listed and (
            len(listed) == NAMES_MAX
            # Room for the concept, and for a name that is as long as allowed.
            or size > FOUND_CHARACTERS_MAX - 2 * NAME_CHARACTERS_MAX
        ):
            yield listed
            listed, size = [], len(other) + 2
        listed.append(other)
    if listed:
        yield listed


# Two findings that differ about a parent both lose their fact: a person has to decide.
def one_parent_each(found: Sequence[ExtractorFinding]) -> list[ExtractorFinding]:
    """Return the findings of a file, without facts that conflict with each other."""
    triples = {each.fact: parse_fact(each.fact) for each in found if each.fact}
    parents: dict[tuple[str, str], set[str]] = {}
    for triple in triples.values():
        parents.setdefault((triple.concept, triple.dimension), set()).add(triple.parent)
    alone = {
        fact
        for fact, triple in triples.items()
        if len(parents[triple.concept, triple.dimension]) == 1
    }
    return [each if each.fact in alone else replace(each, fact="") for each in found]


def subject(source: ExtractionSource) -> str:
    """Return the subject of a file that names none: its directory, else the project."""
    for directory in reversed(_directories(source)):
        # "deploy/" and "src/" name no subject.
        if directory and directory.lower() not in _NO_SUBJECTS:
            return directory
    return source.project


def _directories(source: ExtractionSource) -> list[str]:
    # An absolute path says where a file happens to be; its project says more.
    if source.project and source.path.startswith("/"):
        return []
    return source.path.split("/")[:-1]


def base(path: str) -> str:
    """Return the name of a file, in lower case."""
    return path.rsplit("/", 1)[-1].lower()
