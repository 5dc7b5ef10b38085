"""ValidationService: asks people what machines only guess, and takes their answers."""

from __future__ import annotations

from festinger.flows.memory import Memories
from festinger.flows.staff import Staff
from festinger.rpc.dreaming import Dreaming
from festinger.rpc.learning import Learning
from festinger.rpc.predicates import PredicateCalls
from festinger.rpc.proposing import Proposing
from festinger.rpc.questioning import Questioning


class ValidationServicer(Proposing, Questioning, Dreaming, PredicateCalls, Learning):
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
