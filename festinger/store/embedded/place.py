"""Where the cluster and its socket lie, and whose they are.

Started by root, Postgres has to run as somebody else, who may be unable to enter the
data directory. No mode of a directory that exists is ever changed for that: the
cluster goes elsewhere, and a note in the data directory says where.
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
"""Where root's things go that do not fit in the data directory."""

NOTE = "postgres.location"
"""The file in the data directory that says where the cluster lies."""

# A socket's path may have 107 bytes, and $TMPDIR differs between processes.
SOCKETS = Path("/tmp")

STAND_INS = ("postgres", "nobody")

# What is not said is decided by PGPORT, PGSSLMODE and their like in the environment,
# which are about another server.
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
class Owner:
    """The user of the operating system that Postgres runs as."""

    uid: int
    gid: int
    name: str

    @property
    def is_me(self) -> bool:
        """Whether that is the user of this process."""
        return self.uid == os.geteuid()

    def spawn_options(self) -> dict[str, Any]:
        """What makes `subprocess` start a program as this user."""
        if self.is_me:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def owns(self, path: Path) -> None:
        """Gives a file or directory, which we just made, to this user."""
        if not self.is_me:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def can_enter(self, directory: Path) -> bool:
        """Whether a directory and all above it are open to this user."""
        if self.is_me:
            return True
        directory = directory.resolve()
        return all(self._may(step, 0o1) for step in (directory, *directory.parents))

    def can_run(self, program: Path) -> bool:
        """Whether this user can start a program."""
        return self.can_enter(program.parent) and self._may(program, 0o5)

    def _may(self, path: Path, bits: int) -> bool:
        found = path.stat()
        if found.st_uid == self.uid:
            bits <<= 6
        elif found.st_gid == self.gid:
            bits <<= 3
        return found.st_mode & bits == bits


@dataclass(frozen=True, slots=True)
class ServerPaths:
    """All the paths of one embedded server. Two processes come to the same."""

    cluster: Path
    """Postgres' own data directory."""
    owner: Owner

    @property
    def name(self) -> str:
        """The server's name, by which its processes and its socket are known."""
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
        """What a client connects with."""
        return f"postgresql://festinger@/festinger?host={self.sockets}&{_SAID}"

    @property
    def making(self) -> Path:
        """Where a cluster is made, until it is whole."""
        return self.cluster.with_name(f"{self.cluster.name}.making")

    @property
    def locks(self) -> Path:
        """The directory of the lock files."""
        return self.cluster.with_name(f"{self.cluster.name}.locks")

    @property
    def log(self) -> Path:
        """What the server has to say."""
        return self.cluster / "log"


def settle(data_dir: Path, system_dir: Path) -> ServerPaths:
    """Finds, or decides on, the place for a data directory.

    Raises:
        ConfigurationError: The directory cannot be used.
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
    """Leaves the note, if the cluster lies outside the data directory."""
    data_dir = data_dir.resolve()
    note = data_dir / NOTE
    if place.cluster.parent != data_dir and not note.exists():
        fresh = note.with_suffix(".new")
        fresh.write_text(f"{place.cluster}\n")
        fresh.replace(note)


def make_sockets(place: ServerPaths) -> None:
    """Makes the socket's directory, which nobody but the owner (and root) can enter.

    Raises:
        ConfigurationError: Somebody else has put something there.
    """
    directory, owner = place.sockets, place.owner
    try:
        directory.mkdir(mode=0o700)
    except FileExistsError:
        found = directory.lstat()
        # Ours and not yet given away: an earlier start was killed just here.
        ours = found.st_uid in {owner.uid, os.geteuid()}
        if not (stat.S_ISDIR(found.st_mode) and ours and not found.st_mode & 0o077):
            raise ConfigurationError(
                f"{directory} should be a directory of user {owner.name} alone, and is "
                "not. Find out who made it, remove it and start again"
            ) from None
    owner.owns(directory)


def made_open(directory: Path) -> Path:
    """A directory, made if need be; root's stand-in can enter what root makes."""
    if os.geteuid() != 0:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return directory
    for step in (*reversed(directory.parents), directory):
        if not step.exists():
            step.mkdir(exist_ok=True)
            step.chmod(0o711)  # whatever the umask says
    directory.mkdir(exist_ok=True)
    return directory


def _settled(data_dir: Path, system_dir: Path) -> ServerPaths:
    beside = data_dir / "postgres"
    note = data_dir / NOTE
    if beside.exists():
        return ServerPaths(beside, _owner_of(beside))
    if note.exists():
        return _noted(note)
    owner = _default_owner()
    if owner.can_enter(data_dir):
        return ServerPaths(beside, owner)
    cluster = system_dir.resolve() / "clusters" / _digest(data_dir)
    made_open(cluster.parent)
    if not owner.can_enter(cluster.parent):
        raise ConfigurationError(
            f"root's Postgres runs as user {owner.name}, who can enter neither "
            f"{data_dir} nor {cluster.parent}. Run festinger as an ordinary user, or "
            f"run: chmod o+x {system_dir}"
        )
    if cluster.exists():
        # Made just before a kill -9, or its note was removed.
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


def _default_owner() -> Owner:
    if os.geteuid() != 0:
        return Owner(os.geteuid(), os.getegid(), _name_of(os.geteuid()))
    for name in STAND_INS:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return Owner(found.pw_uid, found.pw_gid, name)
    raise ConfigurationError(
        "Postgres does not run as root, and there is no user postgres or nobody to run "
        "it as. Run festinger as an ordinary user, or run: useradd --system postgres"
    )


def _owner_of(cluster: Path) -> Owner:
    """Who a cluster belongs to, which is who has to run it.

    Raises:
        ConfigurationError: We cannot become that user.
    """
    found = cluster.stat()
    name = _name_of(found.st_uid)
    owner = Owner(found.st_uid, found.st_gid, name)
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
    return sha256(os.fsencode(path)).hexdigest()[:12]
