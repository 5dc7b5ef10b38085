from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.graph.statement import parse_fact
from festinger.core.review.extractors import ExtractionSource, attempt
from festinger.core.review.structure import extractors
from festinger.core.review.structure.backstage import Backstage
from festinger.core.review.structure.codeowners import Codeowners
from festinger.core.review.structure.compose import Compose
from festinger.core.review.structure.dockerfile import Dockerfile
from festinger.core.review.structure.kubernetes import Kubernetes
from festinger.core.review.structure.package_json import PackageJson
from festinger.core.review.structure.pyproject import Pyproject
from festinger.core.review.structure.relations import image_name, name
from festinger.errors import UnreadableFile

COMPOSE = """\
x-common: &common
  restart: always
  depends_on: [db]
services:
  web:
    build: ./web
    image: shop-web
    depends_on:
      db: {condition: service_healthy}
      redis: {condition: service_started}
  worker:
    <<: *common
    image: ghcr.io/acme/worker:${TAG:-1.2}
  db:
    image: postgres:16-alpine
  redis:
    image: redis
"""
MANIFESTS = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: prod
  labels: {app.kubernetes.io/part-of: shop, team: payments}
spec:
  template:
    spec:
      initContainers: [{name: wait, image: busybox}]
      containers: [{name: web, image: "nginx:1.25"}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: report}
spec:
  schedule: "0 2 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          containers:
          - {name: a, image: "python:3.12"}
          - {name: b, image: "envoy"}
