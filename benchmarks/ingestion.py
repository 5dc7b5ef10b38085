"""Measures reading documents: how fast, in how much memory, and who suffers meanwhile.

`festinger system serve` and `festinger ingest` as a person starts them, over generated Markdown
and over what the machine's packages have beside their code.
"""

from __future__ import annotations

import json
import random
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import grpc

from benchmarks.report import Part, Row, Samples
from benchmarks.texts import everyday_words
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.memory_service_pb2_grpc import MemoryServiceStub

COUNTS = (1_000, 5_000, 10_000)
REAL_MAX = 2_000
PROBE_SECONDS = 0.02
START_SECONDS_MAX = 120.0
SEED = 11

_COMMAND = Path(sys.executable).with_name("festinger")
_PLACES = (Path(sysconfig.get_path("purelib")), Path("/usr/share/doc"))
_SUFFIXES = (".md", ".rst", ".txt")


@dataclass
class Server:
    """A server process of its own, with a Postgres of its own."""

    data_dir: Path
    address: str
    process: subprocess.Popen[bytes]

    def run(self, *words: str | Path) -> tuple[float, int, dict[str, object]]:
        """Run a command; its seconds, the most memory it had, and what it said."""
        started = time.perf_counter()
        with tempfile.TemporaryFile() as output:
            child = subprocess.Popen(
                [
                    *(_COMMAND, *words),
                    *("--server", self.address, "--data-dir", self.data_dir),
                ],
                stdout=output,
            )
            most = 0
            while child.poll() is None:
                most = max(most, peak_of(child.pid))
                time.sleep(0.02)
            seconds = time.perf_counter() - started
            output.seek(0)
            said = output.read()
        if child.returncode:
            raise RuntimeError(f"{words} failed: {said.decode()}")
        return seconds, most, json.loads(said)

    def peak(self) -> int:
        """The most memory that the server had, without its Postgres, in bytes."""
        return peak_of(self.process.pid)


def peak_of(process: int) -> int:
    """Return the most memory that a process had so far, in bytes."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


@contextmanager
def served(directory: Path) -> Iterator[Server]:
    """A server while the block runs."""
    data_dir = directory / "data"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    process = subprocess.Popen(
        [_COMMAND, "system", "serve", "--data-dir", data_dir, "--server", address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with grpc.insecure_channel(address) as channel:
            grpc.channel_ready_future(channel).result(START_SECONDS_MAX)
        yield Server(data_dir, address, process)
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(data_dir, ignore_errors=True)


class Prober:
    """Sends prompts all the time, and notes how long their answers take."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address)
        self._stub = MemoryServiceStub(self._channel)
        self._seconds: list[float] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def taken(self) -> Samples:
        """Return the samples since the last call."""
        noted, self._seconds = self._seconds, []
        return Samples(noted)

    def stop(self) -> None:
        """Send no more."""
        self._stop.set()
        self._thread.join()
        self._channel.close()

    def _run(self) -> None:
        number = 0
        while not self._stop.wait(PROBE_SECONDS):
            number += 1
            turn = pb.Turn(
                role=pb.Turn.ROLE_USER, text=f"please update thing{number % 50}x"
            )
            began = time.perf_counter()
            with suppress(grpc.RpcError):
                self._stub.Recollect(pb.RecollectRequest(turns=[turn]))
            self._seconds.append(time.perf_counter() - began)


def measure(
    quick: bool = False, *, counts: Sequence[int] = (), real: int = REAL_MAX
) -> list[Part]:
    """Measure folders of several sizes, each with a new server, and real documents."""
    counts = counts or ((200, 1_000) if quick else COUNTS)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="festinger-", dir="/tmp") as directory:
        # The user that Postgres runs as must be able to enter it.
        place = Path(directory)
        place.chmod(0o755)
        for count in counts:
            folder = place / f"made-up-{count}"
            make_up(folder, count)
            rows += _rows(place, folder, f"{count}", f"{count:,} made up")
            shutil.rmtree(folder)
        folder = place / "real"
        if found := gather(folder, min(real, max(counts))):
            rows += _rows(place, folder, "real", f"{found:,} real")
    note = (
        "festinger ingest, with a server and a Postgres of their own: first without the "
        "extractors,\nthen with them (nothing is sent again), then once more. Prompts are "
        "sent meanwhile, 50 a second.\nMemory is the most that the process ever had; the "
        "server's is without its Postgres and the reader."
    )
    return [Part("Ingestion: documents read, in waves", note, rows)]


