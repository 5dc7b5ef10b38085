"""Say what a prompt would be told, and why; keep nothing of it."""

from __future__ import annotations

from dataclasses import dataclass

from festinger.core.language.secrets import redact
from festinger.core.reading import Reader, Role, Turn, read
from festinger.core.recollection.concepts import recollect, render
from festinger.core.recollection.recall import Asked, Recalled, recall
from festinger.core.recollection.retelling import tell_about, tell_before_hints
from festinger.core.tokens import blank_own_blocks
from festinger.flows.memory import Memory


@dataclass(frozen=True, slots=True)
class Explained:
    """What a prompt would be told.

    Attributes:
        block: As it would stand in the prompt; empty for none.
        recalled: What was chosen, what was not, and why.
    """

    block: str
    recalled: Recalled


def explain(memory: Memory, prompt: str, *, asker: str, project: str = "") -> Explained:
    """Return what a prompt would be told as the first one of a conversation.

    Args:
        asker: Whose prompt it would be.
        project: Where it would be typed.
    """
    world, preferences, now = memory.world, memory.preferences, memory.now()
    text = redact(blank_own_blocks(prompt))
    reading = read(
        world,
        [Turn(Role.USER, text, seen=True)],
        Reader(memory.trust, asker, asker),
        threshold=preferences.saliency_read_threshold,
        now=now,
    )
    lines = recollect(world, reading.salient, preferences=preferences, now=now)
    recalled = recall(
        world.lines,
        Asked(text, asker=asker, project=project),
        dictionary=world.dictionary,
        tokens=preferences.recollection_tokens,
        now=now,
    )
    lines = tell_before_hints(lines, recalled.lines)
    about = world.people.of(asker)
    if about is not None:
        lines = tell_about(lines, about, (), preferences.recollection_max_memories, now)
    return Explained(render(lines), recalled)
