from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_generated_code_is_that_of_the_protos(tmp_path):
    """Generating the stubs gives, byte for byte, what is committed."""
    files = sorted((ROOT / "proto").glob("festinger/api/v1/*.proto"))
    protos = [file.relative_to(ROOT) for file in files]
    outputs = [f"--{kind}_out={tmp_path}" for kind in ("python", "pyi", "grpc_python")]
    subprocess.run(
        [
            sys.executable,
            "-m",
            "grpc_tools.protoc",
            "-Iproto",
            *outputs,
            *map(str, protos),
        ],
        cwd=ROOT,
        check=True,
    )

    generated = contents(tmp_path / "festinger" / "api" / "v1")
    committed = contents(ROOT / "festinger" / "api" / "v1")
    assert generated.keys() == committed.keys()
    assert [it for it in generated if generated[it] != committed[it]] == []


def contents(directory):
    """Return the contents of a directory's files."""
    return {
        file.name: file.read_text(encoding="utf-8")
        for file in directory.iterdir()
        if file.suffix in {".py", ".pyi"} and file.name != "__init__.py"
    }
