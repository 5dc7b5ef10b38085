"""Generates `gutask/_api`, the messages that gutask exchanges with the server.

gutask is installed without `festinger`, and sometimes beside another version of it.
So its messages live in its own package and are registered in its own descriptor
pool: in the default pool, two versions of one `.proto` file are an error.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

HERE = Path(__file__).resolve().parent
PROTOS = HERE.parent.parent / "proto"
PACKAGE = Path("festinger/api/v1")
# The services that gutask calls; what they import comes along.
ROOTS = (
    PACKAGE / "concept_service.proto",
    PACKAGE / "line_service.proto",
    PACKAGE / "memory_service.proto",
)

# What protoc writes, what it becomes, and whether each module has it.
RELOCATIONS = (
    ("from festinger.api.v1 import ", "from gutask._api import ", False),
    (
        "from google.protobuf import descriptor_pool as _descriptor_pool\n",
        "from gutask._api import POOL as _POOL\n",
        True,
    ),
    ("_descriptor_pool.Default()", "_POOL", True),
    ("(DESCRIPTOR, 'festinger.api.v1.", "(DESCRIPTOR, 'gutask._api.", True),
)


def protoc(*arguments: str) -> None:
    """Runs the compiler that comes with grpcio-tools."""
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTOS}", *arguments]
    subprocess.run(command, check=True)


def needed(scratch: Path) -> list[str]:
    """Names the roots and all of our files that they import, sorted."""
    path = scratch / "descriptors.binpb"
    protoc(
        f"--descriptor_set_out={path}",
        "--include_imports",
        *(str(PROTOS / root) for root in ROOTS),
    )
    descriptors = FileDescriptorSet.FromString(path.read_bytes())
    prefix = f"{PACKAGE}/"
    return sorted(f.name for f in descriptors.file if f.name.startswith(prefix))


def relocate(text: str, *, module: str) -> str:
    """Moves a generated module into `gutask._api` and its pool.

    Raises:
        RuntimeError: It does not look as this script expects.
    """
    for old, new, required in RELOCATIONS:
        if required and text.count(old) != 1:
            raise RuntimeError(f"{module}: protoc no longer writes {old!r} once")
        text = text.replace(old, new)
    return text


def generate(target: Path) -> None:
    """Writes the messages into `target` and removes those of an earlier run."""
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        names = needed(scratch)
        protoc(
            f"--python_out={scratch}",
            f"--pyi_out={scratch}",
            *(str(PROTOS / name) for name in names),
        )
        target.mkdir(parents=True, exist_ok=True)
        for stale in target.glob("*_pb2.py*"):
            stale.unlink()
        for source in sorted((scratch / PACKAGE).iterdir()):
            text = source.read_text(encoding="utf-8")
            if source.suffix == ".py":
                text = relocate(text, module=source.name)
            else:
                old, new, _ = RELOCATIONS[0]
                # protoc's annotations are not strict.
                text = "# mypy: ignore-errors\n" + text.replace(old, new)
            (target / source.name).write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--out",
        type=Path,
        default=HERE / "gutask" / "_api",
        metavar="DIRECTORY",
        help="where to write, by default gutask/_api",
    )
    generate(parser.parse_args().out)


if __name__ == "__main__":
    main()
