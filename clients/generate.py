"""Generate the messages of gutask and of the Go and the TypeScript client from `proto/`.

    python clients/generate.py gutask [--out DIRECTORY]
    python clients/generate.py go PLUGINS [--out DIRECTORY]

Java and Rust generate theirs as they are built.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.rpc import error_details_pb2  # type: ignore[import-untyped, unused-ignore]

HERE: Final = Path(__file__).resolve().parent
PROTOS: Final = HERE.parent / "proto"
PACKAGE: Final = "festinger/api/v1/"
SERVICES: Final = {
    "gutask": ("concept", "line", "memory"),
    "go": ("concept", "conflict", "line", "memory"),
    "typescript": ("concept", "conflict", "line", "memory"),
}
"""What the clients call; the files that these import come along."""
DETAILS: Final = "google/rpc/error_details.proto"
"""The details of errors, which Go has in a module of its own."""
GOOGLE: Final = Path(error_details_pb2.__file__).resolve().parents[2]
GO_PACKAGE: Final = "festinger/client/api;api"
TARGETS: Final = {
    "gutask": HERE / "gutask" / "gutask" / "_api",
    "go": HERE / "go" / "api",
    "typescript": HERE / "typescript" / "src" / "api",
}

RELOCATIONS: Final = (
    ("from festinger.api.v1 import ", "from gutask._api import ", False),
    (
        "from google.protobuf import descriptor_pool as _descriptor_pool\n",
        "from gutask._api import POOL as _POOL\n",
        True,
    ),
    ("_descriptor_pool.Default()", "_POOL", True),
    ("(DESCRIPTOR, 'festinger.api.v1.", "(DESCRIPTOR, 'gutask._api.", True),
)
"""What protoc writes, what it becomes, and whether each module has it.

gutask is installed without `festinger`, and sometimes beside another version of it. So
its messages live in its own package and are registered in its own descriptor pool: in
the default pool, two versions of one `.proto` file are an error."""


def protoc(*arguments: str) -> None:
    """Run the compiler that comes with grpcio-tools."""
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTOS}"]
    command += [f"-I{GOOGLE}", *arguments]
    subprocess.run(command, check=True)


def files(language: str, scratch: Path) -> list[str]:
    """Return the names of the services' files and of ours that they import, sorted."""
    path = scratch / "descriptors.binpb"
    services = (
        str(PROTOS / f"{PACKAGE}{each}_service.proto") for each in SERVICES[language]
    )
    protoc(f"--descriptor_set_out={path}", "--include_imports", *services)
    found = FileDescriptorSet.FromString(path.read_bytes())
    return sorted(each.name for each in found.file if each.name.startswith(PACKAGE))


def options(language: str, plugins: Path, names: list[str], out: Path) -> list[str]:
    """Return protoc's arguments for a language."""
    if language == "gutask":
        return [f"--python_out={out}", f"--pyi_out={out}"]
    if language == "go":
        mapped = ",".join(f"M{name}={GO_PACKAGE}" for name in names)
        common = f"module=festinger/client/api,{mapped}"
        return [
            f"--plugin=protoc-gen-go={plugins / 'protoc-gen-go'}",
            f"--plugin=protoc-gen-go-grpc={plugins / 'protoc-gen-go-grpc'}",
            f"--go_out={out}",
            f"--go_opt={common}",
            f"--go-grpc_out={out}",
            f"--go-grpc_opt={common}",
        ]
    return [
        f"--plugin=protoc-gen-es={plugins / 'protoc-gen-es'}",
        f"--es_out={out}",
        "--es_opt=target=ts,import_extension=js",
    ]


def relocate(text: str, *, module: str) -> str:
    """Move a generated module into `gutask._api` and its pool.

    Raises:
        RuntimeError: It does not look as this script expects.
    """
    for old, new, required in RELOCATIONS:
        if required and text.count(old) != 1:
            raise RuntimeError(f"{module}: protoc no longer writes {old!r} once")
        text = text.replace(old, new)
    return text


def generate(language: str, plugins: Path, target: Path) -> None:
    """Write a language's messages into a directory, and remove those of an earlier run.

    Args:
        language: `gutask`, `go` or `typescript`.
        plugins: The directory of protoc's plugins for it; gutask needs none.
        target: The directory to write.
    """
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        names = files(language, scratch)
        out = scratch / "out"
        out.mkdir()
        more = [DETAILS] if language == "typescript" else []
        protoc(*options(language, plugins, names, out), *names, *more)
        if language == "gutask":
            write_relocated(out / PACKAGE, target)
        else:
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(out, target)


def write_relocated(made: Path, target: Path) -> None:
    """Write gutask's modules beside those of its package that are not generated."""
    target.mkdir(parents=True, exist_ok=True)
    for stale in target.glob("*_pb2.py*"):
        stale.unlink()
    for source in sorted(made.iterdir()):
        text = source.read_text(encoding="utf-8")
        if source.suffix == ".py":
            text = relocate(text, module=source.name)
        else:
            old, new, _ = RELOCATIONS[0]
            # protoc's annotations are not strict.
            text = "# mypy: ignore-errors\n" + text.replace(old, new)
        (target / source.name).write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=sorted(TARGETS))
    parser.add_argument(
        "plugins", type=Path, nargs="?", default=HERE, help="where protoc's plugins are"
    )
    parser.add_argument("--out", type=Path, help="where to write; default: in place")
    arguments = parser.parse_args()
    target = arguments.out or TARGETS[arguments.language]
    generate(arguments.language, arguments.plugins.resolve(), target)


if __name__ == "__main__":
    main()
