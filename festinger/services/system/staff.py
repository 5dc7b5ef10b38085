"""Who works for the memories beside answering: what a server may be asked to do."""

from __future__ import annotations

from dataclasses import dataclass

from festinger.services.graph.resolver import Resolver
from festinger.services.language.reader.turns import TurnReading
from festinger.services.memories.rememberer import MemoryExtractor
from festinger.services.review.ingesting import Ingester
from festinger.services.system.models import Models
from festinger.services.validation.dreamer import Dreamer
from festinger.services.validation.questioning import Questioner
from festinger.services.validation.retraining import Retrainer
from festinger.store.graph.predicates import PostgresPredicates


@dataclass(frozen=True, slots=True)
class Staff:
    """What can be asked for; where somebody is missing, it is UNIMPLEMENTED.

    Attributes:
        models: Language models and the tenants' settings.
        resolver: Lets models settle conflicts.
        rememberer: Reads memories out of conversations.
        ingester: Reads documents.
        questioner: Asks people what is too doubtful to be held.
        dreamer: Looks into what people rejected or left.
        predicates: Where what predicates are is kept.
        retrainer: Learns from what people answer.
        reading: Lends what people said to whoever can ask a model about it.
    """

    models: Models | None = None
    resolver: Resolver | None = None
    rememberer: MemoryExtractor | None = None
    ingester: Ingester | None = None
    questioner: Questioner | None = None
    dreamer: Dreamer | None = None
    predicates: PostgresPredicates | None = None
    retrainer: Retrainer | None = None
    reading: TurnReading | None = None


NOBODY = Staff()
