"""Detection of text that clients write in the user's place: summaries and tasks.

A client that runs out of context has the model summarise the conversation, and sends
the summary instead of it. Others request titles, tags, search queries or memories, and
include the conversation. The user has not just said any of it: it is looked up, but
states no facts. What this table misses may be found as a quotation (`quotes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from festinger.config import RetoldSettings
from festinger.shim.recollection.segments import ParsedPrompt, Segment, SegmentRole

HEAD_CHARACTERS: Final = 400
"""Length of a text's beginning that is searched for the words.

A client may put a note before them.
"""


@dataclass(frozen=True, slots=True)
class ClientTextPrefixes:
    """First words of texts that clients write themselves.

    Attributes:
        summaries: First words of messages that replace earlier ones, of the user's or
            the assistant's role.
        errands: First words of messages of the user's role with a task of the client's.
        systems: First words of the system texts of such requests; no message of these
            states facts.
    """

    summaries: tuple[str, ...] = ()
    errands: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: RetoldSettings) -> Self:
        """Return the operator's words, and the known ones if they are enabled."""
        known = KNOWN if settings.known else ClientTextPrefixes()
        return cls(
            known.summaries + tuple(filter(None, settings.summaries)),
            known.errands + tuple(filter(None, settings.errands)),
            known.systems + tuple(filter(None, settings.systems)),
        )


# Clients mark such text by nothing but its wording, so these are the first words as
# their source code has them; `shim.retold` adds those of other clients and languages.
KNOWN: Final = ClientTextPrefixes(
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
        # LangChain's rephrasing of a question without its history
        "Given the following conversation and a follow up question, rephrase",
        # LangChain's detection of facial expressions
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

# Open WebUI's tasks begin with this heading only, which a user may write too; the
# history in its own tag distinguishes them from a user's text.
_TASK: Final = "### Task:\n"
_HISTORY: Final = "<chat_history>"


def mark(prompt: ParsedPrompt, words: ClientTextPrefixes) -> ParsedPrompt:
    """Return the prompt with the client's own segments marked."""
    # The system text tells a request of the client's own, whatever its messages say.
    every = any(
        segment.role is SegmentRole.SYSTEM and _begins(segment.text, words.systems)
        for segment in prompt.segments
    )
    framed = _before_envelopes(prompt.segments)
    marked = tuple(
        segment._replace(by_client=True)
        if every
        or (
            index < framed
            and segment.role is SegmentRole.USER
            and not segment.enveloped
        )
        or _is_summary_or_task(segment, words)
        else segment
        for index, segment in enumerate(prompt.segments)
    )
    if messages := {it.message for it in marked if it.by_client and it.message}:
        # The whole message is the client's, including all its parts.
        marked = tuple(
            it._replace(by_client=True) if it.message in messages else it
            for it in marked
        )
    return replace(prompt, segments=marked)


def _is_summary_or_task(segment: Segment, words: ClientTextPrefixes) -> bool:
    """Return whether a segment is a summary or a task of the client's."""
    if segment.role not in {SegmentRole.USER, SegmentRole.ASSISTANT}:
        return False
    if _begins(segment.text, words.summaries):
        return True
    return segment.role is SegmentRole.USER and (
        _begins(segment.text, words.errands)
        or (segment.text.startswith(_TASK) and _HISTORY in segment.text)
    )


def _begins(text: str, words: tuple[str, ...]) -> bool:
    """Return whether one of the first lines begins with any of these words."""
    if text.startswith(words):
        return True
    # Line by line: `find` gives -1 behind the last newline, so that the loop ends at 0.
    start = text.find("\n", 0, HEAD_CHARACTERS) + 1
    while start:
        if text.startswith(words, start, HEAD_CHARACTERS):
            return True
        start = text.find("\n", start, HEAD_CHARACTERS) + 1
    return False


def _before_envelopes(segments: Sequence[Segment]) -> int:
    """Return the number of segments before the last of the user's envelopes."""
    # Agent Zero puts the user's words into an envelope, and bare summaries before it.
    # Where a conversation changes to envelopes midway, what is before was read already.
    enveloped = (
        index
        for index in reversed(range(len(segments)))
        if segments[index].role is SegmentRole.USER and segments[index].enveloped
    )
    return next(enveloped, 0)
