"""Extractor of Compose files: what each service is made of, and what it needs.

That something is a service, and runs on Docker, goes without saying.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from festinger.core.graph.proposal import MEMBERSHIP
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.structure.relations import (
    DEPENDS_ON,
    NAME_CHARACTERS_MAX,
    NAMES_MAX,
    TECH,
    base,
    fact,
    image_name,
    listed,
    one_parent_each,
    relation,
    resolved,
    subject,
)
from festinger.core.review.structure.trees import TreeNode, read_yaml
from festinger.errors import UnreadableFile

EXTRACTOR_VERSION = "0.3.0"

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
        """Return the services of the file, each with what is said of it."""
        found: list[ExtractorFinding] = []
        for document in read_yaml(source.text):
            if document.items or document.text:  # a list or a word is no Compose file
                raise UnreadableFile(
                    "no compose file: it has no mapping of services", 1
                )
            # As Compose does: the file's own `name`, else its directory, else the source's project.
            project = resolved(document.get("name").text) or subject(source)
            # The `db` of a part of a project is not the `db` of all of it.
            named = project == source.project or not source.project
            services = document.get("services")
            for service, node in services.fields.items():
                if not service.startswith("x-"):  # extension fields, shared by anchors
                    span = services.keys[service]
                    found.extend(_service(service, node, project, span, named=named))
        return one_parent_each(found)


def _service(
    service: str, node: TreeNode, project: str, span: tuple[int, int], *, named: bool
) -> list[ExtractorFinding]:
    """Return what is said of a service; nothing if that is only its name.

    Args:
        named: Whether its name means this service in the whole project.
    """
    image, build, needed = node.get("image").text, _built_from(node), _needed(node)
    ports = node.get("ports").texts()
    details = [
        image and f"uses the image {image[:NAME_CHARACTERS_MAX]}",
        build and f"is built from {build[:NAME_CHARACTERS_MAX]}",
        needed and f"depends on {', '.join(needed[:NAMES_MAX])}",
        ports and f"publishes {', '.join(ports[:NAMES_MAX])}",
    ]
    # With `build`, the image is the result, and not what the service is made with.
    facts = [
        "" if build else fact(service, image_name(image), TECH),
        fact(service, needed[0], DEPENDS_ON) if len(needed) == 1 else "",
        fact(service, project, MEMBERSHIP),
    ]
    if not (image or needed or ports) and build.strip("./") in ("", service):
        return []  # it is built from the folder of its own name
    called = service[:NAME_CHARACTERS_MAX]
    called += f" of {project[:NAME_CHARACTERS_MAX]}" if project else ""
    if not (described := listed([str(each) for each in details if each])):
        return []
    # A finding has room for one fact: the first that there is.
    held = next((each for each in facts if each and named), "")
    return [relation("compose.service", f"{called} {described}", span, held)]


def _built_from(node: TreeNode) -> str:
    build = node.get("build")
    return build.text or build.get("context").text


def _needed(node: TreeNode) -> list[str]:
    """Return the dependencies of a service, including the services of its links."""
    depends = node.get("depends_on")
    links = [link.split(":", 1)[0] for link in node.get("links").texts()]
    # `depends_on` is a list, or a mapping with conditions.
    needed = [*depends.fields, *depends.texts(), *links]
    return list(dict.fromkeys(each[:NAME_CHARACTERS_MAX] for each in needed))