def _rows(place: Path, folder: Path, key: str, what: str) -> list[Row]:
    with served(place) as server:
        prober = Prober(server.address)
        time.sleep(2.0)
        quiet = prober.taken()
        read, client, told = server.run("ingest", folder, "--no-extract", "--json")
        reading = prober.taken()
        extracted, _, again = server.run("ingest", folder, "--json")
        extracting = prober.taken()
        unchanged, _, _ = server.run("ingest", folder, "--json")
        prober.stop()
        peak = server.peak()
    files, chunks = _count(told, "file_count"), _count(told, "new_chunk_count")
    found = _count(again, "report", "found_count")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    name = f"ingestion.{key}"
    return [
        Row(f"{name}.files_per_s", f"{what}: read", files / read, "files/s"),
        Row(f"{name}.mb_per_s", "  …", size / 2**20 / read, "MB/s"),
        Row(f"{name}.chunks_per_s", "  extracted", chunks / extracted, "chunks/s"),
        Row(f"{name}.found", "  … found", found, ""),
        Row(f"{name}.unchanged_s", "  once more, nothing new", unchanged, " s"),
        Row(f"{name}.server_mb", "  server's memory", peak / 2**20, "MB"),
        Row(f"{name}.client_mb", "  client's memory", client / 2**20, "MB"),
        *_delays(name, "idle", quiet),
        *_delays(name, "reading", reading),
        *_delays(name, "extracting", extracting),
    ]


def _delays(name: str, when: str, samples: Samples) -> list[Row]:
    if not samples.values:
        return []
    return [
        Row(
            f"{name}.recollect_{when}_p{share}_ms",
            f"  a prompt, {when}, p{share}",
            samples.quantile(share / 100) * 1e3,
            "ms",
        )
        for share in (50, 99)
    ]


def _count(told: dict[str, object], *keys: str) -> int:
    value: object = told["wave"]
    for key in keys:
        assert isinstance(value, dict)
        value = value[key]
    return int(str(value))


def make_up(folder: Path, count: int) -> None:
    """Markdown of some sections each, a tenth of it with decisions and the like."""
    source = random.Random(SEED)
    words = sorted(word for word in everyday_words() if word.isascii())
    for number in range(count):
        file = folder / f"part{number % 50:02}" / f"note{number:05}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_document(source, words, number), encoding="utf-8")


def _document(source: random.Random, words: Sequence[str], number: int) -> str:
    lines = [f"# Note {number}", ""]
    for section in range(source.randint(2, 6)):
        lines += [f"## {' '.join(source.sample(words, 3)).capitalize()}", ""]
        for _ in range(source.randint(1, 3)):
            lines += [_paragraph(source, words), ""]
        if source.random() < 0.05:
            lines += [f"## Decision: Use service{number}x for part {section}", ""]
        if source.random() < 0.05:
            lines += [f"- [Requirement] thing{number}x must answer in 50 ms", ""]
    return "\n".join(lines)


def _paragraph(source: random.Random, words: Sequence[str]) -> str:
    sentences = []
    for _ in range(source.randint(2, 6)):
        text = " ".join(source.choices(words, k=source.randint(6, 18)))
        sentences.append(f"{text.capitalize()}.")
    return " ".join(sentences)


def gather(folder: Path, most: int) -> int:
    """Copy documents that are on this machine; how many there were."""
    found = (
        file
        for place in _PLACES
        for file in sorted(place.rglob("*"))
        if file.suffix in _SUFFIXES and file.is_file() and not file.is_symlink()
    )
    count = 0
    for count, file in enumerate(islice(found, most), 1):
        copy = folder / f"{count % 50:02}" / f"{count}-{file.name}"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    return count
