"""Explain the answer to a prompt, without storing anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from festinger.config import RoleTrust
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.turns import Role, Turn
from festinger.core.lines.vectors import Embedding
from festinger.core.recollection.concepts import render
from festinger.core.recollection.reading import Reader, read
from festinger.core.recollection.recall import RecallRequest, RecallResult
from festinger.core.system.preferences import Preferences
from festinger.core.system.secrets import redact
from festinger.core.world.world import World
from festinger.services.recollection.recollect import tell


@dataclass(frozen=True, slots=True)
class ExplainedBlock:
    """The block and the considered lines of a prompt.

    Attributes:
        block: Block as it would be inserted into the prompt; empty for none.
        recalled: The lines that were chosen, those that were not, and the reasons.
    """

    block: str
    recalled: RecallResult


def explain(
    world: World,
    prompt: str,
    *,
    preferences: Preferences,
    trust: Mapping[Role, RoleTrust],
    asker: str,
    project: str = "",
    embedding: Embedding | None = None,
    now: float,
) -> ExplainedBlock:
    """Return the answer to a prompt as the first one of a conversation.

    Args:
        trust: What the text of each role may do.
        now: Seconds since the epoch.
    """
    # As in a real prompt, so that the explanation shows neither more nor less.
    text = redact(blank_own_blocks(prompt))
    reading = read(
        world,
        # `seen`: looked up, but neither counted nor read, since an explanation must store nothing.
        [Turn(Role.USER, text, seen=True)],
        Reader(trust, asker, asker),
        threshold=preferences.saliency_read_threshold,
        now=now,
    )
    lines, recalled = tell(
        world,
        # Unknown words are not asked about: whoever explains is no agent that could answer (J9).
        reading._replace(spoken=[]),
        RecallRequest(text, asker=asker, project=project, embedding=embedding),
        subject=asker,
        preferences=preferences,
        now=now,
    )
    return ExplainedBlock(render(lines), recalled)
