"""The chart in `deploy/helm`, rendered with a real Helm."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from festinger import config

CHART = Path(__file__).parents[2] / "deploy" / "helm" / "festinger"
HELM = os.environ.get("FESTINGER_HELM") or shutil.which("helm")
VALIDATOR = os.environ.get("FESTINGER_KUBERNETES_VALIDATE") or shutil.which(
    "kubernetes-validate"
)
DATABASE = "database.secret=db"
SHARED = f"{DATABASE},replicas=2,tokens.secret=tokens,keys.secret=keys"

pytestmark = pytest.mark.skipif(
    HELM is None, reason="NO HELM: install it, or name it in FESTINGER_HELM"
)


def helm(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Return the output of Helm."""
    return subprocess.run(
        [str(HELM), *arguments], capture_output=True, text=True, check=False
    )


def render(values: str) -> str:
    """Return the resources of a release named `team`."""
    done = helm(
        *("template", "team", str(CHART), "--kube-version", "1.30.0"),
        *("--set", values),
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def resources(values: str) -> dict[str, Any]:
    """Return the resources by their kind."""
    return {it["kind"]: it for it in yaml.safe_load_all(render(values))}


def pod(values: str = DATABASE) -> Any:
    """Return the specification of a pod."""
    return resources(values)["StatefulSet"]["spec"]["template"]["spec"]


def test_the_chart_is_linted():
    """Helm has no fault to find, warnings included."""
    done = helm("lint", "--strict", str(CHART), "--set", DATABASE)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(
    VALIDATOR is None,
    reason="NO KUBERNETES-VALIDATE: install it, or name it in "
    "FESTINGER_KUBERNETES_VALIDATE",
)
@pytest.mark.parametrize("values", [DATABASE, SHARED])
def test_kubernetes_knows_each_field(values, tmp_path):
    """A rendered object has the shape that Kubernetes documents, and no further field."""
    (file := tmp_path / "rendered.yaml").write_text(render(values))

    done = subprocess.run(
        [str(VALIDATOR), "--strict", file], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("values", [DATABASE, SHARED])
def test_no_container_has_a_right_too_many(values):
    """None is root, writes outside of its volumes, gains rights, or may call Kubernetes."""
    found = pod(values)

    assert found["securityContext"]["runAsNonRoot"]
    assert found["automountServiceAccountToken"] is False
    for container in [*found.get("initContainers", []), *found["containers"]]:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert container["resources"]["limits"]["memory"]


def test_each_variable_is_a_setting():
    """The configuration of containers is understood, the Secrets' values included."""
    for container in pod(f"{SHARED},settings.FESTINGER_LOG__LEVEL=debug")["containers"]:
        given = {
            it["name"]: it.get("value", "postgresql://db") for it in container["env"]
        }
        given.pop("FESTINGER_KEYS", None)

        assert config.load(environment=given).log.level == "debug"


def test_secrets_are_named_only():
    """The DSN and the keys come from Secrets that somebody else made."""
    server, _ = pod(SHARED)["containers"]
    secret = {it["name"] for it in server["env"] if "valueFrom" in it}

    assert secret == {"FESTINGER_DSN", "FESTINGER_KEYS"}
    assert "Secret" not in resources(SHARED)


def test_a_memory_that_is_away_keeps_nobody_from_the_model():
    """The shim is in service as soon as it listens; the server once it is ready."""
    server, shim = pod()["containers"]

    assert server["readinessProbe"]["grpc"] == {"port": 7700}
    assert shim["readinessProbe"]["tcpSocket"] == {"port": "http"}


def test_only_named_ports_are_open():
    """The network lets in calls of the two ports, and out those to what the memory needs."""
    policy = resources(DATABASE)["NetworkPolicy"]["spec"]

    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert [it["port"] for it in policy["ingress"][0]["ports"]] == ["http", "grpc"]
    assert {it["port"] for it in policy["egress"][0]["ports"]} == {53, 443, 5432, 11434}


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ("upstream=http://ollama:11434", "database.secret"),
        (f"{DATABASE},replicas=2", "tokens.secret and keys.secret"),
        (f"{DATABASE},replicas=0", "replicas"),
        (f"{DATABASE},settings.OTHER=1", "OTHER"),
        (f"{DATABASE},replica=2", "replica"),
    ],
)
def test_values_that_cannot_work_are_refused(values, why):
    """
    A release without a database, with servers of different tokens, or with a value that
    nobody reads is not rendered, and it is said why.
    """
    done = helm(
        *("template", "team", str(CHART), "--kube-version", "1.30.0"),
        *("--set", values),
    )

    assert done.returncode != 0
    assert why in done.stderr
