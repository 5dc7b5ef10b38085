"""Construction of the background services of a memory server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import fields
from typing import Any, NamedTuple

from festinger.config import ModelSettings, Settings, ValidationSettings
from festinger.core.graph.candidates import Priority
from festinger.core.memories.policy import policy_of
from festinger.core.system.models import Model, Provider
from festinger.core.validation.policy import Person, ValidationPolicy
from festinger.errors import ModelUnavailable
from festinger.llm.interface import ModelQuestion, TryAgain
from festinger.llm.keyring import FileKeyring
from festinger.llm.providers import providers
from festinger.programs import complaints, now
from festinger.services.graph.resolver import Resolver
from festinger.services.language.reader.providers import ProviderReader
from festinger.services.language.reader.turns import TurnReading
from festinger.services.memories.memory_extractor import MemoryExtractor
from festinger.services.review.extraction import WaveExtraction
from festinger.services.review.ingester import Ingester
from festinger.services.system.model_asker import Limits, ModelAsker
from festinger.services.system.models import Models
from festinger.services.system.registry import ServiceRegistry
from festinger.services.validation.dreamer import Dreamer
from festinger.services.validation.expiry import Expirer
from festinger.services.validation.guesser import Guesser
from festinger.services.validation.questioner import Questioner
from festinger.services.validation.retrainer import Retrainer
from festinger.services.world.memory import Memories
from festinger.store.postgres import PostgresStore
from festinger.store.review.reports import ReportFolders
from festinger.store.validation.labelfiles import LabelFolder
from festinger.workers.worker_process import WorkerProcess

PeriodicTask = tuple[float, str, Callable[[], Awaitable[None]]]
"""A periodic task: its pause in seconds, its name in the log, and its function."""


class Services(NamedTuple):
    """The background services of a process.

    Attributes:
        registry: Those that RPC methods use.
        tasks: The periodic tasks.
        apply: Applies changed settings of scoring, grounding, validation and reading.
    """

    registry: ServiceRegistry
    tasks: Sequence[PeriodicTask]
    apply: Callable[[Settings], None]


def create_services(
    settings: Settings, store: PostgresStore, memories: Memories, stack: AsyncExitStack
) -> Services:
    """Create the background services; the stack stops them when it exits."""
    # One asker for all, so that its limits of calls hold for them together.
    models = _models(settings, store, memories)
    asker = models.asker
    # A process of its own reads long texts, so that prompts need not wait for them.
    apart = WorkerProcess(store.dictionary)
    stack.callback(apart.close)
    resolver = Resolver(
        memories, asker, store.runs, now=now, complain=complaints("resolver")
    )
    memory_extractor = MemoryExtractor(
        memories,
        asker,
        store.interactions,
        apart,
        now=now,
        complain=complaints("memory_extractor"),
    )
    ingester = _ingester(settings, store, memories, apart)
    questioner = Questioner(
        memories, store.questions, now=now, complain=complaints("questioner")
    )
    expirer = Expirer(memories, store, now=now, complain=complaints("expirer"))
    dreamer = Dreamer(
        memories,
        asker,
        store.models,
        store.backlog,
        store.dream_runs,
        now=now,
        complain=complaints("dreamer"),
    )
    guesser = Guesser(
        memories, asker, store.models, now=now, complain=complaints("guesser")
    )
    retrainer = Retrainer(
        memories,
        store.lessons,
        LabelFolder(settings.data_dir),
        now=now,
        complain=complaints("validation"),
    )
    reading = TurnReading(store.unread, complain=complaints("reading"))
    provider_reader = ProviderReader(
        memories, reading, store.models, asker, now=now, complain=complaints("reading")
    )
    # Above the worker process in the stack, and so stopped before it: they use it.
    for each in (
        resolver,
        memory_extractor,
        dreamer,
        guesser,
        provider_reader,
        ingester.extraction,
    ):
        stack.push_async_callback(each.stop)

    def apply(settings: Settings) -> None:
        """Apply settings, which the services read at each use."""
        memory_extractor.policy = policy_of(settings)
        dreamer.thresholds = guesser.thresholds = memory_extractor.policy.thresholds
        memories.validation.policy = policy(settings.validation)
        memories.have_read(settings.learning.is_on)
        provider_reader.settings = settings.learning

    apply(settings)  # what a changed file applies is applied at the start
    registry = ServiceRegistry(
        models=models,
        resolver=resolver,
        memory_extractor=memory_extractor,
        ingester=ingester,
        questioner=questioner,
        dreamer=dreamer,
        predicates=store.predicates,
        retrainer=retrainer,
        reading=reading,
    )
    # Each looks for work that is due, at this interval in seconds; most find none.
    tasks: tuple[PeriodicTask, ...] = (
        (10.0, "resolve", resolver.look),
        (10.0, "remember", memory_extractor.look),
        (5.0, "extract", ingester.extraction.look),
        (5.0, "ask", questioner.look),
        (5.0, "expire", expirer.look),
        (10.0, "dream", dreamer.look),
        (2.0, "guess", guesser.look),
        (5.0, "read", provider_reader.look),
        (60.0, "learn", retrainer.look),
        (60.0, "watch_validation", retrainer.watch),
    )
    return Services(registry, tasks, apply)


# An entry point, `festinger.app`: the command line, which imports no services, loads it by name.
def asking(
    upstream: str, name: str
) -> Callable[[str, str, Mapping[str, Any]], Awaitable[str]]:
    """Return a function that asks a model of an Ollama.

    Its arguments are the system message, the user message and the schema of the answer.
    """
    # Outside of a server: without keys, limits and tenants.
    model = Model(0, Provider.OLLAMA, name)
    ollama = providers([upstream])[Provider.OLLAMA]
    seconds = ModelSettings().answer_seconds_max

    async def ask(system: str, prompt: str, schema: Mapping[str, Any]) -> str:
        """Return the model's answer; raise its last error."""
        try:
            async with asyncio.timeout(seconds):
                question = ModelQuestion(system, prompt, schema)
                reply = await ollama.answer(model, None, question)
        # There is no queue here that would ask again later.
        except TryAgain as again:
            raise again.error from None
        except TimeoutError:
            raise ModelUnavailable(
                f"{name} at {upstream} gave no answer within {seconds:g} s"
            ) from None
        return reply.text

    return ask


