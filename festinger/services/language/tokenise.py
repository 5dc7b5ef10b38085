"""Tokenise a text, and look up its tokens in the memory."""

from __future__ import annotations

from dataclasses import dataclass

from festinger.core.graph.tokens import Token, blank_own_blocks, tokenise
from festinger.core.world.world import World


@dataclass(frozen=True, slots=True)
class KnownToken:
    """A token with its row in the vocabulary.

    Attributes:
        concept_id: Number of the concept; 0 if the memory has not met it.
        saliency: Saliency of the concept; 0 if unknown.
        novelty: Novelty of the concept; 0 if unknown.
    """

    token: Token
    concept_id: int = 0
    saliency: float = 0.0
    novelty: float = 0.0


def tokenise_text(world: World, text: str) -> list[KnownToken]:
    """Return the tokens of a text, without counting encounters."""
    return [_look_up(world, token) for token in tokenise(blank_own_blocks(text))]


def _look_up(world: World, token: Token) -> KnownToken:
    concept_id = world.id(token.text) if token.concept else None
    if concept_id is None:
        return KnownToken(token)
    row = world.vocabulary.row(concept_id)
    return KnownToken(token, row.id, row.saliency, row.novelty)
