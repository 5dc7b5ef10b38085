"""ValidationService: asks people what machines only guess, and takes their answers."""

from __future__ import annotations

from festinger.flows.memory import Memories
from festinger.flows.questioning import Questioner
from festinger.rpc.dreaming import Dreaming
from festinger.rpc.learning import Learning
from festinger.rpc.proposing import Proposing
from festinger.rpc.questioning import Questioning


class ValidationServicer(Proposing, Questioning, Dreaming, Learning):
    """Asks people what machines only guess, and takes their answers."""

    def __init__(self, memories: Memories, questioner: Questioner) -> None:
        self._memories = memories
        self._questioner = questioner
