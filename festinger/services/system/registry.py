"""Optional services of a server, besides answering."""

from __future__ import annotations

from dataclasses import dataclass

from festinger.services.graph.resolver import Resolver
from festinger.services.language.reader.turns import TurnReading
from festinger.services.memories.memory_extractor import MemoryExtractor
from festinger.services.review.ingester import Ingester
from festinger.services.system.models import Models
from festinger.services.validation.dreamer import Dreamer
from festinger.services.validation.questioner import Questioner
from festinger.services.validation.retrainer import Retrainer
from festinger.store.graph.predicates import PostgresPredicates


@dataclass(frozen=True, slots=True)
class ServiceRegistry:
    """Optional services; calls of a missing one are answered with UNIMPLEMENTED.

    Attributes:
        models: Language models and the tenants' settings.
        resolver: Has models settle conflicts.
        memory_extractor: Extracts memories from conversations.
        ingester: Ingests documents.
        questioner: Asks people about doubtful statements.
        dreamer: Has models look into rejected or undecided candidates.
        predicates: Store of predicates.
        retrainer: Learns from people's answers.
        reading: Leases unread turns to readers that can ask a model.
    """

    models: Models | None = None
    resolver: Resolver | None = None
    memory_extractor: MemoryExtractor | None = None
    ingester: Ingester | None = None
    questioner: Questioner | None = None
    dreamer: Dreamer | None = None
    predicates: PostgresPredicates | None = None
    retrainer: Retrainer | None = None
    reading: TurnReading | None = None


NO_SERVICES = ServiceRegistry()
