"""Commands that start processes: up, serve, shim, bots, demo."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import click
from rich.console import Console

from festinger.cli import logs
from festinger.cli.application import application
from festinger.cli.options import (
    CONFIG,
    DATA_DIR,
    DSN,
    SERVER,
    SHIM,
    UPSTREAM,
    options,
    source,
)
from festinger.cli.output import forgiving
from festinger.cli.progress import StartReporter
from festinger.cli.system.supervising import supervised
from festinger.config import PromptStorage, Settings, host_and_port, is_loopback
from festinger.credentials import LOCAL, OPERATOR, read_token, token_file
from festinger.errors import FestingerError

# Servers outlive their terminal: a failed write must not stop them.
CONSOLE = Console(file=forgiving(sys.stdout), highlight=False)


@click.command()
@options(CONFIG, DATA_DIR, UPSTREAM, SHIM, SERVER, DSN)
def up(config_file: Path | None, **values: Any) -> None:
    """Run everything on this machine: database, memory server and shim."""
    origin = source(config_file, **values)
    chosen = origin.read()
    # WARNING: the output is for people, in `up`.
    logs.set_up(logging.WARNING, chosen.log)
    # The first start creates the operator's token.
    is_first = read_token(chosen.data_dir, OPERATOR) is None

    async def announce(running: Any) -> None:
        """Print the addresses, and at the first start the stored data."""
        await _announce(chosen, running)
        if is_first:
            _say_what_is_kept(chosen)

    run(lambda progress: application("everything")(chosen, progress, origin), announce)


@click.command()
@options(CONFIG, DATA_DIR, SERVER, DSN)
def serve(config_file: Path | None, **values: Any) -> None:
    """Run the gRPC memory server."""
    origin = source(config_file, **values)
    chosen = origin.read()
    logs.set_up(settings=chosen.log)

    async def announce(running: Any) -> None:
        """Print the addresses of the server and of its metrics."""
        CONSOLE.print(f"The memory server listens on {running.server}", style="bold")
        if running.metrics:
            url = f"{chosen.server.tls.scheme}://{running.metrics}/metrics"
            CONSOLE.print(f"Its metrics are at {url}")

    run(lambda progress: application("serving")(chosen, progress, origin), announce)


@click.command()
@options(CONFIG, DATA_DIR, UPSTREAM, SHIM, SERVER)
def shim(config_file: Path | None, **values: Any) -> None:
    """Run the Ollama-compatible shim."""
    origin = source(config_file, **values)
    chosen = origin.read()
    logs.set_up(settings=chosen.log)

    async def announce(running: Any) -> None:
        """Print the address of the shim."""
        url = f"{chosen.shim.tls.scheme}://{running.shim}"
        CONSOLE.print(f"The shim listens on {url}", style="bold")

    run(lambda progress: application("shimming")(chosen, origin), announce)


@click.command()
@options(CONFIG, DATA_DIR, SERVER)
def bots(config_file: Path | None, **values: Any) -> None:
    """Run the bots that ask people whether statements are true.

    They need the token in bots.token of the server's data directory.
    """
    origin = source(config_file, **values)
    chosen = origin.read()
    logs.set_up(settings=chosen.log)

    async def announce(running: Any) -> None:
        """Print the platforms of the bots."""
        where = ", ".join(running.platforms)
        CONSOLE.print(f"The bots ask on {where}", style="bold")
        if running.chat:
            CONSOLE.print(f"Answers are brought to http://{running.chat}")

    run(lambda progress: application("chatting")(chosen, origin), announce)


@click.command()
@click.option("--pause/--no-pause", default=None, help="Wait a moment between steps.")
def demo(pause: bool | None) -> None:
    """Show it: a scripted conversation with a stand-in for Ollama.

    Nothing is left behind, and nothing is needed.
    """
    logs.set_up(logging.ERROR)
    with StartReporter(CONSOLE) as progress:
        supervised(application("demo")(CONSOLE, progress, pause=pause), _tell_stop)


def run(
    start: Callable[[StartReporter], AbstractAsyncContextManager[Any]],
    announce: Callable[[Any], Awaitable[None]],
) -> None:
    """Start an application and run it until it is interrupted, then shut it down.

    Args:
        start: Returns the context manager that runs the application.
        announce: Prints what is running.

    Raises:
        FestingerError: The application cannot be started.
    """

    async def work() -> None:
        """Start, announce and serve until stopped."""
        # Left before anything is printed, so that the bar is gone.
        with StartReporter(CONSOLE) as progress:
            context = start(progress)
            # By hand, as the display is left between the start and the wait.
            running = await context.__aenter__()
        try:
            await announce(running)
            # The present objects live as long as the process: exclude them from garbage
            # collections, which would take tens of milliseconds each.
            gc.collect()
            gc.freeze()
            await asyncio.Event().wait()
        finally:
            await context.__aexit__(None, None, None)

    with suppress(click.Abort):  # being stopped is how it ends
        supervised(work(), _tell_stop)


def _tell_stop() -> None:
    CONSOLE.print("\nStopping …", style="dim")


async def _announce(chosen: Settings, running: Any) -> None:
    url = f"{chosen.shim.tls.scheme}://{running.shim}"
    # Its own token, where this machine needs one.
    token = read_token(chosen.data_dir, LOCAL) or ""
    upstream = await _upstream(f"{url}/token/{token}")
    shown = url
    # Others need the token in the address; the file's name is shown, not its content.
    if not is_loopback(host_and_port(running.shim)[0]):
        shown += f"/token/$(cat {token_file(chosen.data_dir, LOCAL)})"
    metrics = f"  metrics   {url}/metrics"
    if running.metrics:
        metrics += f" and {chosen.server.tls.scheme}://{running.metrics}/metrics"
    chat = ", ".join(running.platforms)
    if running.chat:
        chat += f", answers at http://{running.chat}"
    for line, style in (
        ("\nFestinger is ready.", "bold green"),
        (f"  shim      {url}", ""),
        (f"  console   {url}/admin", ""),
        (f"  server    {running.server} (gRPC)", ""),
        (f"  upstream  {chosen.shim.upstream}  {upstream}", ""),
        (metrics, ""),
        *([(f"  bots      {chat}", "")] if chat else ()),
        (f"  data      {chosen.data_dir}", ""),
        ("\nPoint your Ollama clients at it and change nothing else:\n", ""),
        (f"  export OLLAMA_HOST={shown}", "bold"),
        ("\nCtrl-C stops it.", "dim"),
    ):
        # Addresses are copied: they must not be broken into lines.
        CONSOLE.print(line, style=style, soft_wrap=True)


def _say_what_is_kept(chosen: Settings) -> None:
    """Print which user data is kept, and how to change that, at the first start."""
    match chosen.memory.keep:
        case PromptStorage.UTTERANCES:
            kept = (
                "What people type to their agents is kept for "
                f"{chosen.memory.keep_days} days, without passwords and keys, in "
                f"{chosen.data_dir}."
            )
        case PromptStorage.STATEMENTS:
            kept = f"Facts that people state are kept, in {chosen.data_dir}."
        case PromptStorage.NOTHING:
            kept = "Nothing of what people type is kept."
    for line in (
        f"\n{kept}",
        "To keep less, set memory.keep to `statements` or `nothing` "
        "(FESTINGER_MEMORY__KEEP), or memory.keep_days.",
        *_what_is_read(chosen),
        "See it with `festinger facts`, remove it with `festinger forget`.",
    ):
        CONSOLE.print(line, soft_wrap=True)


def _what_is_read(chosen: Settings) -> list[str]:
    """Return lines about the model that reads user messages, if there is one."""
    learning = chosen.learning
    if chosen.memory.keep is PromptStorage.NOTHING or not learning.is_on:
        return []
    if learning.model_id:
        who = f"Model {learning.model_id} reads it"
    else:
        who = (
            "The model that your agents have loaded reads it once nobody has asked for "
            f"{learning.idle_seconds:g} seconds"
        )
    return [
        f"{who}, and what it finds becomes statements.",
        "Set learning.model to `off` (FESTINGER_LEARNING__MODEL), or pause it: "
        "`festinger config set reading off`.",
    ]


async def _upstream(url: str) -> str:
    """Return the state of the upstream from the shim's health check."""
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=3)) as session,
            # On this machine; its authority need not be known to the system.
            session.get(f"{url}/festinger/health", ssl=False) as response,
        ):
            upstream = (await response.json())["upstream"]
    except (aiohttp.ClientError, TimeoutError, KeyError) as error:
        raise FestingerError(f"the shim does not answer: {error}") from error
    if upstream["state"] == "ready":
        return f"[green]answers (Ollama {upstream.get('version', '?')})[/green]"
    return "[yellow]does not answer yet: prompts get a 502 until it does[/yellow]"
