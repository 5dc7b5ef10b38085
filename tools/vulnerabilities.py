"""Look up the known vulnerabilities of what the locks pin, by pip-audit.

`python -m tools.vulnerabilities PIP_AUDIT` fails at a vulnerability. pip-audit succeeds
as well where its service knows no package, as behind a mirror of the index: then this
says that nothing was audited, and fails with `--require`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

LOCKS: Final = Path(__file__).parents[1] / "requirements"
AUDITED: Final = ("runtime.lock", "dev.lock")
SECONDS_MAX: Final = 300


def found(dependencies: Iterable[dict[str, Any]]) -> list[str]:
    """Return a line for each vulnerability in a report of pip-audit."""
    return [
        f"{it['name']} {it['version']}: {each['id']}, mended in "
        f"{', '.join(each['fix_versions']) or 'no version'}"
        for it in dependencies
        for each in it.get("vulns", ())
    ]


def unknown(dependencies: Iterable[dict[str, Any]]) -> list[str]:
    """Return the names of the packages that could not be audited."""
    return [it["name"] for it in dependencies if "skip_reason" in it]


def report(program: str, lock: Path) -> list[dict[str, Any]]:
    """Return pip-audit's report about a lock, by package.

    Raises:
        RuntimeError: It has none, as without a network.
    """
    done = subprocess.run(
        [
            *(program, "--requirement", lock, "--require-hashes", "--disable-pip"),
            *("--format", "json", "--progress-spinner", "off"),
        ],
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    if not done.stdout:
        raise RuntimeError(done.stderr.strip())
    dependencies: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    return dependencies


def main(arguments: Sequence[str]) -> int:
    """Audit the locks and print what was found; return the exit code."""
    program, *options = arguments
    is_audited, vulnerable = True, False
    for name in AUDITED:
        try:
            dependencies = report(program, LOCKS / name)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"NOT AUDITED: {name}: {error}")
            is_audited = False
            continue
        lines, missing = found(dependencies), unknown(dependencies)
        vulnerable |= bool(lines)
        is_audited &= not missing
        print(*lines, sep="\n", end="\n" if lines else "")
        print(
            f"{name}: {len(lines)} vulnerabilities in "
            f"{len(dependencies) - len(missing)} packages"
        )
        if missing:
            print(
                f"NOT AUDITED: {len(missing)} packages that the service does not know"
            )
    return int(vulnerable or (not is_audited and "--require" in options))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
