"""ValidationService: asks people what machines only guess, and takes their answers."""

from __future__ import annotations

from festinger.rpc.graph.predicates import PredicateCalls
from festinger.rpc.validation.dreaming import DreamingCalls
from festinger.rpc.validation.learning import Learning
from festinger.rpc.validation.proposing import ProposingCalls
from festinger.rpc.validation.questioning import Questioning
from festinger.services.system.staff import Staff
from festinger.services.world.memory import Memories


class ValidationServicer(
    ProposingCalls, Questioning, DreamingCalls, PredicateCalls, Learning
):
    """Asks people what machines only guess, and takes their answers.

    Args:
        staff: Who does it; where somebody is missing, calls are UNIMPLEMENTED.
    """

    def __init__(self, memories: Memories, staff: Staff) -> None:
        self._memories = memories
        self._dreamer = staff.dreamer
        self._predicates = staff.predicates
        self._retrainer = staff.retrainer
        self._questioner = staff.questioner
