"""Who works for the memories beside answering: what a server may be asked to do."""

from __future__ import annotations

from dataclasses import dataclass

from festinger.flows.dream_ports import Predicates
from festinger.flows.dreamer import Dreamer
from festinger.flows.ingesting import Ingester
from festinger.flows.models import Models
from festinger.flows.questioning import Questioner
from festinger.flows.reading.turns import TurnReading
from festinger.flows.rememberer import Rememberer
from festinger.flows.resolver import Resolver
from festinger.flows.retraining import Retrainer


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
    rememberer: Rememberer | None = None
    ingester: Ingester | None = None
    questioner: Questioner | None = None
    dreamer: Dreamer | None = None
    predicates: Predicates | None = None
    retrainer: Retrainer | None = None
    reading: TurnReading | None = None


NOBODY = Staff()
