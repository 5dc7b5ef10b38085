"""Extractor of Kubernetes manifests: workloads with images, services, ingresses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from festinger.core.graph.proposal import MEMBERSHIP
from festinger.core.language.cues.patterns import OWNED_BY, RUNS_ON
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.structure.relations import (
    TECH,
    base,
    dependencies,
    fact,
    image_name,
    one_parent_each,
    relation,
)
from festinger.core.review.structure.trees import TreeNode, read_yaml
from festinger.errors import UnreadableFile

EXTRACTOR_VERSION = "0.1.0"

HOSTS_CHARACTERS_MAX = 100

_POD = ("spec", "template", "spec")  # where the containers of a workload are described
_WORKLOADS = {
    "Deployment": _POD,
    "StatefulSet": _POD,
    "DaemonSet": _POD,
    "ReplicaSet": _POD,
    "Job": _POD,
    "CronJob": ("spec", "jobTemplate", *_POD),
    "Pod": ("spec",),
}
# Compose and Backstage have extractors of their own.
_OTHERS = ("docker-compose", "compose.", "compose-", "catalog-info")
_OWNERS = ("owner", "team")


class Kubernetes:
    """Extractor of manifests, also of several in a file or in a list."""

    name = "kubernetes"
    version = EXTRACTOR_VERSION
    whole = True

    def wants(self, path: str) -> bool:
        """Return True for YAML files that are not for another extractor."""
        file = base(path)
        return file.endswith((".yaml", ".yml")) and not file.startswith(_OTHERS)

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the objects of the file, as relations; none if it is no manifest.

        Raises:
            UnreadableFile: It looks like a manifest and is no YAML.
        """
        # The quick way: most YAML files of a repository are no manifests, and are no error.
        if "apiVersion" not in source.text:
            return ()
        try:
            documents = read_yaml(source.text)
        except UnreadableFile as error:
            # Helm's templates are no YAML before they are rendered.
            if "{{" in source.text:
                raise UnreadableFile(
                    "it is a template with {{ … }}: render it first", error.line
                ) from None
            raise
        found: list[ExtractorFinding] = []
        for document in documents:
            several = document.get("kind").text.endswith("List")
            for each in document.get("items").items if several else [document]:
                found.extend(_object(each))
        return one_parent_each(found)


def _object(node: TreeNode) -> Iterator[ExtractorFinding]:
    kind, named = node.get("kind").text, node.get("metadata", "name")
    if not named.text or not node.get("apiVersion").text:
        return
    span = named.start, named.end
    if kind in _WORKLOADS:
        yield from _workload(node, kind, named.text, span)
    elif kind == "Service":
        yield from _service(node, named.text, span)
    elif kind == "Ingress":
        yield from _ingress(node, named.text, span)
    else:
        return
    yield from _labels(node, named.text)


def _workload(
    node: TreeNode, kind: str, named: str, span: tuple[int, int]
) -> Iterator[ExtractorFinding]:
    schedule = node.get("spec", "schedule").text  # of a CronJob only
    when = f" ({schedule})" if schedule else ""
    held = fact(named, "kubernetes", RUNS_ON)
    content = f"{named} is a {kind}{when} and runs on Kubernetes{_namespace(node)}"
    yield relation("kubernetes.workload", content, span, held)
    pod = node.get(*_WORKLOADS[kind])
    seen: set[str] = set()  # an image in several containers is told once
    for listed in ("initContainers", "containers"):
        for container in pod.get(listed).items:
            image = container.get("image")
            if not image.text or image.text in seen:
                continue
            seen.add(image.text)
            # An init container only prepares a pod: its image is no fact.
            main = listed == "containers"
            held = fact(named, image_name(image.text), TECH) if main else ""
            content = f"{named} uses the image {image.text}"
            where = image.start, image.end
            yield relation("kubernetes.image", content, where, held)


def _service(
    node: TreeNode, named: str, span: tuple[int, int]
) -> Iterator[ExtractorFinding]:
    selected = node.get("spec", "selector").fields
    pairs = ", ".join(f"{key}={value.text}" for key, value in selected.items())
    to = f" in front of {pairs}" if pairs else ""
    ports = [
        port.get("port").text
        for port in node.get("spec", "ports").items
        if port.get("port").text
    ]
    at = f" on port {', '.join(ports)}" if ports else ""
    content = f"{named} is a Service{to}{at}{_namespace(node)}"
    yield relation("kubernetes.service", content, span)


def _ingress(
    node: TreeNode, named: str, span: tuple[int, int]
) -> Iterator[ExtractorFinding]:
    spec = node.get("spec")
    hosts: list[str] = []
    backends = [spec.get("defaultBackend"), spec.get("backend")]
    for rule in spec.get("rules").items:
        hosts.append(rule.get("host").text)
        paths = rule.get("http", "paths").items
        backends.extend(path.get("backend") for path in paths)
    # `serviceName` is the older form, before networking.k8s.io/v1.
    services = [
        each.get("service", "name").text or each.get("serviceName").text
        for each in backends
    ]
    known = [each for each in services if each]
    of = ", ".join(host for host in dict.fromkeys(hosts) if host)[:HOSTS_CHARACTERS_MAX]
    if known:
        verb = f"routes {of} to" if of else "routes to"
        yield from dependencies("kubernetes.ingress", named, known, span, verb=verb)


def _labels(node: TreeNode, named: str) -> Iterator[ExtractorFinding]:
    labels = node.get("metadata", "labels")
    whole = labels.get("app.kubernetes.io/part-of")
    if whole.text:
        held = fact(named, whole.text, MEMBERSHIP)
        content = f"{named} is part of {whole.text}"
        yield relation("kubernetes.part", content, (whole.start, whole.end), held)
    for label in _OWNERS:
        owner = labels.get(label)
        if owner.text:
            held = fact(named, owner.text, OWNED_BY)
            content = f"{named} is owned by {owner.text}"
            yield relation("kubernetes.owner", content, (owner.start, owner.end), held)
            return  # one owner: ownership has a single place


def _namespace(node: TreeNode) -> str:
    namespace = node.get("metadata", "namespace").text
    return f" in the namespace {namespace}" if namespace else ""
