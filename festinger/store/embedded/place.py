"""Paths and owner of the cluster and its socket.

Postgres does not run as root. Under root it runs as another user, who may be unable to
enter the data directory: then the cluster is created elsewhere, and a note in the data
directory records its path. The modes of existing directories are never changed for that.
"""

from __future__ import annotations

import os
import pwd
import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from festinger.errors import ConfigurationError

SYSTEM_DIR = Path("/var/lib/festinger")
"""The directory for root's clusters and programs outside the data directory."""

NOTE = "postgres.location"
"""The file in the data directory that records the path of the cluster."""

# A socket's path has at most 107 bytes, and $TMPDIR differs between processes.
SOCKETS = Path("/tmp")

STAND_INS = ("postgres", "nobody")  # users whom root's Postgres runs as

# Parameters that the DSN omits are taken from PGPORT, PGSSLMODE and the like in the
# environment, which refer to another server.
_SAID = urlencode(
    {
        "port": "5432",
        "sslmode": "disable",
        "sslnegotiation": "postgres",
        "target_session_attrs": "any",
        "gsslib": "gssapi",
    }
)


@dataclass(frozen=True, slots=True)
class PostgresUser:
    """The operating system user that Postgres runs as."""

    uid: int
    gid: int
    name: str

    @property
    def is_me(self) -> bool:
        """True if it is the user of this process."""
        return self.uid == os.geteuid()

    def spawn_options(self) -> dict[str, Any]:
        """Return the arguments that make `subprocess` run a program as this user."""
        if self.is_me:
            return {}
        # Without root's groups, which would give it more than its own rights.
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def owns(self, path: Path) -> None:
        """Change the owner of a newly created file or directory to this user."""
        if not self.is_me:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def can_enter(self, directory: Path) -> bool:
        """Return whether this user can enter a directory and all its parents."""
        if self.is_me:
            return True
        directory = directory.resolve()
        # Each directory above has to be passable: the bit for "execute".
        return all(self._may(step, 0o1) for step in (directory, *directory.parents))

    def can_run(self, program: Path) -> bool:
        """Return whether this user can run a program."""
        # 0o5: read and run.
        return self.can_enter(program.parent) and self._may(program, 0o5)

    def _may(self, path: Path, bits: int) -> bool:
        found = path.stat()
        if found.st_uid == self.uid:
            # The owner's bits are the upper three of nine, the group's the middle ones.
            bits <<= 6
        elif found.st_gid == self.gid:
            bits <<= 3
        return found.st_mode & bits == bits


@dataclass(frozen=True, slots=True)
class ServerPaths:
    """Paths of an embedded server; the same in every process that uses it."""

    cluster: Path
    """Postgres' own data directory."""
    owner: PostgresUser

    @property
    def name(self) -> str:
        """The server's name, which identifies its processes and its socket."""
        return f"festinger-{_digest(self.cluster)}"

    @property
    def sockets(self) -> Path:
        """The directory of the socket."""
        return SOCKETS / self.name

    @property
    def socket(self) -> Path:
        """The socket itself."""
        return self.sockets / ".s.PGSQL.5432"

    @property
    def dsn(self) -> str:
        """The DSN for clients."""
        # An empty host in the authority, since the socket's directory is a parameter.
        return f"postgresql://festinger@/festinger?host={self.sockets}&{_SAID}"

    @property
    def making(self) -> Path:
        """The temporary directory of a cluster while it is created."""
        return self.cluster.with_name(f"{self.cluster.name}.making")

    @property
    def locks(self) -> Path:
        """The directory of the lock files."""
        return self.cluster.with_name(f"{self.cluster.name}.locks")

    @property
    def log(self) -> Path:
        """The server's log file."""
        return self.cluster / "log"


def settle(data_dir: Path, system_dir: Path) -> ServerPaths:
    """Find or choose the paths of the cluster for a data directory.

    Raises:
        ConfigurationError: The data directory cannot be used.
    """
    try:
        data_dir = made_open(data_dir).resolve()
        place = _settled(data_dir, system_dir)
        place.locks.mkdir(parents=True, exist_ok=True)
        if not os.access(place.locks.parent, os.W_OK):
            raise PermissionError(13, "Permission denied")
    except (FileExistsError, NotADirectoryError):
        raise ConfigurationError(
            f"{data_dir} is not a directory. Set data_dir to one, or remove the file"
        ) from None
    except OSError as error:
        raise ConfigurationError(
            f"the data directory {data_dir} cannot be used: {error.strerror}. Make it "
            "writable for the user that runs festinger, or set data_dir to another"
        ) from None
    return place


