"""ValidationService: candidates, questions to people, and their answers."""

from __future__ import annotations

from festinger.rpc.graph.predicates import PredicateCalls
from festinger.rpc.validation.candidates import ProposingCalls
from festinger.rpc.validation.dreaming import DreamingCalls
from festinger.rpc.validation.learning import TrainingMethods
from festinger.rpc.validation.questions import QuestionMethods
from festinger.services.system.registry import ServiceRegistry
from festinger.services.world.memory import Memories


class ValidationServicer(
    ProposingCalls, QuestionMethods, DreamingCalls, PredicateCalls, TrainingMethods
):
    """Servicer that has people confirm what machines only guess.

    Args:
        registry: Backends of the methods; some methods fail where theirs is missing.
    """

    # The methods are spread over mixins by subject; each finds its backend here.
    def __init__(self, memories: Memories, registry: ServiceRegistry) -> None:
        self._memories = memories
        self._dreamer = registry.dreamer
        self._predicates = registry.predicates
        self._retrainer = registry.retrainer
        self._questioner = registry.questioner
