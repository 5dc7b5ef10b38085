"""A scripted conversation that demonstrates Festinger without any installation.

A stand-in replaces Ollama. All else is real: an embedded Postgres, the memory server,
the shim and `gutask`.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from festinger.api.v1.concept_pb2 import Concept
from festinger.app import everything
from festinger.client import AsyncClient
from festinger.config import Settings
from festinger.core.system.excerpt import CLOSING, OPENING
from festinger.programs import RunningServices, StartProgress
from festinger.standin import StandIn

WRITE_SECONDS_MAX = 30.0
"""Maximum time until a stated fact is written, in seconds."""
PAUSE_SECONDS = 1.2
"""Pause between two steps on a terminal, in seconds."""

TUESDAY = (
    "The staging cluster runs in Falkenstein, and deploys to staging go out only after "
    "Priya has signed off.",
    "Kassel delivers the stock file at 05:40 every morning, so the importer starts at "
    "05:50.",
    # A secret, which the memory must not tell anybody.
    "The staging password is Tr0ub4dor&3Zx, by the way.",
    "Invoices are archived for eleven years in the vault bucket.",
    "We rotate the on-call pager every Tuesday at ten.",
)
"""Prompts that a person types to her agent."""
THURSDAY = "Please write the checklist for deploying the catalog to staging."
CHANGE = "Correction: Kassel delivers the stock file at 06:10 now."


async def demo(
    console: Console, progress: StartProgress, *, pause: bool | None = None
) -> None:
    """Run the conversation and remove everything afterwards.

    Args:
        pause: Whether to wait between the steps; None waits on a terminal.
    """
    wait = PAUSE_SECONDS if (console.is_terminal if pause is None else pause) else 0.0
    with _scratch() as data_dir:
        async with StandIn() as ollama:
            settings = Settings.model_validate(
                {
                    "data_dir": data_dir,
                    # Port 0: a Festinger of this machine may use the usual ones.
                    "server": {"address": "127.0.0.1:0"},
                    "shim": {
                        "address": "127.0.0.1:0",
                        "upstream": ollama.url,
                        # Speed does not matter here, and no prompt may miss the memory.
                        "memory_milliseconds_max": 2000,
                    },
                }
            )
            async with everything(settings, progress) as running:
                await _DemoScript(console, ollama, running, data_dir, wait).play()


@dataclass(frozen=True, slots=True)
class _DemoScript:
    """The script of the demo and its output."""

    _console: Console
    _ollama: StandIn
    _running: RunningServices
    _data_dir: Path
    _pause: float

    async def play(self) -> None:
        """Run the steps of the script."""
        url = f"http://{self._running.shim}"
        self._console.print(
            f"\n[bold green]Festinger is ready[/] at {url}, in front of a stand-in for "
            "Ollama.\nA team uses it as its Ollama. Nobody does anything else."
        )
        await self._scene("Tuesday: Nadia works with her agent")
        for text in TUESDAY:
            await self._ask("nadia", text, show=False)
        await self._until_said(TUESDAY[-1])  # read in this order
        said = "The model got all of it untouched. What Nadia said is kept."
        self._console.print(said, style="dim")

        await self._scene("Thursday: Theo's agent, in another conversation, is told")
        await self._ask("theo", THURSDAY)

        await self._scene("A prompt that needs nothing is left alone")
        await self._ask("theo", "Write a haiku about the rain.")

        await self._scene("What changed is told as it is now")
        await self._ask("nadia", CHANGE, show=False)
        await self._until_said(CHANGE)
        await self._ask("theo", "When does the stock file from Kassel arrive?")

        await self._scene("A contradiction is refused, and shown as doubt")
        # In a project of its own, so that the team's lines above stay what they are.
        await self._ask("alice", "gnommoweb is a repo.", project="lab", show=False)
        await self._until_known(lambda concept: bool(concept.edges))
        await self._ask(
            "carol", "gnommoweb is a container deployed on Docker", project="lab"
        )
        await self._until_known(lambda concept: bool(concept.conflict_ids))
        await self._shell("festinger", "inbox", "--list")

        await self._scene("You see what is kept, and you can have it forgotten")
        await self._shell("festinger", "facts", "staging")
        await self._shell("festinger", "forget", "--phrase", "Falkenstein", "--yes")
        self._console.print(
            "\n[bold green]That is all.[/] `make run` starts it for your own Ollama.\n"
        )

    async def _scene(self, title: str) -> None:
        await asyncio.sleep(self._pause)
        self._console.print()
        self._console.rule(f"[bold]{title}", align="left", style="dim")

    async def _ask(
        self, agent: str, text: str, *, project: str = "shop", show: bool = True
    ) -> None:
        """Send a prompt as an agent would, and print what the model was given."""
        self._console.print(f"[bold cyan]{agent}[/] says: {text}")
        body = {
            "model": "llama3",
            "stream": False,
            "messages": [{"role": "user", "content": text}],
        }
        # Who speaks and where is in the path, as clients are configured.
        url = f"http://{self._running.shim}/as/{agent}/in/{project}/api/chat"
        async with (
            aiohttp.ClientSession() as session,
            session.post(url, json=body) as response,
        ):
            response.raise_for_status()
        await asyncio.sleep(self._pause / 2)
        if show:
            self._console.print(_as_given(self._ollama.prompts[-1].json))

    async def _until_said(self, text: str) -> None:
        """Wait until the writer has stored a prompt, which it does after the answer."""

        async def is_said(client: AsyncClient) -> bool:
            """Return whether the newest line is of the prompt, which may have several."""
            found = (await client.search(limit=1)).lines
            return bool(found) and found[0].quote in text

        await self._until(is_said)

    async def _until_known(self, is_so: Callable[[Concept], bool]) -> None:
        """Wait until a concept meets a condition, since facts are written later."""

        async def is_known(client: AsyncClient) -> bool:
            """Return whether the concept of the conversation meets the condition."""
            return is_so(await client.concept("gnommoweb"))

        await self._until(is_known)

    async def _until(self, is_so: Callable[[AsyncClient], Awaitable[bool]]) -> None:
        async with (
            AsyncClient(self._running.server) as client,
            asyncio.timeout(WRITE_SECONDS_MAX),
        ):
            while True:
                if await is_so(client):
                    return
                await asyncio.sleep(0.02)

    async def _shell(self, *words: str) -> None:
        """Run a real command, and print its output."""
        self._console.print(f"[bold cyan]$[/] {shlex.join(words)}")
        program, *arguments = words
        process = await asyncio.create_subprocess_exec(
            # The command of this installation, which need not be in PATH.
            Path(sys.executable).with_name(program),
            *arguments,
            env={
                **os.environ,
                "FESTINGER_SERVER": self._running.server,
                "FESTINGER_DATA_DIR": str(self._data_dir),
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        self._console.print(Text(output.decode().strip(), style="green"))


def _as_given(body: dict[str, Any]) -> Panel:
    """Return the prompt that the model was given, with our own block in colour."""
    text = Text()
    for message in body["messages"]:
        if text:
            text.append("\n")
        text.append(f"{message['role']}: ", style="bold")
        for line in message["content"].splitlines(keepends=True):
            text.append(line, style=_style(line))
    return Panel(text, title="the model was given", title_align="left", style="dim")


def _style(line: str) -> str:
    # Our own tags, then questions and doubts, then facts and quotations.
    if line.startswith((OPENING, CLOSING)):
        return "magenta"
    if "?]" in line or line.startswith("?"):
        return "bold yellow"
    is_told = ": [" in line or (", " in line and ': "' in line)
    return "bold green" if is_told else "default"


@contextmanager
def _scratch() -> Iterator[Path]:
    """Create a temporary data directory that the embedded Postgres' user can enter."""
    # Root starts Postgres as another user, for whom the path has to be passable; a short
    # one, since the name of a socket has a limit.
    directory = Path(tempfile.mkdtemp(prefix="festinger-demo-", dir="/tmp"))
    directory.chmod(0o711)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)
