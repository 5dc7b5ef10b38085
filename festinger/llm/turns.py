"""Chat messages of a question for all providers, and token limits."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from festinger.llm.interface import ModelQuestion

OUTPUT_TOKENS_MAX = 8192
"""The maximum number of tokens in an answer: usual answers have hundreds, and reasoning
counts too."""
# Enough to recognise the answer; all of a long one would crowd out the question.
_WRONG_CHARACTERS_MAX = 4000

Tokens = Annotated[int, Field(ge=0, le=10**9)]
"""A number of tokens that a provider reports, within plausible limits."""


def turns_of(question: ModelQuestion) -> list[dict[str, str]]:
    """Return the question's messages, including a rejected answer and the reason."""
    turns = [{"role": "user", "content": question.prompt}]
    if question.wrong:
        answer, why = question.wrong
        turns += [
            # Some providers refuse an empty message.
            {
                "role": "assistant",
                "content": answer[:_WRONG_CHARACTERS_MAX] or "(none)",
            },
            {
                "role": "user",
                "content": f"That cannot be used: {why}. Answer again, in the form that "
                "was asked for.",
            },
        ]
    return turns
