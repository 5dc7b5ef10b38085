from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "festinger"

# Each floor may import those above it in this list; what shares a floor does not know
# each other.
FOUNDATION = (
    "adapters",
    "api",
    "_fast",
    "certificates",
    "channels",
    "client",
    "config",
    "counting",
    "errors",
    "fileversions",
    "lifetimes",
    "listening",
    "mapping",
    "private",
    "sockets",
)
FLOORS = [
    ("core",),
    ("store", "llm", "workers"),
    ("services",),
    ("rpc", "metrics"),
    ("cli", "console", "shim", "chat", "mcp"),
]
BESIDE = ("audit", "credentials", "running")
"""The tokens, address and audit log of a data directory: of whoever calls or is called."""
ROOTS = ("app", "maintenance", "startup", "programs", "wiring", "demo", "standin")
"""What is wired, or stands in for somebody, may import everything."""

IMPURE = {
    "aiohttp", "asyncio", "asyncpg", "grpc", "http", "logging", "os", "pathlib",
    "random", "requests", "secrets", "socket", "sqlalchemy", "structlog", "subprocess",
    "tempfile", "threading", "time", "urllib",
}  # fmt: skip
IMPURE_CALLS = {"now", "today", "utcnow", "open", "print", "input"}


def files(part):
    """Return the modules of a part of the package."""
    module = ROOT / f"{part}.py"
    return [module] if module.exists() else sorted((ROOT / part).rglob("*.py"))


def part_of(module: str) -> str:
    """Return the part of the package that a module belongs to."""
    return [*module.split("."), ""][1]


@cache
def imports(file: Path) -> frozenset[str]:
    """Return the modules that a file imports, wherever in it, as absolute names."""
    package = ["festinger", *file.relative_to(ROOT).parts[:-1]]
    found: set[str] = set()
    for node in nodes(file):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            if module == "festinger":
                found.update(f"festinger.{alias.name}" for alias in node.names)
            else:
                found.add(module)
    return frozenset(found)


def nodes(file: Path) -> Iterator[ast.AST]:
    """Return all that a file's syntax tree is made of."""
    return ast.walk(ast.parse(file.read_text(encoding="utf-8")))


def own_imports(part):
    """Return the other parts of the package that a part imports, with the file that does."""
    return {
        (file.relative_to(ROOT).as_posix(), part_of(module))
        for file in files(part)
        for module in imports(file)
        if module.split(".")[0] == "festinger" and part_of(module) not in {part, ""}
    }


def test_every_part_has_a_place():
    """Nothing in the package stands outside of the layers."""
    parts = {
        entry.stem
        for entry in ROOT.iterdir()
        if entry.suffix == ".py" or (entry.is_dir() and any(entry.rglob("*.py")))
    }

    floors = {part for floor in FLOORS for part in floor}
    known = {*FOUNDATION, *ROOTS, *BESIDE, *floors}
    assert parts - {"__init__"} <= known


@pytest.mark.parametrize("part", FOUNDATION)
def test_foundation_stands_alone(part):
    """
    Generated code, the hot path and the errors import nothing else of ours; connections
    and their certificates read the settings.
    """
    allowed = {
        "adapters": {"api", "client", "errors"},
        "config": {"errors"},
        "mapping": {"errors"},
        "certificates": {"config", "errors", "fileversions"},
        "channels": {"certificates", "client", "config", "errors"},
        "client": {"api", "errors", "lifetimes"},
        "listening": {"config", "errors"},
    }.get(part, set())

    assert {it for it in own_imports(part) if it[1] not in allowed} == set()


@pytest.mark.parametrize(
    ("part", "below"),
    [
        (part, {it for floor in FLOORS[:at] for it in floor})
        for at, floor in enumerate(FLOORS)
        for part in floor
    ],
)
def test_imports_point_down(part, below):
    """A floor knows those below it."""
    beside = set(BESIDE) if part in {"cli", "shim", "rpc", "mcp"} else set()
    allowed = {*FOUNDATION, *below, *beside}

    assert {it for it in own_imports(part) if it[1] not in allowed} == set()


def rooms() -> dict[str, set[str]]:
    """Return the rooms of the core that each of its rooms imports."""
    known = {it.name for it in (ROOT / "core").iterdir() if it.is_dir()} - {
        "__pycache__"
    }
    found: dict[str, set[str]] = {room: set() for room in known}
    for file in files("core"):
        room = file.relative_to(ROOT / "core").parts[0]
        for module in imports(file):
            names = module.split(".")
            if names[:2] == ["festinger", "core"] and room in known:
                found[room].add(names[2])
    return {room: others & known - {room} for room, others in found.items()}


def test_rooms_of_the_core_import_each_other_in_no_circle():
    """They can be read one after the other."""
    left = rooms()
    while free := {room for room, others in left.items() if not others & left.keys()}:
        left = {room: others for room, others in left.items() if room not in free}

    assert left == {}


def test_core_has_only_rooms():
    """A module of the core stands in one of its rooms."""
    assert {it.name for it in (ROOT / "core").glob("*.py")} == {"__init__.py"}


def test_core_knows_no_wire():
    """The generated messages stay at the border."""
    assert {it for it in own_imports("core") if it[1] == "api"} == set()


def test_core_is_pure():
    """No driver, no clock, no files and no logging: what it needs is a parameter."""
    found = {
        (file.relative_to(ROOT).as_posix(), module)
        for file in files("core")
        for module in imports(file)
        if module.split(".")[0] in IMPURE
    }

    assert found == set()


def test_core_waits_for_nothing():
    """No coroutine and no await; nothing asks for the time or writes to a terminal."""
    waits = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    found = set()
    for file in files("core"):
        for node in nodes(file):
            called = getattr(node, "func", None)
            name = getattr(called, "attr", getattr(called, "id", ""))
            if isinstance(node, waits) or name in IMPURE_CALLS:
                found.add((file.relative_to(ROOT).as_posix(), ast.unparse(node)))

    assert found == set()


def test_services_know_no_driver():
    """They speak to the store: neither Postgres nor gRPC nor HTTP is named in them."""
    drivers = {"asyncpg", "grpc", "aiohttp", "sqlalchemy", "alembic"}

    found = {
        (file.name, module)
        for file in files("services")
        for module in imports(file)
        if module.split(".")[0] in drivers
    }
    assert found == set()


def test_modules_are_of_a_bearable_size():
    """Nothing written by hand is longer than 600 lines."""
    lines = {
        file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8").count("\n")
        for file in ROOT.rglob("*.py")
        if "api" not in file.relative_to(ROOT).parts
    }

    assert {file: count for file, count in lines.items() if count > 600} == {}


def test_no_class_name_stands_twice():
    """A name means one thing in the whole project; what protoc writes has names of its own."""
    places: dict[str, list[str]] = {}
    project = ROOT.parent
    for file in sorted(
        file
        for part in (ROOT, project / "clients", project / "fuzz")
        for file in part.rglob("*.py")
    ):
        if "api" in file.relative_to(project).parts:
            continue
        for node in nodes(file):
            if isinstance(node, ast.ClassDef):
                place = file.relative_to(project).as_posix()
                places.setdefault(node.name, []).append(place)

    assert {name: at for name, at in places.items() if len(at) > 1} == {}


def test_imports_are_found_wherever_they_are():
    """The reader above sees plain and relative imports, and those within functions."""
    lazy = imports(ROOT / "store" / "language" / "dictionary.py")
    relative = imports(ROOT / "_fast" / "__init__.py")

    assert "wordfreq" in lazy
    assert "festinger._fast.values" in relative
