"""A small stand-in for an Ollama server, which records the requests it receives.

It answers every prompt with a sentence about it. `festinger demo`, the tests and the
benchmarks use it where no Ollama is available; its `Knobs` make it slow, broken or
silent.
"""

from __future__ import annotations

from festinger.standin.knobs import Knobs
from festinger.standin.others import VERSION
from festinger.standin.server import Received, StandIn, evaluated

__all__ = ["VERSION", "Knobs", "Received", "StandIn", "evaluated"]
