"""Extractor of Compose files: services, their images and their dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from festinger.core.graph.proposal import MEMBERSHIP
from festinger.core.language.cues.patterns import RUNS_ON
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.structure.relations import (
    TECH,
    base,
    dependencies,
    fact,
    image_name,
    one_parent_each,
    relation,
    resolved,
    subject,
)
from festinger.core.review.structure.trees import TreeNode, read_yaml
from festinger.errors import UnreadableFile

EXTRACTOR_VERSION = "0.1.0"

_FILE = re.compile(r"(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml")


class Compose:
    """Extractor of `compose.yaml` and `docker-compose.yml`."""

    name = "compose"
    version = EXTRACTOR_VERSION
    whole = True

    def wants(self, path: str) -> bool:
        """Return True for Compose files, including those for an environment."""
        return _FILE.fullmatch(base(path)) is not None

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the services of the file, as relations.

        The project is the file's own `name`, else the source's project, else its
        directory, as in Compose.

        Raises:
            UnreadableFile: It is no YAML, or no mapping.
        """
        found: list[ExtractorFinding] = []
        for document in read_yaml(source.text):
            if document.items or document.text:
                raise UnreadableFile(
                    "no compose file: it has no mapping of services", 1
                )
            named = resolved(document.get("name").text)
            project = named or source.project or subject(source)
            services = document.get("services")
            for service, node in services.fields.items():
                if not service.startswith("x-"):
                    span = services.keys[service]
                    found.extend(_service(service, node, project, span))
        return one_parent_each(found)


def _service(
    service: str, node: TreeNode, project: str, span: tuple[int, int]
) -> Iterator[ExtractorFinding]:
    if project:
        held = fact(service, project, MEMBERSHIP)
        yield relation(
            "compose.service", f"{service} is a service of {project}", span, held
        )
    else:
        yield relation("compose.service", f"{service} is a Compose service", span)
    held = fact(service, "docker", RUNS_ON)
    yield relation("compose.host", f"{service} runs on Docker", span, held)
    image = node.get("image")
    if image.text:
        # With `build`, the image is the result, and not what the service is made with.
        built = "build" in node.fields
        held = "" if built else fact(service, image_name(image.text), TECH)
        content = f"{service} uses the image {image.text}"
        yield relation("compose.image", content, (image.start, image.end), held)
    needed = _needed(node)
    if needed:
        where = node.keys.get("depends_on") or node.keys.get("links") or span
        yield from dependencies("compose.depends", service, needed, where)


def _needed(node: TreeNode) -> list[str]:
    """Return the dependencies of a service, including the services of its links."""
    depends = node.get("depends_on")
    links = [link.split(":", 1)[0] for link in node.get("links").texts()]
    return [*depends.fields, *depends.texts(), *links]
