"""Listing of documents below a path: tracked files of a checkout, or all files."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath

from festinger.cli.lines import printable
from festinger.core.review.extractors import Extractor, builtin, further
from festinger.core.review.waves import what_is_wrong_with
from festinger.errors import InvalidArgument

# Other suffixes are read only if an extractor asks for them by name, as for `compose.yaml`.
SUFFIXES = frozenset((".md", ".markdown", ".txt", ".rst"))
# Others' documents, and copies.
IGNORED = frozenset(("node_modules", "__pycache__", "venv"))
SHOWN = frozenset((".github", ".gitlab"))
"""Hidden folders that are listed, because they contain documents."""
GIT_SECONDS_MAX = 60.0
RECENT_DAYS = 60
"""How far back commits are looked through; what is older counts as not fresh."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Names of the documents below a path.

    Attributes:
        root: The folder that the names are relative to: the top of a checkout, or the
            folder of the path.
        scope: The path relative to the root; empty for the root itself.
        names: The sorted names, with `/` as separator; includes folders that cannot be
            entered, so that their documents are not taken for removed.
        problems: The names that cannot be read, with the reasons.
        commits: In a checkout, when the documents that are as they were committed were
            last changed, in seconds since the epoch; None for longer ago than
            `RECENT_DAYS` or unknown.
    """

    root: Path
    scope: str
    names: Sequence[str]
    problems: Sequence[tuple[str, str]]
    commits: Mapping[str, float | None] = field(default_factory=dict)

    def changed_at(self, name: str, status: os.stat_result) -> float | None:
        """Return when a document was last changed; None if that is unknown."""
        # A checkout's files are as old as their commits, since a clone writes all anew.
        return self.commits.get(name, status.st_mtime)


def listing(path: Path) -> Listing:
    """List the documents at or below a path, without following links.

    A link's target is listed only by its own path. If the path is a file, it is listed
    whatever its name is.

    Raises:
        InvalidArgument: The path does not exist or cannot be read.
    """
    if not path.exists():
        raise InvalidArgument(f"there is no {path}")
    place = path.resolve()
    folder = place if place.is_dir() else place.parent
    problems: list[tuple[str, str]] = []
    tracked = _tracked(folder, "." if place.is_dir() else place.name)
    # The top of a checkout, so that a document has one name whatever folder is given.
    root = Path(tracked[0]) if tracked else folder
    if why := _unspeakable(str(root)):
        raise InvalidArgument(f"{printable(str(root))} cannot be read: {why}")
    scope = place.relative_to(root).as_posix() if place != root else ""
    if not place.is_dir():
        names = [scope]
    elif tracked:
        names = [name for name in tracked[1] if _is_document(name, scope)]
    else:
        closed: list[str] = []
        names = [name for name in _walk(root, closed) if _is_document(name, scope)]
        # What cannot be entered may hold documents that are known: they are not to be removed.
        names += closed
    good: list[str] = []
    for name in sorted(names):
        # Bytes that are no UTF-8, or a name that the server refuses.
        why = _unspeakable(name) or what_is_wrong_with(name)
        if why:
            problems.append((printable(name), why))
        else:
            good.append(name)
    return Listing(root, scope, good, problems, _commits(root, good) if tracked else {})


def read(root: Path, name: str, bytes_max: int) -> tuple[bytes | None, os.stat_result]:
    """Return a document's content and status; the content is None if it is too large.

    Raises:
        OSError: The document cannot be read, or is no regular file.
    """
    # No link in the place of a file that was listed, and no waiting for a pipe.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(root / name, flags)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError("it is no file")
        # Its size is told all the same, and the server says why it is refused.
        if status.st_size > bytes_max:
            return None, status
        data = file.read(bytes_max + 1)  # it may grow while it is read
    return (data if len(data) <= bytes_max else None), status


def _is_document(name: str, scope: str) -> bool:
    parts = name.split("/")
    # A hidden folder is read if the path names it.
    below = parts[len(scope.split("/")) if scope else 0 :]
    # Files below a hidden folder are settings of tools, or of the checkout itself.
    if any(part in IGNORED or _is_hidden(part) for part in below):
        return False
    if PurePosixPath(name).suffix.lower() in SUFFIXES:
        return True
    return any(each.wants(name) for each in _structural())


def _is_hidden(part: str) -> bool:
    return part.startswith(".") and part not in SHOWN


@cache
def _structural() -> Sequence[Extractor]:
    """Return the extractors of structured files, which ignore the suffix."""
    return [each for each in (*builtin(), *further()[0]) if each.whole]


def _tracked(folder: Path, what: str) -> tuple[str, list[str]] | None:
    """Return the top of a checkout and its tracked files in a folder, or None."""
    try:
        top = _git(folder, "rev-parse", "--show-toplevel").rstrip("\n")
        # `-z`: names as they are, without quotes; they may hold line breaks.
        names = _git(folder, "ls-files", "-z", "--full-name", "--", what)
    except (OSError, subprocess.SubprocessError):
        return None  # no checkout, or no git
    tracked = [name for name in names.split("\0") if name]
    # An ignored folder of a checkout tracks nothing: it is read as it lies there.
    return (str(Path(top).resolve()), tracked) if tracked else None


def _commits(root: Path, names: Sequence[str]) -> dict[str, float | None]:
    """Return when unmodified documents of a checkout were last changed."""
    since = f"--since={RECENT_DAYS}.days"
    try:
        # The oldest commit of a shallow clone seems to have brought all of its files.
        shallow = _git(root, "rev-parse", "--is-shallow-repository").strip() == "true"
        modified = _git(root, "diff", "--name-only", "-z", "HEAD").split("\0")
        log = (
            ""
            if shallow
            else _git(
                root,
                "log",
                since,
                # Merges count as the commit that brought the change to this branch.
                "-m",
                "--first-parent",
                "--format=%x01%ct",
                "--name-only",
                "-z",
            )
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    commits: dict[str, float | None] = dict.fromkeys(names)
    for commit in log.split("\x01")[1:]:
        time, *changed = (each.strip("\n") for each in commit.split("\0"))
        for name in changed:
            # Newest first: the first commit that is met is the last change.
            if name in commits and commits[name] is None:
                commits[name] = float(time)
    # A changed file is as old as its own time says.
    return {name: commits[name] for name in commits.keys() - set(modified)}


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *words],
        capture_output=True,
        check=True,
        timeout=GIT_SECONDS_MAX,
        stdin=subprocess.DEVNULL,
    )
    return os.fsdecode(done.stdout)  # names are bytes, and may be no UTF-8


def _walk(root: Path, closed: list[str]) -> Iterator[str]:
    def relative(place: str) -> str:
        """Return a place relative to the root, with slashes."""
        return os.path.relpath(place, root).replace(os.sep, "/")

    def note(error: OSError) -> None:
        """Add an unreadable file's place to the list."""
        closed.append(relative(error.filename))

    for folder, folders, files in os.walk(root, onerror=note):
        # In place, so that `os.walk` does not enter those that are left out.
        folders[:] = sorted(
            each for each in folders if each not in IGNORED and not _is_hidden(each)
        )
        for file in files:
            place = os.path.join(folder, file)
            # Its target is listed by its own path, and may be anywhere.
            if not os.path.islink(place):
                yield relative(place)


def _unspeakable(name: str) -> str:
    try:
        name.encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    return ""
