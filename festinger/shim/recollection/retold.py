"""Recognises what clients write in the user's place: summaries, and errands of their own.

A client that runs out of context has the model summarise the conversation, and sends the
summary in its stead. Others ask for titles, tags, search queries or memories, and send
the conversation along. None of it was said by the user just now: it is looked up, and
teaches nothing.

Clients leave no mark but their own wording, so that is what is looked for: their first
words, to the letter and at the start of a line, as their sources have them. A client of
other words, or in another language, is not recognised by this table. What its errands
quote is (`quotes`), and `shim.retold` takes further words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from festinger.config import RetoldSettings
from festinger.shim.recollection.segments import ParsedPrompt, Segment, SegmentRole

HEAD_CHARACTERS: Final = 400
"""So much of a text may stand before the words, as a note of the client's."""


@dataclass(frozen=True, slots=True)
class Words:
    """How clients begin what they write themselves.

    Attributes:
        summaries: Messages that stand for earlier ones, whoever speaks them.
        errands: Messages of the user's role that ask for something on the client's
            behalf.
        systems: System texts of such requests: nothing else in them teaches either.
    """

    summaries: tuple[str, ...] = ()
    errands: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: RetoldSettings) -> Self:
        """The known words, where they are wanted, and the operator's own."""
        known = KNOWN if settings.known else Words()
        return cls(
            known.summaries + tuple(filter(None, settings.summaries)),
            known.errands + tuple(filter(None, settings.errands)),
            known.systems + tuple(filter(None, settings.systems)),
        )


KNOWN: Final = Words(
    summaries=(
        # Claude Code, and Cline after it
        "This session is being continued from a previous conversation",
        # Codex
        "Another language model started to solve this problem and produced a summary",
        # LangChain and Deep Agents
        "Here is a summary of the conversation to date:",
        # aider
        "I spoke to you previously about a number of things.\n",
    ),
    errands=(
        # Claude Code and Roo Code
        "Your task is to create a detailed summary of the conversation",
        # Cline
        '<explicit_instructions type="summarize_task">',
        # Codex
        "You are performing a CONTEXT CHECKPOINT COMPACTION.",
        # Open WebUI's question which tool to use
        "Query: History:\n",
        # Continue's and LibreChat's titles
        "Given the following... please reply with a title for the chat",
        "Provide a concise, 5-word-or-less title for the conversation",
        "Please generate a concise, 5-word-or-less title for the conversation",
        # Open WebUI's titles, before it wrote `### Task:`
        "Create a concise, 3-5 word title with an emoji as a title for the",
        "Create a concise, 3-5 word phrase as a header for the following query",
        # LangChain's question made to stand alone
        "Given the following conversation and a follow up question, rephrase",
        # … and its reading of faces
        "Your task is to reflect the speaker's likely facial expression",
    ),
    systems=(
        # Agent Zero's utility model: summaries, names, memories, behaviour, documents
        "# AI role\nYou are AI summarization assistant",
        "# AI role\n- You are a chat naming assistant",
        "# AI role\n- You are an AI assistant being part of a larger RAG system",
        "# AI's job\n1. The AI receives",
        "# Assistant's job\n1. The assistant receives",
        "# Memory Consolidation Analysis System",
        "# Memory Keyword Extraction System",
        "# Provide a JSON summary of given messages",
        # OpenCode
        "You are a title generator. You output ONLY a thread title.",
        # Claude Code and OpenCode
        "You are a helpful AI assistant tasked with summarizing conversations.",
        "Analyze if this message indicates a new conversation topic.",
        # aider
        "*Briefly* summarize this partial conversation about programming.",
    ),
)

# Open WebUI heads its tasks with no more than this, as anybody may; the history in its
# own tag is what tells them from a user's.
_TASK: Final = "### Task:\n"
_HISTORY: Final = "<chat_history>"


def mark(prompt: ParsedPrompt, words: Words) -> ParsedPrompt:
    """Marks the segments of a prompt that are retold.

    Args:
        prompt: What a request says.
        words: What to look for.
    """
    every = any(
        segment.role is SegmentRole.SYSTEM and _begins(segment.text, words.systems)
        for segment in prompt.segments
    )
    framed = _before_envelopes(prompt.segments)
    marked = tuple(
        segment._replace(retold=True)
        if every or (index < framed and _is_bare(segment)) or _retells(segment, words)
        else segment
        for index, segment in enumerate(prompt.segments)
    )
    if messages := {it.message for it in marked if it.retold and it.message}:
        # All of a message is the client's, whatever it quotes.
        marked = tuple(
            it._replace(retold=True) if it.message in messages else it for it in marked
        )
    return replace(prompt, segments=marked)


def _retells(segment: Segment, words: Words) -> bool:
    """Whether a segment is a summary or an errand."""
    if segment.role not in {SegmentRole.USER, SegmentRole.ASSISTANT}:
        return False
    if _begins(segment.text, words.summaries):
        return True
    return segment.role is SegmentRole.USER and (
        _begins(segment.text, words.errands)
        or (segment.text.startswith(_TASK) and _HISTORY in segment.text)
    )


def _begins(text: str, words: tuple[str, ...]) -> bool:
    """Whether one of the first lines begins with some of these words."""
    if text.startswith(words):
        return True
    start = text.find("\n", 0, HEAD_CHARACTERS) + 1
    while start:
        if text.startswith(words, start, HEAD_CHARACTERS):
            return True
        start = text.find("\n", start, HEAD_CHARACTERS) + 1
    return False


def _before_envelopes(segments: Sequence[Segment]) -> int:
    """How many segments stand before the last of the user's envelopes.

    Agent Zero puts the user's words into an envelope, and summaries of earlier topics,
    bare, before them. A conversation whose user turns to envelopes in the middle loses
    nothing by it: what stands before was read with the requests before.
    """
    enveloped = (
        index
        for index in reversed(range(len(segments)))
        if segments[index].role is SegmentRole.USER and segments[index].enveloped
    )
    return next(enveloped, 0)


def _is_bare(segment: Segment) -> bool:
    return segment.role is SegmentRole.USER and not segment.enveloped
