"""Extractors of files whose form says what they mean.

One module for each kind of file; what they have in common is in `relations` (names,
facts) and `trees` (YAML, JSON and TOML that nobody can blow up).
"""

from __future__ import annotations

from festinger.core.promotion.extractors import Extractor
from festinger.core.promotion.structure.backstage import Backstage
from festinger.core.promotion.structure.codeowners import Codeowners
from festinger.core.promotion.structure.compose import Compose
from festinger.core.promotion.structure.dockerfile import Dockerfile
from festinger.core.promotion.structure.kubernetes import Kubernetes
from festinger.core.promotion.structure.package_json import PackageJson
from festinger.core.promotion.structure.pyproject import Pyproject


def extractors() -> tuple[Extractor, ...]:
    """One for each kind of file."""
    return (
        Compose(),
        Kubernetes(),
        Dockerfile(),
        Codeowners(),
        Pyproject(),
        PackageJson(),
        Backstage(),
    )
