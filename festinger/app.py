"""The composition root: opens the adapters, wires the flows, closes in reverse."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import structlog

from festinger.chat import bots
from festinger.config import (
    Settings,
    Source,
    Trust,
    TrustSettings,
    ValidationSettings,
    host_and_port,
    require_loopback,
)
from festinger.console import Console
from festinger.core.candidates import Priority
from festinger.core.memories.policy import policy_of
from festinger.core.reading import Role
from festinger.core.validation.policy import Person, Policy
from festinger.credentials import (
    BOTS,
    OPERATOR,
    SHIM,
    ensure_callers,
    read_token,
    token_file,
)
from festinger.errors import ConfigurationError
from festinger.flows.asking import Asker, Limits
from festinger.flows.dreamer import Dreamer
from festinger.flows.expiring import Expirer
from festinger.flows.extracting import Extraction
from festinger.flows.guessing import Guesser
from festinger.flows.ingesting import Ingester
from festinger.flows.inquirer import Inquirer
from festinger.flows.memory import Memories
from festinger.flows.models import Models
from festinger.flows.questioning import Questioner
from festinger.flows.rememberer import Rememberer
from festinger.flows.resolver import Resolver
from festinger.flows.retraining import Retrainer
from festinger.flows.validation import Validation
from festinger.llm.keyring import FileKeyring
from festinger.llm.providers import providers
from festinger.metrics.listener import Listener
from festinger.metrics.server import registry_of
from festinger.opening import (
    DEFAULT_TENANT,
    SILENT,
    Progress,
    open_store,
    require_free,
    sole_server,
)
from festinger.rpc.server import Server
from festinger.shim.app import Shim
from festinger.shim.guard import HostGuard
from festinger.store.labelfiles import LabelFolder
from festinger.store.postgres import PostgresStore
from festinger.store.reports import ReportFolders
from festinger.workers.apart import Apart
from festinger.workers.follower import POLL_SECONDS, Follower
from festinger.workers.periodic import (
    ASK_SECONDS,
    DREAM_SECONDS,
    EXPIRE_SECONDS,
    EXTRACT_SECONDS,
    FLUSH_SECONDS,
    GUESS_SECONDS,
    INQUIRE_SECONDS,
    LEARN_SECONDS,
    LISTEN_SECONDS,
    PRUNE_SECONDS,
    REMEMBER_SECONDS,
    RESOLVE_SECONDS,
    SWEEP_SECONDS,
    WATCH_SECONDS,
    DatabaseWatch,
    every,
)
from festinger.workers.reconfigure import LOOK_SECONDS, Reconfigurer

_LOG = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Running:
    """What was started, and where it listens.

    Attributes:
        metrics: Where the server's numbers are; empty for nowhere.
        platforms: Where bots ask people.
        chat: Where answers are brought to them; empty for nowhere.
        apply: Takes a changed configuration over, as far as it can.
    """

    server: str = ""
    shim: str = ""
    metrics: str = ""
    platforms: Sequence[str] = ()
    chat: str = ""
    apply: Callable[[Settings], None] = lambda settings: None


@asynccontextmanager
async def serving(
    settings: Settings, progress: Progress = SILENT, source: Source | None = None
) -> AsyncIterator[Running]:
    """Runs the memory server.

    Args:
        source: The configuration, if it is to be read again when its file changes.

    Raises:
        FestingerError: It cannot; the message says why and what to do.
    """
    async with (
        _serving(settings, progress) as running,
        _reconfigured(running, source, settings),
    ):
        yield running


@asynccontextmanager
async def shimming(
    settings: Settings, source: Source | None = None
) -> AsyncIterator[Running]:
    """Runs the shim; the memory server may come and go.

    Args:
        source: The configuration, if it is to be read again when its file changes.

    Raises:
        FestingerError: It cannot; the message says why and what to do.
    """
    async with (
        _shimming(settings) as running,
        _reconfigured(running, source, settings),
    ):
        yield running


@asynccontextmanager
async def chatting(
    settings: Settings, source: Source | None = None
) -> AsyncIterator[Running]:
    """Runs the bots; the memory server and the platforms may come and go.

    Args:
        source: The configuration, if it is to be read again when its file changes.

    Raises:
        FestingerError: It cannot; the message says why and what to do.
    """
    if not settings.chat.platforms:
        raise ConfigurationError(
            "no platform is set on which to ask people. Set chat.matrix, chat.slack or "
            "chat.webhook; `festinger check --explain` says how"
        )
    async with (
        _chatting(settings) as running,
        _reconfigured(running, source, settings),
    ):
        yield running


@asynccontextmanager
async def everything(
    settings: Settings, progress: Progress = SILENT, source: Source | None = None
) -> AsyncIterator[Running]:
    """Runs server, shim and bots on one machine.

    Args:
        source: The configuration, if it is to be read again when its file changes.

    Raises:
        FestingerError: It cannot; the message says why and what to do.
    """
    require_free("shim", settings.shim.address)
    async with _serving(settings, progress) as server:
        section = settings.server.model_copy(update={"address": server.server})
        located = settings.model_copy(update={"server": section})
        async with _shimming(located) as shim, _chatting(located) as chat:

            def apply(changed: Settings) -> None:
                shim.apply(changed)  # first, for it may refuse
                server.apply(changed)
                chat.apply(changed)

            running = Running(
                server.server,
                shim.shim,
                server.metrics,
                chat.platforms,
                chat.chat,
                apply,
            )
            async with _reconfigured(running, source, settings):
                yield running


@asynccontextmanager
async def _serving(settings: Settings, progress: Progress) -> AsyncIterator[Running]:
    require_free("server", settings.server.address)
    async with AsyncExitStack() as stack:
        stack.enter_context(sole_server(settings.data_dir))
        callers = ensure_callers(settings.data_dir)
        store, revive = await open_store(settings, progress, stack)
        trust = _trust(settings.trust)
        validation = Validation()
        memories = Memories(
            store,
            now=now,
            trust=trust,
            complain=_complaints("set_aside"),
            validation=validation,
        )
        stack.push_async_callback(memories.stop)
        await memories.get(DEFAULT_TENANT)
        models = _models(settings, store, memories)
        apart = Apart(store.dictionary)
        stack.callback(apart.close)
        resolver, inquirer, rememberer = _by_models(
            store, memories, models, apart, stack
        )

        dreamer, guesser = _dreaming(store, memories, models, stack)

        def apply(changed: Settings) -> None:
            # The memories look into the same mapping.
            trust.update(_trust(changed.trust))
            rememberer.policy = policy_of(changed)
            inquirer.thresholds = rememberer.policy.thresholds
            dreamer.thresholds = rememberer.policy.thresholds
            guesser.thresholds = rememberer.policy.thresholds
            validation.policy = _policy(changed.validation)

        apply(settings)
        ingester = _ingester(settings, store, memories, apart, stack)
        questioner = _asking(store, memories)
        retrainer = _retrainer(settings, store, memories)
        server = Server(
            settings.server,
            memories,
            callers,
            models,
            resolver,
            inquirer,
            ingester,
            rememberer,
            dreamer,
            store.predicates,
            retrainer,
            questioner,
        )
        watch = DatabaseWatch(store.ping, revive, server.set_database)
        follower = Follower(memories, server.recommend, asyncio.get_running_loop().time)
        for seconds, name, action in (
            (FLUSH_SECONDS, "flush", memories.flush),
            (PRUNE_SECONDS, "prune", memories.prune),
            (SWEEP_SECONDS, "sweep", memories.sweep),
            (WATCH_SECONDS, "watch", watch.look),
            (POLL_SECONDS, "follow", follower.look),
            (RESOLVE_SECONDS, "resolve", resolver.look),
            (LISTEN_SECONDS, "listen", inquirer.listen),
            (INQUIRE_SECONDS, "inquire", inquirer.look),
            (REMEMBER_SECONDS, "remember", rememberer.look),
            (EXTRACT_SECONDS, "extract", ingester.extraction.look),
            (ASK_SECONDS, "ask", questioner.look),
            (EXPIRE_SECONDS, "expire", _expirer(store, memories).look),
            (DREAM_SECONDS, "dream", dreamer.look),
            (GUESS_SECONDS, "guess", guesser.look),
            (LEARN_SECONDS, "learn", retrainer.look),
            (LEARN_SECONDS, "watch_validation", retrainer.watch),
        ):
            task = asyncio.create_task(every(seconds, name, action))
            stack.push_async_callback(_cancel, task)
        metrics = await _metrics(settings, memories, follower, stack)
        address = await server.start()
        # Last in, first out: calls end before the memories they use are closed.
        stack.push_async_callback(server.stop)
        yield Running(server=address, metrics=metrics, apply=apply)


async def _metrics(
    settings: Settings, memories: Memories, follower: Follower, stack: AsyncExitStack
) -> str:
    """Serves the numbers of a server where its settings say; the address, if any."""
    section = settings.server
    if (address := section.metrics_address) is None:
        return ""
    require_loopback(
        "server",
        address,
        trusted_network=section.trusted_network,
        key="metrics_address",
    )
    host, _ = host_and_port(address)
    registry = registry_of(memories, now, lambda: follower.silence)
    check = HostGuard(host, section.allowed_hosts, "server.allowed_hosts").check
    listener = Listener(address, registry, check)
    stack.push_async_callback(listener.stop)
    return await listener.start()


@asynccontextmanager
async def _shimming(settings: Settings) -> AsyncIterator[Running]:
    token = read_token(settings.data_dir, SHIM)
    console = Console(
        settings.shim,
        settings.server.address,
        lambda: read_token(settings.data_dir, OPERATOR),
        agents=lambda: token,
        now=now,
    )
    async with Shim(settings.shim, settings.server.address, token, console) as shim:
        yield Running(shim=shim.address, apply=lambda it: shim.apply(it.shim))


@asynccontextmanager
async def _chatting(settings: Settings) -> AsyncIterator[Running]:
    if not settings.chat.platforms:
        yield Running()
        return
    token = read_token(settings.data_dir, BOTS)
    if not token:
        file = token_file(settings.data_dir, BOTS)
        raise ConfigurationError(
            f"the bots need the token in {file}, which is not there or not yours to "
            "read. The memory server makes it at its first start: name its data "
            "directory with --data-dir, or copy the file"
        )
    async with bots.running(
        settings.chat,
        settings.validation,
        settings.data_dir / "chat",
        settings.server.address,
        token,
        now,
    ) as started:
        yield Running(
            platforms=started.platforms,
            chat=started.address,
            apply=lambda changed: started.apply(changed.validation),
        )


async def add_tenant(settings: Settings, tenant: str) -> bool:
    """Makes a memory; False if there is one of that name.

    Raises:
        FestingerError: It cannot; the message says why and what to do.
    """
    async with AsyncExitStack() as stack:
        store, _ = await open_store(settings, SILENT, stack)
        return await store.add_tenant(tenant)


async def tenants(settings: Settings) -> list[str]:
    """The names of the memories.

    Raises:
        FestingerError: It cannot; the message says why and what to do.
    """
    async with AsyncExitStack() as stack:
        store, _ = await open_store(settings, SILENT, stack)
        return await store.tenants()


def now() -> float:
    """Seconds since the epoch, in the microseconds that Postgres keeps."""
    return time.time_ns() // 1000 / 1e6


@asynccontextmanager
async def _reconfigured(
    running: Running, source: Source | None, settings: Settings
) -> AsyncIterator[None]:
    """Has what runs follow its configuration."""
    if source is None or source.file is None:
        yield
        return
    look = Reconfigurer(source, settings, running.apply).look
    task = asyncio.create_task(every(LOOK_SECONDS, "reconfigure", look))
    try:
        yield
    finally:
        await _cancel(task)


def _models(settings: Settings, store: PostgresStore, memories: Memories) -> Models:
    """The models, and whom to ask for them."""
    keyring = FileKeyring(settings.data_dir, settings.models.keys)
    further = sorted(settings.shim.upstreams, key=lambda each: each.priority)
    upstreams = [settings.shim.upstream, *(each.url for each in further)]
    limits = Limits(
        answer_seconds_max=settings.models.answer_seconds_max,
        attempts_max=settings.models.attempts_max,
        calls_max=settings.models.calls_max,
    )
    asker = Asker(
        store.models, keyring, providers(upstreams), memories, now=now, limits=limits
    )
    return Models(
        store.models,
        keyring,
        asker,
        monotonic=time.monotonic,
        own=settings.shim.address,
    )


def _complaints(event: str) -> Callable[[str], None]:
    """Writes what something complains of into the log."""
    return lambda message: _LOG.warning(event, problem=message)


def _by_models(
    store: PostgresStore,
    memories: Memories,
    models: Models,
    apart: Apart,
    stack: AsyncExitStack,
) -> tuple[Resolver, Inquirer, Rememberer]:
    """What language models do in the background."""
    resolver = Resolver(
        memories,
        models.asker,
        store.runs,
        now=now,
        complain=_complaints("resolver"),
    )
    stack.push_async_callback(resolver.stop)
    inquirer = Inquirer(
        memories,
        models.asker,
        store.inquiries,
        now=now,
        complain=_complaints("inquirer"),
    )
    stack.push_async_callback(inquirer.stop)
    rememberer = Rememberer(
        memories,
        models.asker,
        store.interactions,
        apart,
        now=now,
        complain=_complaints("rememberer"),
    )
    stack.push_async_callback(rememberer.stop)
    return resolver, inquirer, rememberer


def _expirer(store: PostgresStore, memories: Memories) -> Expirer:
    """Ends what nobody decided in time."""
    return Expirer(memories, store.answers, now=now, complain=_complaints("expirer"))


def _dreaming(
    store: PostgresStore, memories: Memories, models: Models, stack: AsyncExitStack
) -> tuple[Dreamer, Guesser]:
    """What models do with what people rejected or left, and what is ambiguous."""
    dreamer = Dreamer(
        memories,
        models.asker,
        store.models,
        store.backlog,
        store.nights,
        now=now,
        complain=_complaints("dreamer"),
    )
    stack.push_async_callback(dreamer.stop)
    guesser = Guesser(
        memories,
        models.asker,
        store.models,
        now=now,
        complain=_complaints("guesser"),
    )
    stack.push_async_callback(guesser.stop)
    return dreamer, guesser


def _ingester(
    settings: Settings,
    store: PostgresStore,
    memories: Memories,
    reader: Apart,
    stack: AsyncExitStack,
) -> Ingester:
    """Reads documents, in a process of its own."""
    extraction = Extraction(
        memories,
        store.documents,
        store.sweeps,
        reader,
        ReportFolders(settings.data_dir),
        now=now,
        complain=_complaints("extraction"),
    )
    stack.push_async_callback(extraction.stop)
    return Ingester(store.documents, reader, extraction, now=now)


def _asking(store: PostgresStore, memories: Memories) -> Questioner:
    """Asks people what is too doubtful to be held."""
    return Questioner(memories, store.questions, now=now)


def _retrainer(
    settings: Settings, store: PostgresStore, memories: Memories
) -> Retrainer:
    """Learns from people's answers, and watches how validation goes."""
    return Retrainer(
        memories,
        store.lessons,
        LabelFolder(settings.data_dir),
        now=now,
        complain=_complaints("validation"),
    )


def _policy(settings: ValidationSettings) -> Policy:
    """What validation goes by."""
    people = {
        name: Person(
            {
                platform: account
                for platform in ("matrix", "slack", "webhook")
                if (account := getattr(person, platform))
            },
            person.moderator,
            person.high,
        )
        for name, person in settings.people.items()
    }
    return Policy(
        predicates=settings.predicates,
        share=settings.share,
        ttl_seconds={
            Priority.CRITICAL: settings.critical_seconds,
            Priority.HIGH: settings.high_seconds,
            Priority.NORMAL: settings.normal_seconds,
            Priority.LOW: settings.normal_seconds,
        },
        person_questions_max=settings.person_questions_max,
        channel_questions_max=settings.channel_questions_max,
        gold_share=settings.gold_share,
        people=people,
        channel=settings.channel,
        moderator_channel=settings.moderator_channel,
        digest_schedule=settings.digest_schedule,
        timezone=settings.timezone,
        console_url=settings.console_url,
        reversed_max=settings.reversed_max,
        reversed_min=settings.reversed_min,
    )


def _trust(settings: TrustSettings) -> dict[Role, Trust]:
    return {role: getattr(settings, role.value) for role in Role}


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
