"""Three Postgres that Patroni keeps, by `deploy/patroni.yml` and `haproxy-postgres.cfg`."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

import aiohttp
import asyncpg
import yaml

from tests.apart import ROOT
from tests.databases import answer_of
from tests.kill.server import free_port
from tests.postgres import PostgresShell
from tests.unpacked import find_program
from tests.waiting import until

FOLDER = ".venv-patroni"
ENVIRONMENT = ROOT / FOLDER
"""Where `make test-patroni` installs them."""
DEPLOY = ROOT / "deploy"
PASSWORD = "of-a-test"
SECONDS_MAX = 60.0
# One etcd is enough to see what becomes of Postgres.
ETCD = """
exec {program} --data-dir etcd --log-outputs stderr \
    --listen-client-urls http://{address} --advertise-client-urls http://{address} \
    --listen-peer-urls http://{peer} --initial-advertise-peer-urls http://{peer} \
    --initial-cluster default=http://{peer}
"""
ENTER = (
    "setpriv --clear-groups --inh-caps=+dac_read_search --ambient-caps=+dac_read_search"
)
USER = f"""
psql -d "$SERVER" -c "create role festinger login password '{PASSWORD}'"
psql -d "$SERVER" -c "create database festinger owner festinger"
"""


class Member:
    """One Postgres and the Patroni beside it."""

    def __init__(self, name: str, cluster: PatroniCluster):
        self.name, self._cluster = name, cluster
        self.port, self.api = free_port(), free_port()
        self.directory = cluster.shell.directory / name
        self.data = self.directory / "data"
        self.directory.mkdir()
        cluster.shell.owner.owns(self.directory)
        self._patroni: asyncio.subprocess.Process | None = None
        text = (DEPLOY / "patroni.yml").read_text()
        for shipped, here in {
            "10.0.0.11:8008": f"127.0.0.1:{self.api}",
            "10.0.0.11:5432": f"127.0.0.1:{self.port}",
            "10.0.0.0/24": "127.0.0.0/8",
            "/var/lib/postgresql/data": str(self.data),
            # The Postgres of the wheel cannot encrypt.
            "hostssl": "host",
            'ssl: "on"': 'ssl: "off"',
        }.items():
            assert shipped in text
            text = text.replace(shipped, here)
        settings: dict[str, Any] = yaml.safe_load(text)
        settings["name"] = name
        settings["etcd3"]["hosts"] = cluster.etcd
        # Else it is written to the home of the machine's own.
        settings["postgresql"]["pgpass"] = str(self.directory / "pgpass")
        settings["postgresql"]["parameters"] = {
            "unix_socket_directories": str(self.directory)
        }
        self._file = self.directory / "patroni.yml"
        self._file.write_text(yaml.safe_dump(settings))

    async def start(self) -> None:
        """Start it, and not wait for it."""
        program = ENVIRONMENT / "bin/patroni"
        owner = self._cluster.shell.owner
        # The Python of root's home can be entered by Postgres' user with this alone.
        enter = (
            "" if owner.is_me else f"{ENTER} --reuid {owner.uid} --regid {owner.gid}"
        )
        self._patroni = await self._cluster.launch(
            f"exec {enter} {program} {self._file}", self.name, anyone=bool(enter)
        )

    async def kill(self) -> None:
        """End Patroni and Postgres as a machine ends that loses its power."""
        if self._patroni is None:
            return
        with suppress(ProcessLookupError):
            self._patroni.kill()
        await self._patroni.wait()
        self._patroni = None
        self.kill_postgres()

    def kill_postgres(self) -> None:
        """End Postgres alone."""
        with suppress(OSError):
            pid = int((self.data / "postmaster.pid").read_text().split()[0])
            os.kill(pid, signal.SIGKILL)

    @property
    def is_killed(self) -> bool:
        """True from `kill` to `start`."""
        return self._patroni is None


class PatroniCluster:
    """
    An etcd, three members and a HAProxy that leads to the primary.

    Attributes:
        dsn: The database by way of HAProxy, as the user who owns it.
        direct: The same, with all members instead of HAProxy.
        superuser: By way of HAProxy, as one who sees all rows.
    """

    def __init__(self, base: Path):
        self.shell = PostgresShell(base)
        self.etcd = f"127.0.0.1:{free_port()}"
        self._processes: list[asyncio.subprocess.Process] = []
        self.members = [Member(f"pg-{number}", self) for number in (1, 2, 3)]
        self._router = f"127.0.0.1:{free_port()}"
        hosts = ",".join(f"127.0.0.1:{it.port}" for it in self.members)
        owner = f"postgresql://festinger:{PASSWORD}"
        self.dsn = f"{owner}@{self._router}/festinger"
        self.direct = f"{owner}@{hosts}/festinger?target_session_attrs=read-write"
        self.superuser = self.dsn.replace("//festinger", "//postgres")

    async def start(self) -> None:
        """Start all, and make the database and its owner."""
        etcd, peer = find_program("etcd", FOLDER), f"127.0.0.1:{free_port()}"
        assert etcd is not None, "there is no etcd"
        command = ETCD.format(program=etcd.path, address=self.etcd, peer=peer)
        self._etcd = await self.launch(command, "etcd")
        self._processes.append(self._etcd)
        # The first one makes the cluster that the others copy.
        await self.members[0].start()
        await self.primary()
        await self._route()
        await self.complete()
        server = self.superuser.replace("/festinger", "/postgres")
        await self.shell.run(USER, SERVER=server)

    async def _route(self) -> None:
        text = (DEPLOY / "haproxy-postgres.cfg").read_text()
        text = text.replace("127.0.0.1:5432", self._router)
        text = re.sub(r"^ +server .*\n", "", text, flags=re.MULTILINE)
        text += "".join(
            f"    server {it.name} 127.0.0.1:{it.port} check port {it.api}\n"
            for it in self.members
        )
        file = self.shell.directory / "haproxy.cfg"
        file.write_text(text)
        haproxy = find_program("haproxy", FOLDER)
        assert haproxy is not None, "there is no HAProxy"
        command = f"exec {haproxy.path} -db -f {file}"
        self._processes.append(await self.launch(command, "haproxy", haproxy.variables))

    async def launch(
        self,
        command: str,
        name: str,
        variables: Mapping[str, str] = MappingProxyType({}),
        *,
        anyone: bool = False,
    ) -> asyncio.subprocess.Process:
        """
        Start a program, whose output is in a file of that name, as the user of Postgres;
        with `anyone` as ours, to become that user by itself.
        """
        passwords = {
            f"PATRONI_{it}_PASSWORD": PASSWORD for it in ("SUPERUSER", "REPLICATION")
        }
        with (self.shell.directory / f"{name}.log").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *("sh", "-c", command),
                cwd=self.shell.directory,
                env=self.shell.environment(**passwords, **variables),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **({} if anyone else self.shell.owner.spawn_options()),
            )

    async def members_seen(self) -> list[dict[str, Any]]:
        """Return what any Patroni says of the members."""
        async with aiohttp.ClientSession() as session:
            for member in self.members:
                url = f"http://127.0.0.1:{member.api}/cluster"
                with suppress(aiohttp.ClientError):
                    async with session.get(url) as answer:
                        seen: list[dict[str, Any]] = (await answer.json())["members"]
                        return seen
        return []

    async def primary(self, *, but: Member | None = None) -> Member:
        """Wait for a primary, another one than a member, and return it."""

        async def leads() -> Member | None:
            for seen in await self.members_seen():
                if seen["role"] == "leader" and seen["state"] == "running":
                    (found,) = (it for it in self.members if it.name == seen["name"])
                    return found if found is not but else None
            return None

        found: Member = await until(leads, SECONDS_MAX, 0.1)
        return found

    async def complete(self) -> None:
        """
        Start what was killed, and wait for a primary with two that follow, one of them in
        step.
        """
        for member in self.members:
            if member.is_killed:
                await member.start()

        async def follow() -> bool:
            states = {it["role"]: it["state"] for it in await self.members_seen()}
            return states == {
                "leader": "running",
                "sync_standby": "streaming",
                "replica": "streaming",
            }

        await until(follow, SECONDS_MAX, 0.2)

    async def writable(self) -> None:
        """Wait until a new connection by way of the router can write."""

        async def can_write() -> bool:
            async with asyncio.timeout(2):
                return not await answer_of(self.superuser, "select pg_is_in_recovery()")

        despite = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)
        await until(can_write, SECONDS_MAX, 0.05, despite)

    async def switch_over(self) -> None:
        """Have another member take over, as before a machine is taken down."""
        leader = await self.primary()
        url = f"http://127.0.0.1:{leader.api}/switchover"
        async with (
            aiohttp.ClientSession() as session,
            session.post(url, json={"leader": leader.name}) as answer,
        ):
            assert answer.status == 200, await answer.text()
        await self.primary(but=leader)

    @contextmanager
    def etcd_away(self) -> Iterator[None]:
        """Have etcd answer nobody for the length of a block."""
        self._etcd.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._etcd.send_signal(signal.SIGCONT)

    async def clear(self) -> None:
        """Leave no process behind, and show what they said if the test failed."""
        for member in self.members:
            await member.kill()
        for process in self._processes:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        for log in sorted(self.shell.directory.glob("*.log")):
            print(f"--- {log.name}\n{log.read_text(errors='replace')[-6000:]}")
