"""gutask as a package: what it imports, and the messages it carries."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.clients.scripted import PACKAGE, python


def test_version_needs_no_grpc():
    """Commands that make no call start without grpc and without the messages."""
    run = python(
        "-c",
        "import sys; from gutask.cli import cli\n"
        "cli(['--version'], standalone_mode=False)\n"
        "sys.exit(bool({'grpc', 'google.protobuf'} & sys.modules.keys()))",
    )

    assert run.stdout == "gutask, version 0.1.0\n"
    assert (run.stderr, run.returncode) == ("", 0)


@pytest.mark.parametrize("first", ["festinger.api.v1", "gutask._api"])
def test_both_packages_live_in_one_process(first):
    """gutask's messages and festinger's are apart, in either order, and speak alike."""
    second = "gutask._api" if first == "festinger.api.v1" else "festinger.api.v1"
    run = python(
        "-c",
        f"from {first} import concept_pb2 as one, memory_service_pb2\n"
        f"from {second} import concept_pb2 as two, memory_service_pb2\n"
        "sent = one.Concept(token='gnommoweb')\n"
        "sent.last_seen_time.FromSeconds(5)\n"
        "read = two.Concept.FromString(sent.SerializeToString())\n"
        "assert one.Concept is not two.Concept\n"
        "print(read.token, read.last_seen_time.ToJsonString())",
    )

    assert run.stderr == ""
    assert run.stdout == "gnommoweb 1970-01-01T00:00:05Z\n"


def test_another_version_of_the_messages_does_no_harm():
    """gutask works in a process that has a different `triple.proto` registered."""
    run = python(
        "-c",
        "from google.protobuf import descriptor_pb2, descriptor_pool\n"
        "newer = descriptor_pb2.FileDescriptorProto(\n"
        "    name='festinger/api/v1/triple.proto', package='festinger.api.v1')\n"
        "newer.message_type.add(name='Triple')\n"
        "descriptor_pool.Default().Add(newer)\n"
        "import gutask.client\n"
        "from gutask._api.triple_pb2 import Triple\n"
        "print(Triple(concept='gnommoweb').concept)",
    )

    assert run.stderr == ""
    assert run.stdout == "gnommoweb\n"


def test_generated_messages_are_up_to_date(tmp_path):
    """`generate.py` writes what is committed, whatever directory it is run from."""
    subprocess.run(
        [sys.executable, PACKAGE.parent / "generate.py", "gutask", "--out", tmp_path],
        cwd=tmp_path,
        check=True,
    )

    committed = PACKAGE / "gutask" / "_api"
    fresh = {path.name: path.read_text() for path in tmp_path.glob("*_pb2.py*")}
    assert fresh == {p.name: p.read_text() for p in committed.glob("*_pb2.py*")}