def _models(settings: Settings, store: PostgresStore, memories: Memories) -> Models:
    """Create the service of the language models, with all their providers."""
    keyring = FileKeyring(settings.data_dir, settings.models.keys)
    further = sorted(settings.shim.upstreams, key=lambda each: each.priority)
    # The first is what the shim forwards to; the others follow by their priority.
    upstreams = [settings.shim.upstream, *(each.url for each in further)]
    limits = Limits(
        answer_seconds_max=settings.models.answer_seconds_max,
        attempts_max=settings.models.attempts_max,
        calls_max=settings.models.calls_max,
    )
    asker = ModelAsker(
        store.models, keyring, providers(upstreams), memories, now=now, limits=limits
    )
    return Models(
        store.models,
        keyring,
        asker,
        monotonic=time.monotonic,
        # No model may be at the shim: the memory would learn from its own questions.
        own=settings.shim.address,
    )


def _ingester(
    settings: Settings,
    store: PostgresStore,
    memories: Memories,
    reader: WorkerProcess,
) -> Ingester:
    """Create the ingester, which reads documents in a worker process."""
    extraction = WaveExtraction(
        memories,
        store.documents,
        store.sweeps,
        reader,
        ReportFolders(settings.data_dir),
        now=now,
        complain=complaints("extraction"),
    )
    return Ingester(store.documents, reader, extraction, now=now)


def policy(settings: ValidationSettings) -> ValidationPolicy:
    """Convert the settings of validation to its policy."""
    people = {
        name: Person(
            {
                platform: account
                # The platforms on which bots can ask.
                for platform in ("matrix", "slack", "webhook")
                if (account := getattr(person, platform))
            },
            person.moderator,
            person.high,
        )
        for name, person in settings.people.items()
    }
    ttl_seconds = {
        Priority.CRITICAL: settings.critical_seconds,
        Priority.HIGH: settings.high_seconds,
        Priority.NORMAL: settings.normal_seconds,
        # There is no setting of their own.
        Priority.LOW: settings.normal_seconds,
    }
    # All else has the same name in both, but for the breaker's time, which is not set. The
    # exceptions are named, so that a renamed field fails here instead of being ignored.
    names = {it.name for it in fields(ValidationPolicy)}
    names -= {"people", "ttl_seconds", "breaker_seconds"}
    same = {it: getattr(settings, it) for it in names}
    return ValidationPolicy(people=people, ttl_seconds=ttl_seconds, **same)