def remember(data_dir: Path, place: ServerPaths) -> None:
    """Write the note if the cluster lies outside the data directory."""
    data_dir = data_dir.resolve()
    note = data_dir / NOTE
    if place.cluster.parent != data_dir and not note.exists():
        # Renamed when it is written, so that a note has a path or is not there.
        fresh = note.with_suffix(".new")
        fresh.write_text(f"{place.cluster}\n")
        fresh.replace(note)


def make_sockets(place: ServerPaths) -> None:
    """Create the socket's directory, accessible to its owner (and root) only.

    Raises:
        ConfigurationError: The path exists and belongs to another user, or is not a
            private directory.
    """
    directory, owner = place.sockets, place.owner
    try:
        directory.mkdir(mode=0o700)
    except FileExistsError:
        # `lstat`, since a link in `/tmp` may be anybody's.
        found = directory.lstat()
        # Not yet chowned: an earlier start was killed at this point.
        ours = found.st_uid in {owner.uid, os.geteuid()}
        if not (stat.S_ISDIR(found.st_mode) and ours and not found.st_mode & 0o077):
            raise ConfigurationError(
                f"{directory} should be a directory of user {owner.name} alone, and is "
                "not. Find out who made it, remove it and start again"
            ) from None
    owner.owns(directory)


def made_open(directory: Path) -> Path:
    """Create a directory if missing; as root, let other users enter what is created."""
    if os.geteuid() != 0:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return directory
    for step in (*reversed(directory.parents), directory):
        if not step.exists():
            # Only what is new is opened, from the top down.
            step.mkdir(exist_ok=True)
            step.chmod(0o711)  # regardless of the umask
    directory.mkdir(exist_ok=True)
    return directory


def has_cluster(data_dir: Path) -> bool:
    """Return whether a data directory has a cluster, there or elsewhere."""
    return (data_dir / "postgres").exists() or (data_dir / NOTE).exists()


def _settled(data_dir: Path, system_dir: Path) -> ServerPaths:
    beside = data_dir / "postgres"
    note = data_dir / NOTE
    # A cluster that is there stays where it is, whoever could enter what by now.
    if beside.exists():
        return ServerPaths(beside, _owner_of(beside))
    if note.exists():
        return _noted(note)
    owner = _default_owner()
    if owner.can_enter(data_dir):
        return ServerPaths(beside, owner)
    # Root's user cannot enter the data directory: one folder for each, named by its path.
    cluster = system_dir.resolve() / "clusters" / _digest(data_dir)
    made_open(cluster.parent)
    if not owner.can_enter(cluster.parent):
        raise ConfigurationError(
            f"root's Postgres runs as user {owner.name}, who can enter neither "
            f"{data_dir} nor {cluster.parent}. Run festinger as an ordinary user, or "
            f"run: chmod o+x {system_dir}"
        )
    if cluster.exists():
        # Created just before a kill -9, or its note was removed.
        return ServerPaths(cluster, _owner_of(cluster))
    return ServerPaths(cluster, owner)


def _noted(note: Path) -> ServerPaths:
    cluster = Path(note.read_text().strip())
    if not cluster.exists():
        raise ConfigurationError(
            f"{note} says that the database is in {cluster}, which is gone. Bring it "
            f"back, or remove {note} to begin with an empty memory"
        )
    return ServerPaths(cluster, _owner_of(cluster))


def _default_owner() -> PostgresUser:
    if os.geteuid() != 0:
        return PostgresUser(os.geteuid(), os.getegid(), _name_of(os.geteuid()))
    for name in STAND_INS:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return PostgresUser(found.pw_uid, found.pw_gid, name)
    raise ConfigurationError(
        "Postgres does not run as root, and there is no user postgres or nobody to run "
        "it as. Run festinger as an ordinary user, or run: useradd --system postgres"
    )


def _owner_of(cluster: Path) -> PostgresUser:
    """Return the owner of a cluster, who has to run its server.

    Raises:
        ConfigurationError: This process cannot run Postgres as that user.
    """
    found = cluster.stat()
    name = _name_of(found.st_uid)
    owner = PostgresUser(found.st_uid, found.st_gid, name)
    if owner.uid == 0:
        raise ConfigurationError(
            f"{cluster} belongs to root, and Postgres does not run as root. Run: "
            f"chown -R {_default_owner().name} {cluster}"
        )
    if not owner.is_me and os.geteuid() != 0:
        raise ConfigurationError(
            f"{cluster} belongs to user {name}. Run festinger as that user or as root, "
            "or set data_dir to a directory of your own"
        )
    if not owner.can_enter(cluster.parent):
        raise ConfigurationError(
            f"{cluster} belongs to user {name}, who cannot enter {cluster.parent}. "
            "Make the directories above it passable for that user (chmod o+x)"
        )
    return owner


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _digest(path: Path) -> str:
    # 12 digits, since a socket's path has at most 107 bytes.
    return sha256(os.fsencode(path)).hexdigest()[:12]
