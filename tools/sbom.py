"""The software bill of materials of what is installed with Festinger, as CycloneDX.

`python -m tools.sbom FILE` writes it from the lock and the installed packages, and fails
if one has a licence that nobody permitted.
"""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path
from typing import Any, Final

LOCK: Final = Path(__file__).parents[1] / "requirements" / "runtime.lock"
PERMITTED: Final = re.compile(
    r"mit\b|apache|bsd|psf|python software foundation|mpl|mozilla|cnri|isc\b"
    # Used as it is, as a package of its own.
    r"|lgpl|lesser general public",
    re.IGNORECASE,
)
"""Words in the names of licences under which a package may be shipped beside ours."""
READ: Final = {"locate": "MIT"}
"""Licences of packages whose metadata name none, as their file says."""

_PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==(\S+)(.*)$")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def components(lock: str) -> list[dict[str, Any]]:
    """Return the components of a lock file, those of other platforms without a licence."""
    found: list[dict[str, Any]] = []
    for line in lock.splitlines():
        if pin := _PIN.match(line):
            name, version, _ = pin.groups()
            component: dict[str, Any] = {
                "type": "library",
                "name": name,
                "version": version,
                "purl": f"pkg:pypi/{name}@{version}",
                "hashes": [],
            }
            if licence := licence_of(name):
                component["licenses"] = [{"license": {"name": licence}}]
            found.append(component)
        elif found:
            found[-1]["hashes"] += [
                {"alg": "SHA-256", "content": digest} for digest in _HASH.findall(line)
            ]
    return found


def licence_of(name: str) -> str:
    """Return what an installed package says its licence is; empty if not installed."""
    if name in READ:
        return READ[name]
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return ""
    return _expression(said) or "unknown"


def refused(found: list[dict[str, Any]]) -> list[str]:
    """Return the components whose licence is not permitted, with the licence."""
    named = (
        (it["name"], it["licenses"][0]["license"]["name"])
        for it in found
        if "licenses" in it
    )
    return [f"{name}: {licence}" for name, licence in named if not _permits(licence)]


def main(arguments: list[str]) -> int:
    """Write the file; return 1 if a licence is not permitted."""
    found = components(LOCK.read_text(encoding="utf-8"))
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "festinger"}},
        "components": found,
    }
    file = Path(arguments[0])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(bill, indent=1) + "\n", encoding="utf-8")
    for each in refused(found):
        print(f"not permitted: {each}", file=sys.stderr)
    return 1 if refused(found) else 0


def _permits(licence: str) -> bool:
    return bool(PERMITTED.search(licence)) and not re.search(
        r"\bA?GPL|(?<!lesser )general public", licence, re.IGNORECASE
    )


def _expression(said: PackageMetadata) -> str:
    """Return the licence's expression, else its classifiers, else its free text."""
    if "License-Expression" in said:
        return said["License-Expression"]
    classifiers = [
        it.rpartition("::")[2].strip()
        for it in said.get_all("Classifier") or ()
        if it.startswith("License ::")
    ]
    text = said["License"].partition("\n")[0] if "License" in said else ""
    return " AND ".join(classifiers) or ("" if text == "UNKNOWN" else text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
