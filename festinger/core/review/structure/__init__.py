"""Extractors of structured files, such as manifests, each in a module of its own."""

from __future__ import annotations

from festinger.core.review.extractors import Extractor
from festinger.core.review.structure.backstage import Backstage
from festinger.core.review.structure.codeowners import Codeowners
from festinger.core.review.structure.compose import Compose
from festinger.core.review.structure.dockerfile import Dockerfile
from festinger.core.review.structure.kubernetes import Kubernetes
from festinger.core.review.structure.package_json import PackageJson
from festinger.core.review.structure.pyproject import Pyproject


def extractors() -> tuple[Extractor, ...]:
    """Return one extractor for each kind of file."""
    return (
        Compose(),
        Kubernetes(),
        Dockerfile(),
        Codeowners(),
        Pyproject(),
        PackageJson(),
        Backstage(),
    )
