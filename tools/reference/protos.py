"""The pages of the gRPC API: one for each file of `proto/`, with its comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
)
from grpc_tools import protoc

from tools.reference.markdown import cell, prose, table

PROTOS: Final = Path(__file__).parents[2] / "proto"
PACKAGE: Final = ".festinger.api.v1."

_HEAD: Final = """# gRPC

The package is `festinger.api.v1`; the server also answers reflection and the standard
health service. A call names its memory in the metadata `festinger-tenant`, and shows its
token as `authorization: Bearer TOKEN`. Errors carry a `google.rpc.ErrorInfo` with the
domain `festinger` and a [reason](error_reason.md).

These pages are generated from `proto/`.
"""
_TYPE: Final = FieldDescriptorProto.Type
_Path = tuple[int, ...]


def proto_pages() -> Mapping[str, str]:
    """Return the pages by their file's name; the first lists all services."""
    files = [_ProtoFile(it) for it in _described()]
    places = {name: it.stem for it in files for name in it.names()}
    pages = {f"grpc/{it.stem}.md": it.page(places) for it in files}
    return {"grpc/index.md": _index(files), **pages}


def _described() -> list[FileDescriptorProto]:
    """Return the files with their comments, as protoc reads them.

    Raises:
        RuntimeError: protoc refuses them.
    """
    sources = sorted(str(it) for it in PROTOS.rglob("*.proto"))
    include = Path(protoc.__file__).parent / "_proto"
    with TemporaryDirectory() as folder:
        target = Path(folder) / "set.bin"
        flags = ["--include_source_info", f"--descriptor_set_out={target}"]
        if protoc.main(["", f"-I{PROTOS}", f"-I{include}", *flags, *sources]):
            raise RuntimeError("protoc does not accept the protos")
        return list(FileDescriptorSet.FromString(target.read_bytes()).file)


def _index(files: list[_ProtoFile]) -> str:
    rows = [
        (f"[`{service.name}`]({it.stem}.md)", cell(_first(it.comment(6, number))))
        for it in files
        for number, service in enumerate(it.file.service)
    ]
    others = [(f"[`{it.stem}`]({it.stem}.md)",) for it in files if not it.file.service]
    services = table(("service", "what it does"), rows)
    return "\n".join(
        [_HEAD, services, table(("messages of several services",), others)]
    )


def _first(text: str) -> str:
    """Return the first paragraph of a comment."""
    return text.partition("\n\n")[0]


class _ProtoFile:
    """A file of the API.

    Args:
        file: As protoc reads it, with its comments.
    """

    def __init__(self, file: FileDescriptorProto) -> None:
        self.file = file
        self.stem = Path(file.name).stem

    @cached_property
    def _comments(self) -> Mapping[_Path, str]:
        located = self.file.source_code_info.location
        return {tuple(it.path): it.leading_comments for it in located}

    def comment(self, *path: int) -> str:
        """Return what stands above an element, whose path is as protoc numbers them."""
        return prose(self._comments.get(path, "").replace("\n ", "\n"))

    def names(self) -> Iterator[str]:
        """Yield the full names of the file's types, without the package."""
        yield from (it.name for it in self.file.enum_type)
        for message in self.file.message_type:
            yield message.name
            yield from (f"{message.name}.{it.name}" for it in message.nested_type)
            yield from (f"{message.name}.{it.name}" for it in message.enum_type)

    def page(self, places: Mapping[str, str]) -> str:
        """Return the file's page.

        Args:
            places: The page of each type.
        """
        parts = []
        for number, service in enumerate(self.file.service):
            parts += [f"# {service.name}\n", self.comment(6, number) + "\n"]
            for at, method in enumerate(service.method):
                parts += _method(method, self.comment(6, number, 2, at), places)
        if not parts:
            parts = [f"# {self.stem}\n"]
        for at, message in enumerate(self.file.message_type):
            parts += self._message(message, message.name, (4, at), places)
        for at, enum in enumerate(self.file.enum_type):
            parts += self._enum(enum, enum.name, (5, at))
        return "\n".join(parts)

    def _message(
        self,
        message: DescriptorProto,
        name: str,
        path: _Path,
        places: Mapping[str, str],
    ) -> Iterator[str]:
        if message.options.map_entry:
            return
        yield f"## {name} {{ #{_anchor(name)} }}\n"
        yield self.comment(*path) + "\n"
        yield table(
            ("field", "type", "what it is"),
            (
                (
                    f"`{field.name}`",
                    _type(field, places),
                    cell(self.comment(*path, 2, at)),
                )
                for at, field in enumerate(message.field)
            ),
        )
        for at, inner in enumerate(message.nested_type):
            yield from self._message(
                inner, f"{name}.{inner.name}", (*path, 3, at), places
            )
        for at, enum in enumerate(message.enum_type):
            yield from self._enum(enum, f"{name}.{enum.name}", (*path, 4, at))

    def _enum(self, enum: EnumDescriptorProto, name: str, path: _Path) -> Iterator[str]:
        yield f"## {name} {{ #{_anchor(name)} }}\n"
        yield self.comment(*path) + "\n"
        yield table(
            ("value", "number", "what it is"),
            (
                (f"`{it.name}`", str(it.number), cell(self.comment(*path, 2, at)))
                for at, it in enumerate(enum.value)
            ),
        )


def _method(
    method: MethodDescriptorProto, comment: str, places: Mapping[str, str]
) -> Iterator[str]:
    yield f"### {method.name}\n"
    yield f"{comment}\n"
    request, response = (
        f"{'stream of ' if streams else ''}{_link(name, places)}"
        for name, streams in (
            (method.input_type, method.client_streaming),
            (method.output_type, method.server_streaming),
        )
    )
    yield f"{request} → {response}\n"


def _type(field: FieldDescriptorProto, places: Mapping[str, str]) -> str:
    many = "repeated " if field.label == FieldDescriptorProto.LABEL_REPEATED else ""
    if field.type_name.endswith("Entry"):
        return "map"
    if field.type_name:
        return many + _link(field.type_name, places)
    return many + _TYPE.Name(field.type).removeprefix("TYPE_").lower()


def _link(full_name: str, places: Mapping[str, str]) -> str:
    name = full_name.removeprefix(PACKAGE)
    if name not in places:
        return f"`{full_name.removeprefix('.')}`"
    return f"[`{name}`]({places[name]}.md#{_anchor(name)})"


def _anchor(name: str) -> str:
    return name.lower().replace(".", "-")
