"""A small stand-in for an Ollama server, which records the requests it receives.

It answers every prompt with a sentence about it. `festinger demo`, the tests and the
benchmarks use it where no Ollama is available; its `StandinBehaviour` make it slow, broken or
silent.
"""

from __future__ import annotations

from festinger.standin.behaviour import StandinBehaviour
from festinger.standin.other_routes import VERSION
from festinger.standin.server import Received, StandIn, evaluated

__all__ = ["VERSION", "Received", "StandIn", "StandinBehaviour", "evaluated"]
