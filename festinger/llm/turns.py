"""The turns of a question, as all providers take them, and the tokens of an answer."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from festinger.llm.interface import ModelQuestion

OUTPUT_TOKENS_MAX = 8192
"""Tokens of an answer, at most: what is asked for has hundreds, and models that think
aloud count that too."""
_WRONG_CHARACTERS_MAX = 4000

Tokens = Annotated[int, Field(ge=0, le=10**9)]
"""How many tokens a provider says there were; more than that nobody counts."""


def turns_of(question: ModelQuestion) -> list[dict[str, str]]:
    """The question; and what was answered wrongly, and why, if it was asked before."""
    turns = [{"role": "user", "content": question.prompt}]
    if question.wrong:
        answer, why = question.wrong
        turns += [
            # Some providers take no turn that says nothing.
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
