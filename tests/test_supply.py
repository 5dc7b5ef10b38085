"""Dependencies of Festinger, and its confinement where it runs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tools import sbom, vulnerabilities

ROOT = Path(__file__).parents[1]
SERVICES = {
    f"{file}: {name}": service
    for file in ("compose.yaml", "deploy/compose.yaml")
    for name, service in yaml.safe_load((ROOT / file).read_text())["services"].items()
}
EXPOSURE_MAX = 2.0
"""Of ten, by `systemd-analyze security`."""


def test_every_package_has_a_permitted_licence():
    """A new dependency with another one is noticed before it is shipped."""
    assert sbom.refused(sbom.components(sbom.LOCK.read_text())) == []


@pytest.mark.parametrize(
    ("dependency", "required", "code", "said"),
    [
        ({"name": "a", "version": "1", "vulns": []}, True, 0, "0 vulnerabilities in 1"),
        (
            {
                "name": "a",
                "version": "1",
                "vulns": [{"id": "X-1", "fix_versions": ["2"]}],
            },
            False,
            1,
            "a 1: X-1, mended in 2",
        ),
        (
            {"name": "a", "skip_reason": "not found"},
            False,
            0,
            "NOT AUDITED: 1 packages",
        ),
        ({"name": "a", "skip_reason": "not found"}, True, 1, "NOT AUDITED: 1 packages"),
    ],
)
def test_audit_says_what_it_could_not_look_up(
    tmp_path, capsys, dependency, required, code, said
):
    """
    A vulnerability fails the audit; what the service does not know is no success that
    anybody could mistake, and fails where the audit is required.
    """
    program = tmp_path / "pip-audit"
    report = json.dumps({"dependencies": [dependency]})
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{report}\nEND\n")
    program.chmod(0o755)

    ended = vulnerabilities.main([str(program)] + ["--require"] * required)

    assert ended == code
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("licence", "permitted"),
    [
        ("MIT", True),
        ("GNU Lesser General Public License v2 or later (LGPLv2+)", True),
        ("GNU General Public License v3 (GPLv3)", False),
        ("AGPL-3.0-only", False),
        ("unknown", False),
    ],
)
def test_licence_is_judged(licence, permitted):
    """A licence that nobody permitted is refused, and one that cannot be found out too."""
    component = {"name": "x", "licenses": [{"license": {"name": licence}}]}

    assert (sbom.refused([component]) == []) is permitted


def test_bill_of_materials_lists_the_lock(tmp_path):
    """Every locked package with its version and hashes."""
    assert sbom.main([str(tmp_path / "sbom.json")]) == 0

    bill = json.loads((tmp_path / "sbom.json").read_text())
    pins = re.findall(r"^[a-z0-9][^=\s]*==[^\s;]+", sbom.LOCK.read_text(), re.MULTILINE)
    assert [f"{it['name']}=={it['version']}" for it in bill["components"]] == pins
    assert all(it["hashes"] for it in bill["components"])


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_container_is_confined(name):
    """It writes to its volumes only, and has no right that it does not need."""
    service = SERVICES[name]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert name.endswith("postgres") or "cap_add" not in service


def test_image_runs_as_nobody_special():
    """The last user that the Dockerfile names is not root."""
    users = re.findall(r"^USER (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)

    assert users[-1] == "10001:10001"


def test_unit_is_sandboxed():
    """By systemd's own measure it is among the little exposed."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze")
    unit = ROOT / "deploy" / "systemd" / "festinger.service"
    said = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", unit],
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    found = re.search(r"exposure level for \S+: ([\d.]+)", said)
    assert found
    assert float(found[1]) <= EXPOSURE_MAX
