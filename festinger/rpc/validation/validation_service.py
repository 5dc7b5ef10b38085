"""ValidationService: candidates, questions to people, and their answers."""

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
    """Servicer that has people confirm what machines only guess.

    Args:
        staff: Backends of the methods; some methods fail where theirs is missing.
    """

    def __init__(self, memories: Memories, staff: Staff) -> None:
        self._memories = memories
        self._dreamer = staff.dreamer
        self._predicates = staff.predicates
        self._retrainer = staff.retrainer
        self._questioner = staff.questioner
