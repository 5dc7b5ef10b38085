"""A text is looked at: its tokens, and what the memory knows of each."""

from __future__ import annotations

from dataclasses import dataclass

from festinger.core.graph.tokens import Token, blank_own_blocks, tokenise
from festinger.core.world.world import World


@dataclass(frozen=True, slots=True)
class KnownToken:
    """A token, with what is known of it.

    Attributes:
        concept_id: 0 if the memory has not met it.
    """

    token: Token
    concept_id: int = 0
    saliency: float = 0.0
    novelty: float = 0.0


def tokenise_text(world: World, text: str) -> list[KnownToken]:
    """The tokens of a text. Counts nothing and changes nothing."""
    return [_look_up(world, token) for token in tokenise(blank_own_blocks(text))]


def _look_up(world: World, token: Token) -> KnownToken:
    concept_id = world.id(token.text) if token.concept else None
    if concept_id is None:
        return KnownToken(token)
    row = world.vocabulary.row(concept_id)
    return KnownToken(token, row.id, row.saliency, row.novelty)