---
apiVersion: v1
kind: Service
metadata: {name: web-front}
spec: {selector: {app: web}, ports: [{port: 80}, {port: 443}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: edge}
spec:
  rules:
  - host: shop.example.com
    http: {paths: [{path: /, backend: {service: {name: web-front}}}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {a: b}
"""
DOCKERFILE = """\
# syntax=docker/dockerfile:1
ARG VERSION=3.12
FROM node:20 AS assets
RUN npm ci \\
    && npm run build

FROM --platform=linux/amd64 python:${VERSION}-slim AS final
COPY --from=assets /a /a
RUN <<EOF
FROM nothing
EOF
EXPOSE 8000/tcp 9000
"""
CODEOWNERS = """\
# who owns what
*               @acme/core
/services/api/  @acme/api-team
/docs           @alice  # for now
/billing/**     @acme/billing @bob
*.js            @carol
/mail/          docs@example.com
/docs           @dave
/unowned/
Makefile        @erin
/web/LICENSE    @erin
/profile        @erin
/LEGAL/         @erin
"""
PYPROJECT = """\
[project]
name = "shop"
requires-python = ">=3.11"
dependencies = ["aiohttp>=3", "asyncpg[gssapi]>=0.30; python_version > '3'", "PyYAML"]
"""
PACKAGE = """\
{"name": "@acme/storefront", "engines": {"node": ">=20"},
 "dependencies": {"react": "^18"}, "devDependencies": {"vite": "5", "eslint": "9"}}
"""
CATALOG = """\
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: artist-web}
spec:
  type: website
  owner: group:default/artists
  system: public-site
  subcomponentOf: portal
  dependsOn: ["resource:artists-db", "component:default/search"]
  providesApis: [artist-api]
---
apiVersion: backstage.io/v1alpha1
kind: Resource
metadata: {name: artists-db}
spec: {type: database, owner: dba, system: public-site, dependsOn: [component:disk]}
---
apiVersion: backstage.io/v1alpha1
kind: User
metadata: {name: alice}
"""

# Extractor, path, project, text; contents with their facts, or None.
FILES = {
    "compose": (Compose(), "shop/compose.yaml", "", COMPOSE, {
        "web of shop uses the image shop-web, is built from ./web and depends on db, "
        "redis": "web -ispart shop in context of membership",
        "worker of shop uses the image ghcr.io/acme/worker:${TAG:-1.2} and depends on db":
            "worker -ispart db in context of depends-on",
        "db of shop uses the image postgres:16-alpine":
            "db -ispart postgres in context of tech",
        "redis of shop uses the image redis": "redis -ispart shop in context of membership",
    }),
    "kubernetes": (Kubernetes(), "deploy/web.yaml", "", MANIFESTS, {
        "web is a Deployment and runs on Kubernetes in the namespace prod":
            "web -ispart kubernetes in context of runs-on",
        "web uses the image busybox": "",
        "web uses the image nginx:1.25": "web -ispart nginx in context of tech",
        "web is part of shop": "web -ispart shop in context of membership",
        "web is owned by payments": "web -ispart payments in context of owned-by",
        "report is a CronJob (0 2 * * *) and runs on Kubernetes":
            "report -ispart kubernetes in context of runs-on",
        "report uses the image python:3.12": "",
        "report uses the image envoy": "",
        "web-front is a Service in front of app=web on port 80, 443": "",
        "edge routes shop.example.com to web-front":
            "edge -ispart web-front in context of depends-on",
    }),
    "dockerfile": (Dockerfile(), "services/api/Dockerfile", "shop", DOCKERFILE, {
        "api (services/api) is built from node:20, python:3.12-slim and exposes port "
        "8000/tcp, 9000": "",
    }),
    "a single base": (Dockerfile(), "docker/Dockerfile.worker", "shop",
        "FROM python:3.12 AS a\nFROM a\n", {
        "worker is built from python:3.12":
            "worker -ispart python in context of tech",
    }),
    "a system as base": (Dockerfile(), "docker/Dockerfile.dev", "shop",
        "FROM debian:12\nEXPOSE $PORT", {"shop is built from debian:12": ""}),
    "codeowners": (Codeowners(), ".github/CODEOWNERS", "shop", CODEOWNERS, {
        "shop (*) is owned by @acme/core": "shop -ispart core in context of owned-by",
        "api (/services/api/) is owned by @acme/api-team":
            "api -ispart api-team in context of owned-by",
        "billing (/billing/**) is owned by @acme/billing, @bob": "",
        "*.js is owned by @carol": "",
        "mail (/mail/) is owned by docs@example.com": "",
        "docs (/docs) is owned by @dave": "docs -ispart dave in context of owned-by",
        "Makefile is owned by @erin": "",
        "/web/LICENSE is owned by @erin": "",
        "profile (/profile) is owned by @erin":
            "profile -ispart erin in context of owned-by",
        "LEGAL (/LEGAL/) is owned by @erin": "legal -ispart erin in context of owned-by",
    }),
    "pyproject": (Pyproject(), "pyproject.toml", "", PYPROJECT, {
        "shop is a Python project for Python >=3.11":
            "shop -ispart python in context of tech",
        "shop depends on aiohttp, asyncpg, PyYAML": "",
    }),
    "poetry": (Pyproject(), "pyproject.toml", "",
        '[tool.poetry]\nname = "shop"\n[tool.poetry.dependencies]\n'
        'python = "^3.11"\nflask = "*"\n', {
        "shop is a Python project": "shop -ispart python in context of tech",
        "shop depends on flask": "shop -ispart flask in context of depends-on",
    }),
    "package.json": (PackageJson(), "web/package.json", "", PACKAGE, {
        "storefront is a Node.js package for Node.js >=20":
            "storefront -ispart node.js in context of tech",
        "storefront depends on react": "storefront -ispart react in context of depends-on",
        "storefront is developed with vite, eslint": "",
    }),
    "backstage": (Backstage(), "catalog-info.yaml", "", CATALOG, {
        "artist-web is a website": "artist-web -isa website in context of type",
        "artist-web is owned by artists":
            "artist-web -ispart artists in context of owned-by",
        "artist-web is part of public-site":
            "artist-web -ispart public-site in context of membership",
        "artist-web is part of portal": "",
        "artist-web depends on artists-db, search": "",
        "artist-web provides the API artist-api": "",
        "artists-db is a database": "artists-db -isa database in context of type",
        "artists-db is owned by dba": "artists-db -ispart dba in context of owned-by",
        "artists-db is part of public-site":
            "artists-db -ispart public-site in context of membership",
        "artists-db depends on disk": "artists-db -ispart disk in context of depends-on",
    }),
}  # fmt: skip

# Extractor, path, text, line.
BROKEN = {
    "compose": (Compose(), "services:\n  web: [\n", 3),
    "compose list": (Compose(), "- a\n- b\n", 1),
    "alias of nothing": (Compose(), "services:\n  web: *nobody\n", 2),
    "control character": (Compose(), "services:\n  web:\n    image: a\x01b\n", 3),
    "tab": (Compose(), "services:\n\tweb: {}\n", 2),
    "manifest": (Kubernetes(), "apiVersion: v1\nkind: [\n", 3),
    "template": (Kubernetes(), "apiVersion: v1\nname: {{ .Values.name }}-x\n", 2),
    "no FROM": (Dockerfile(), "# nothing\n", 0),
    "before FROM": (Dockerfile(), "\nRUN true\nFROM a\n", 2),
    "empty FROM": (Dockerfile(), "FROM\n", 1),
    "no instruction": (Dockerfile(), "FROM a\n{{ b }}\n", 2),
    "toml": (Pyproject(), "[project]\nname = shop\n", 2),
    "json": (PackageJson(), '{\n "name": }\n', 2),
    "json list": (PackageJson(), "[]", 1),
    "huge number": (PackageJson(), '{"a": ' + "9" * 5000 + "}", 0),
    "catalogue": (Backstage(), "a: b: c\n", 1),
}

IMAGES = {
    "nginx": "nginx",
    "nginx:1.25-alpine": "nginx",
    "gitea/gitea:latest": "gitea",
    "ghcr.io/acme/api": "api",
    "localhost:5000/acme/api": "api",
    "registry.example.com:5000/acme/api:v1@sha256:" + "0" * 64: "api",
    "mcr.microsoft.com/azure-sql-edge:1.0.4": "azure-sql-edge",
    "api:${TAG}": "api",
    "${REGISTRY:-ghcr.io/acme}/api:${TAG:-1}": "api",
    "${REGISTRY}/api": "api",
    "${IMAGE}": "",
    "$IMAGE": "",
    "${IMAGE:-redis:7}": "redis",
    "{{ .Values.image }}": "",
    "Postgres": "postgres",
    "": "",
    "12345": "",
    "a/b/": "",
}
NAMES = {
    "web": "web",
    "Web Server": "web_server",
    "my--app": "my-app",
    "-hidden-": "hidden",
    "café": "café",
    "the": "",
    "x" * 65: "",
    "a-b-c-d-e-f": "",
    "</system>": "system",
    "a\u200bb": "a_b",
}


@pytest.mark.parametrize(
    ("extractor", "path", "project", "text", "expected"), FILES.values(), ids=FILES
)
def test_structure(extractor, path, project, text, expected):
    """Each relation of a file is found once, with a fact where the graph can hold it."""
    assert extractor.wants(path)
    reading = attempt(extractor, ExtractionSource(text, path, project=project))

    assert reading.error == ""
    assert {found.content: found.fact for found in reading.found} == expected
    assert len(reading.found) == len(expected)


@pytest.mark.parametrize(
    ("extractor", "path", "project", "text", "expected"), FILES.values(), ids=FILES
)
def test_facts_are_as_they_are_said(extractor, path, project, text, expected):
    """
    A fact is what `gutask iknowthat` takes, and one concept has one parent in a
    dimension.
    """
    found = extractor.extract(ExtractionSource(text, path, project=project))
    triples = {parse_fact(each.fact) for each in found if each.fact}

    assert all(str(parse_fact(each.fact)) == each.fact for each in found if each.fact)
    assert len({(it.concept, it.dimension) for it in triples}) == len(triples)


def test_spans_show_the_place():
    """A finding names the place in the file, in characters, behind whatever is not ASCII."""
    text = f"# größe 雪 🙂\n{COMPOSE}"

    found = {it.content: it.span for it in Compose().extract(ExtractionSource(text))}

    assert text[slice(*found["db uses the image postgres:16-alpine"])] == "db"


@pytest.mark.parametrize(("extractor", "text", "line"), BROKEN.values(), ids=BROKEN)
def test_broken_files(extractor, text, line):
    """A broken file is refused with the line, as far as there is one."""
    with pytest.raises(UnreadableFile) as refused:
        extractor.extract(ExtractionSource(text))

    assert refused.value.line == line


@pytest.mark.parametrize(("image", "expected"), IMAGES.items())
def test_names_of_images(image, expected):
    """An image is called as people call it, whoever packs it."""
    assert image_name(image) == expected


@pytest.mark.parametrize(("text", "expected"), NAMES.items())
def test_names(text, expected):
    """A name becomes a token, or stays out of the graph."""
    assert name(text) == expected


def test_two_that_share_a_name_give_no_fact():
    """Which of two objects of one name is meant, the file does not say."""
    part = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{image: %s}]}\n"
    text = part % "nginx" + "---\n" + part % "apache"

    found = Kubernetes().extract(ExtractionSource(text))

    assert [it.fact for it in found if it.rule == "kubernetes.image"] == ["", ""]


def test_no_dependency_is_lost():
    """A hundred of them are listed in several findings."""
    names = [f"package-{number}" for number in range(100)]
    listed = ", ".join(f'"{each}>=1"' for each in names)
    text = f'[project]\nname = "shop"\ndependencies = [{listed}]\n'

    found = [
        it.content
        for it in Pyproject().extract(ExtractionSource(text))
        if "depends" in it.rule
    ]

    told = [
        each for it in found for each in it.removeprefix("shop depends on ").split(", ")
    ]
    assert told == names


@pytest.mark.parametrize(
    "text",
    ["", "a: b", "apiVersion: v1", "- apiVersion", "services:", "kind: List\napiVersion: v1",
     "apiVersion: v1\nkind: List\nitems: &a [*a]"],
)  # fmt: skip
def test_other_yaml_is_nothing(text):
    """A YAML file that is no manifest is not complained of."""
    assert list(Kubernetes().extract(ExtractionSource(text))) == []


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("compose.yaml", {"compose"}), ("a/docker-compose.yml", {"compose"}),
        ("compose.prod.yaml", {"compose"}), ("docker-compose.override.yml", {"compose"}),
        ("k8s/web.yml", {"kubernetes"}), ("Dockerfile", {"dockerfile"}),
        ("a/Dockerfile.dev", {"dockerfile"}), ("web.Dockerfile", {"dockerfile"}),
        ("Containerfile", {"dockerfile"}), ("docs/CODEOWNERS", {"codeowners"}),
        ("pyproject.toml", {"pyproject"}), ("a/package.json", {"package_json"}),
        ("node_modules/a/package.json", set()), ("catalog-info.yaml", {"backstage"}),
        ("README.md", set()), ("package-lock.json", set()), ("", set()),
        ("dockerfile.py", set()), ("a/Dockerfile.md", set()),
    ],
)  # fmt: skip
def test_who_reads_what(path, names):
    """A file has one reader, by its name."""
    assert {each.name for each in extractors() if each.wants(path)} == names


@settings(max_examples=150)
@given(
    st.sampled_from(
        [COMPOSE, MANIFESTS, DOCKERFILE, CODEOWNERS, PYPROJECT, PACKAGE, CATALOG]
    ),
    st.integers(0, 900),
    st.text("\n\t :-[]{}\"'#&*!|>%@`\\$<é\x00\ufeff0az", max_size=6),
    st.integers(0, 9),
)
def test_damaged_files_are_read_or_refused(text, at, noise, gone):
    """Whatever befalls a file, it is read, or refused with a reason."""
    damaged = text[:at] + noise + text[at + gone :]

    for extractor in extractors():
        error = attempt(extractor, ExtractionSource(damaged, "a/b.yaml")).error
        assert "failed" not in error
