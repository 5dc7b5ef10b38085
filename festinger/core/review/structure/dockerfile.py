"""Extractor of Dockerfiles: the base images of all stages, and the exposed ports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.structure.relations import (
    TECH,
    base,
    fact,
    image_name,
    listed,
    placed,
    relation,
    resolved,
    subject,
)
from festinger.core.system.wordsets import word_set
from festinger.errors import UnreadableFile

EXTRACTOR_VERSION = "0.2.0"

_FILE = re.compile(
    # "dockerfile.py" is a program about Dockerfiles.
    r"(?:docker|container)file(?!\.(?:py|go|js|ts|rs|rb|java|sh|md|json|ya?ml)$)"
    r"(?:\.[\w.-]+)?|[\w-]+\.(?:docker|container)file"
)
# Endings that say which variant it is, and not what: "Dockerfile.prod".
_ENVIRONMENTS = word_set("""
    alpine base ci debug dev development local prod production release staging test
""")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_INSTRUCTION = re.compile(r"\s*([A-Za-z]+)(?:\s+(.*))?", re.DOTALL)
# "# escape=`", for Windows paths.
_ESCAPE = re.compile(r"#\s*escape\s*=\s*(\S)", re.IGNORECASE)
_HEREDOC = re.compile(r"<<-?([\"']?)(\w+)\1")  # "RUN <<EOF": what follows is a script
# Generic base systems, which are not the technology that an image is made with.
_SYSTEMS = word_set("""
    alpine amazonlinux archlinux busybox centos debian distroless fedora static
    rockylinux ubi8 ubi9 ubi-minimal ubuntu wolfi-base base base-debian12 scratch
    static-debian12 buildpack-deps
""")


@dataclass(frozen=True, slots=True)
class _Instruction:
    word: str
    rest: str
    line: int
    span: tuple[int, int]


class Dockerfile:
    """Extractor of `Dockerfile`, `Dockerfile.worker`, `worker.Dockerfile`, etc."""

    name = "dockerfile"
    version = EXTRACTOR_VERSION
    whole = True

    def wants(self, path: str) -> bool:
        """Return True for Dockerfiles and Containerfiles."""
        return _FILE.fullmatch(base(path)) is not None

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the base images and the exposed ports, as one finding.

        Raises:
            UnreadableFile: There is no FROM, or an instruction other than ARG is before
                it.
        """
        instructions = list(_instructions(source.text))
        called, bases = _called(source), _bases(instructions)
        ports = _ports(instructions)
        details = [
            bases and f"is built from {', '.join(bases)}",
            ports and f"exposes port {', '.join(ports)}",
        ]
        if not called or not any(details):
            return ()
        names = {image_name(image) for image in bases}
        place = placed(called, source)
        # A fact only for a single base that is more than an operating system, and a unique name.
        is_single = place == called and len(names) == 1 and not names & _SYSTEMS
        held = fact(called, names.pop(), TECH) if is_single else ""
        content = f"{place} {listed([str(it) for it in details if it])}"
        first = next(iter(bases.values()), (0, 0))
        return [relation("dockerfile.from", content, first, held)]


def _called(source: ExtractionSource) -> str:
    parts = base(source.path).split(".")
    for part in parts:  # "worker.Dockerfile" and "Dockerfile.worker"
        if part not in ("dockerfile", "containerfile") and part not in _ENVIRONMENTS:
            return part
    return subject(source)


def _bases(instructions: Sequence[_Instruction]) -> dict[str, tuple[int, int]]:
    """Return the base images of all stages, each with its place."""
    values: dict[str, str] = {}
    stages: set[str] = set()
    bases: dict[str, tuple[int, int]] = {}
    for each in instructions:
        # Only an ARG before the first FROM can be used in it.
        if each.word == "ARG" and not bases and not stages:
            key, _, value = each.rest.partition("=")
            values[key.strip()] = value.strip().strip("\"'")
        elif each.word == "FROM":
            image, stage = _from(each)
            image = resolved(image, values)
            # Other stages, `scratch` and unresolved names are no base images.
            if image.lower() not in stages and image.lower() != "scratch" and image:
                bases.setdefault(image, each.span)
            # Nameless stages are called by their number.
            stages.add(stage.lower() or f"{len(stages)}")
        elif not stages:
            raise UnreadableFile(
                f"no Dockerfile: {each.word[:20]} stands before FROM", each.line
            )
    if not stages:
        raise UnreadableFile("no Dockerfile: there is no FROM")
    return bases


def _from(instruction: _Instruction) -> tuple[str, str]:
    """Return the image of a FROM and the name of its stage, which may be empty."""
    # "--platform=…" comes before the image.
    words = [it for it in instruction.rest.split() if not it.startswith("--")]
    if not words:
        raise UnreadableFile("no Dockerfile: FROM names no image", instruction.line)
    named = len(words) == 3 and words[1].lower() == "as"
    return words[0], words[2] if named else ""


def _ports(instructions: Sequence[_Instruction]) -> list[str]:
    exposed = [each for each in instructions if each.word == "EXPOSE"]
    ports = [port for each in exposed for port in resolved(each.rest).split()]
    return list(dict.fromkeys(ports))


def _instructions(text: str) -> Iterator[_Instruction]:
    """Yield the instructions, with continued lines joined and without comments."""
    escape, here = "\\", ""
    parts: list[str] = []
    start = first = 0
    lines = list(_LINE.finditer(text))
    for number, match in enumerate(lines, start=1):
        line = match[0].strip().removeprefix("\ufeff")
        if here:  # within a here-document, whose lines are no instructions
            here = "" if line == here else here
            continue
        if directive := _ESCAPE.fullmatch(line):
            escape = directive[1]
        if line.startswith("#") or (not line and number < len(lines)):
            continue
        if not parts:
            start, first = match.start(), number
        parts.append(line.removesuffix(escape))  # continued lines are joined
        if line.endswith(escape) and number < len(lines):
            continue
        if whole := " ".join(parts).strip():
            span = start, match.start() + len(match[0].rstrip())
            yield (found := _instruction(whole, first, span))
            here = _heredoc(found)
        parts = []


def _instruction(whole: str, line: int, span: tuple[int, int]) -> _Instruction:
    found = _INSTRUCTION.fullmatch(whole)
    if found is None:
        raise UnreadableFile(f"no Dockerfile: {whole[:40]!r} is no instruction", line)
    return _Instruction(found[1].upper(), (found[2] or "").strip(), line, span)


def _heredoc(instruction: _Instruction) -> str:
    """Return the word that ends a here-document; empty if none begins."""
    if instruction.word not in ("RUN", "COPY", "ADD"):
        return ""
    found = _HEREDOC.search(instruction.rest)
    return found[2] if found else ""
