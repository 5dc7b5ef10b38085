"""ValidationService: asks people what machines only guess, and takes their answers."""

from __future__ import annotations

from festinger.flows.dream_ports import Predicates
from festinger.flows.dreamer import Dreamer
from festinger.flows.memory import Memories
from festinger.flows.questioning import Questioner
from festinger.flows.retraining import Retrainer
from festinger.rpc.dreaming import Dreaming
from festinger.rpc.learning import Learning
from festinger.rpc.proposing import Proposing
from festinger.rpc.questioning import Questioning


class ValidationServicer(Proposing, Questioning, Dreaming, Learning):
    """Asks people what machines only guess, and takes their answers.

    Args:
        dreamer: Looks into the backlog; None where no model can be asked.
        predicates: Where they are kept; None where nobody can change them.
        retrainer: Learns from what people answer; without, those calls are UNIMPLEMENTED.
        questioner: Asks people; the same without.
    """

    def __init__(
        self,
        memories: Memories,
        dreamer: Dreamer | None = None,
        predicates: Predicates | None = None,
        retrainer: Retrainer | None = None,
        questioner: Questioner | None = None,
    ) -> None:
        self._memories = memories
        self._dreamer = dreamer
        self._predicates = predicates
        self._retrainer = retrainer
        self._questioner = questioner
