"""Relations of the structural extractors, with names that the graph can hold.

**Names.** A name becomes a token in lower case; characters that a token cannot contain
become `_`. A name that still is no token (longer than 64 characters, more than five
words, nothing but digits, a word like "the") stays in the content and gives no fact.

**Images.** The name of `ghcr.io/acme/api:1.25-alpine@sha256:…` is `api`: without
registry, owner, tag and digest, since people speak of `nginx`, whoever packages it. A
variable counts as its default (`${TAG:-1.25}`); an image that only a variable names has
no name.

**One parent in a dimension.** A concept has one parent in each dimension, so a fact is
given only if the file names exactly one: a service that depends on `db` and `redis`
gets one finding whose content names both, and no fact. The dimensions are `membership`
(what it is part of), `runs-on` (what hosts it), `tech` (what it is made with),
`owned-by`, `type`, and `depends-on`, which such a fact creates. If two findings of a
file give a concept different parents in a dimension, both lose their facts: a person
has to decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from festinger.core.graph.proposal import Triple
from festinger.core.graph.statement import parse_fact, to_token
from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import (
    CONTENT_CHARACTERS_MAX,
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
NAME_CHARACTERS_MAX = 120

_NOT_OF_A_TOKEN = re.compile(r"[^\w.+#'-]+")
_DOUBLED = re.compile(r"([_.-])[_.-]+")
_VARIABLE = re.compile(r"\$\{(\w+)(?::?[-+]([^${}]*)|:?\?[^{}]*)?\}|\$(\w+)")
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
    text = text.strip()[:NAME_CHARACTERS_MAX]
    joined = _DOUBLED.sub(r"\1", _NOT_OF_A_TOKEN.sub("_", text)).strip("_.-'")
    for form in (text, joined, joined.lower()):
        try:
            return to_token(form, "name")
        except NotATokenError:
            continue
    return ""


def image_name(image: str) -> str:
    """Return the token of a container image's name; empty if it has none."""
    bare = resolved(image).strip()
    if not bare or any(each in bare for each in "${} \t"):
        return ""
    bare = _TAG.sub("", bare.split("@", 1)[0])
    return name(bare.rsplit("/", 1)[-1])


def resolved(text: str, values: dict[str, str] | None = None) -> str:
    """Replace the variables of a text by their values or defaults.

    A variable that has neither is removed: `api:${TAG}` still names the image.
    """
    known = values or {}

    def value(match: re.Match[str]) -> str:
        """Return a known variable's value, or its default."""
        found = known.get(match[1] or match[3])
        return found if found is not None else (match[2] or "")

    return _VARIABLE.sub(value, text[:1000])


def fact(concept: str, parent: str, dimension: str, *, is_isa: bool = False) -> str:
    """Return a relation as a fact; empty if a name has no token, or both are equal."""
    one, other = name(concept), name(parent)
    if not one or not other or one == other:
        return ""
    return str(Triple(one, other, dimension, is_isa))


def relation(
    rule: str, content: str, span: tuple[int, int], held: str = ""
) -> ExtractorFinding:
    """Return a finding of a structural extractor."""
    content = " ".join(content.split())[:CONTENT_CHARACTERS_MAX]
    return ExtractorFinding(MemoryType.COMPONENT, content, rule, PRIOR, span, held)


def listed(parts: Sequence[str]) -> str:
    """Return parts of a sentence as one: "a, b and c"."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def placed(called: str, source: ExtractionSource) -> str:
    """Return a name with the directory of its file, if that is below another one.

    Several parts of a repository may have a `backend`.
    """
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
            or size > CONTENT_CHARACTERS_MAX - 2 * NAME_CHARACTERS_MAX
        ):
            yield listed
            listed, size = [], len(other) + 2
        listed.append(other)
    if listed:
        yield listed


def one_parent_each(found: Sequence[ExtractorFinding]) -> list[ExtractorFinding]:
    """Return the findings of a file, without facts that conflict with each other."""
    parents: dict[tuple[str, str], set[str]] = {}
    for each in found:
        if each.fact:
            triple = parse_fact(each.fact)
            key = triple.concept, triple.dimension
            parents.setdefault(key, set()).add(triple.parent)
    return [_alone(each, parents) for each in found]


def _alone(
    found: ExtractorFinding, parents: dict[tuple[str, str], set[str]]
) -> ExtractorFinding:
    if not found.fact:
        return found
    triple = parse_fact(found.fact)
    if len(parents[triple.concept, triple.dimension]) == 1:
        return found
    return ExtractorFinding(
        found.type, found.content, found.rule, found.prior, found.span
    )


def subject(source: ExtractionSource) -> str:
    """Return the subject of a file that names none: its directory, else the project."""
    for directory in reversed(_directories(source)):
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
