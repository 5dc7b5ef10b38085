"""Separation of a user's own words from content added by their client (J10).

Editors, agents and question-answering chains put files, tool results, notes of their
own and retrieved documents into the user's message. These are treated like a tool's
result. The patterns are from the clients' source code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

PARTS_MAX: Final = 100
"""Maximum number of a client's tags in a message; the last extends to the end."""

_INDENT_MAX: Final = 40


class MessagePart(NamedTuple):
    """A part of a message."""

    start: int
    end: int
    own: bool


# "Question: who owns billing?" at the start of a line, behind the documents.
_QUESTION: Final = re.compile(
    r"^[ \t]*(?:User )?(?:Question|Query|Input):[ \t]*", re.I | re.M
)
_ANSWER: Final = re.compile(
    r"\n[ \t]*(?:Helpful |Final )?(?:Answer|Response|Context):", re.I
)


class _Template(NamedTuple):
    """Template of a client's message with documents and the user's question.

    Attributes:
        head: Text that the message begins with.
        mark: Pattern before the question, at the start of a line.
        until: Pattern after the question; without a match it ends with the message.
        last: Whether the last match of `mark` counts, as a document may match it too.
    """

    head: str
    mark: re.Pattern[str]
    until: re.Pattern[str] = _ANSWER
    last: bool = True


_TEMPLATES: Final = (
    # LangChain's chain over documents, and its hub's, which asks first
    _Template("Use the following pieces of context", _QUESTION),
    _Template("Answer the question based only on", _QUESTION),
    _Template(
        "You are an assistant for question-answering tasks.", _QUESTION, last=False
    ),
    # LlamaIndex
    _Template("Context information is below", _QUESTION),
    # Open WebUI, before it wrote `### Task:`
    _Template("Use the following context as your learned knowledge", _QUESTION),
    # LangChain's agents that call tools in plain text, and CrewAI's
    _Template(
        "Answer the following questions as best you can.",
        re.compile(r"^Begin!\s+Question:[ \t]*", re.M),
        re.compile(r"\nThought:"),
        last=False,
    ),
    _Template(
        "Current Task: ",
        re.compile(r"^\s*Current Task: "),
        re.compile(
            r"\n[ \t]*(?:This is the expected criteria for your final answer:"
            r"|This is the context you're working with:|Begin! This is VERY important)"
        ),
        last=False,
    ),
)
_HEADS: Final = tuple(it.head for it in _TEMPLATES)

# aider's messages with files, which have no text of the user's.
_FILES: Final = (
    "I have *added these files to the chat*",
    "Here are some READ ONLY files",
    "Here are summaries of some files present in my git repository.",
)

# Results of Cline's and Roo Code's tools, and the user's feedback on them.
_RESULT: Final = re.compile(r"\[(?:\w+ for [^\n]*|\w+_\w+)\] Result:")
_FEEDBACK: Final = re.compile(r"<(feedback|user_message|answer)>")

# The content of these tags, at the start of a line, is the client's: of Claude Code,
# Cline, Roo Code, Copilot, Cursor, and chains that put documents before a question.
_TAG: Final = re.compile(
    r"<(system-reminder|environment_details|additional_data|attachments?"
    r"|attached_files?|context|documents?|file|files|file_content|folder_content"
    r"|url_content|search_results?|retrieved_context|workspace_info|environment_info"
    r"|reminderInstructions|editorContext|project_layout|git_status|current_file"
    r"|open_and_recently_viewed_files|ide_opened_file|ide_selection|selected_code"
    r"|command-name|command-message|command-args|local-command-stdout"
    r"|local-command-stderr|bash-stdout|bash-stderr|tool_result|tool_output"
    r"|function_results?)\b[^>\n]*>"
)

# "### Task:", documents in `<context>`, and then the question, in Open WebUI's messages.
_WEBUI_TASK: Final = "### Task:\nRespond to the user query using the provided context"
_CONTEXT_END: Final = "</context>"
_QUERY, _QUERY_END = "<user_query>", "</user_query>"

# Documents after the question: Spring AI's and AnythingLLM's.
_BEHIND: Final = re.compile(
    r"\n[ \t]*(?:Context information is below, surrounded by|Context:\n\[CONTEXT 0\])"
)


def parts(text: str) -> Sequence[MessagePart]:
    """Return the parts of a user's message in order; none if all is the user's."""
    # The cheap comparisons of beginnings come first: most messages have no frame at all.
    if asked := _open_webui(text):
        return _around(text[: asked[1]], [asked])
    start = len(text) - len(text.lstrip())
    if text.startswith(_HEADS, start) and (asked := _asked(text, start)):
        return _around(text, [asked])
    # Nothing in it is the user's.
    if text.startswith(_FILES, start):
        return _around(text, [])
    if text.startswith("[", start) and _RESULT.match(text, start):
        return _around(text, _said_about(text))
    # Neither `_TAG` nor `_BEHIND` can match.
    if "<" not in text and "Context" not in text:
        return ()
    ends = _BEHIND.search(text)
    end = ends.start() if ends else len(text)
    framed = list(_tagged(text, end))
    if ends:
        framed.append((end, len(text)))
    if not framed:
        return ()
    return _around(text, _between(framed, len(text)))


def _open_webui(text: str) -> tuple[int, int] | None:
    """Return start and end of the question after Open WebUI's documents, if there are any.

    The range is empty if the documents' closing tag is missing.
    """
    if not text.lstrip().startswith(_WEBUI_TASK):
        return None
    # A document may contain the closing tag; the last one is the client's.
    head, closing, query = text.rpartition(_CONTEXT_END)
    if not closing:
        return len(text), len(text)
    # Earlier versions: `<user_query>the question</user_query>`.
    tag = query.find(_QUERY)
    if tag >= 0:
        head, query = head + query[: tag + len(_QUERY)], query[tag + len(_QUERY) :]
        query = query.rpartition(_QUERY_END)[0] or query
    start = len(head) + len(closing) + len(query) - len(query.lstrip())
    return start, start + len(query.strip())


def _asked(text: str, start: int) -> tuple[int, int] | None:
    """Return start and end of the question in a template; None if there is none."""
    # `_HEADS` has matched, so there is one.
    template = next(it for it in _TEMPLATES if text.startswith(it.head, start))
    marks = list(template.mark.finditer(text))
    if not marks:
        return None
    # A retrieved document may hold "Question:" itself; the template's own is the last.
    mark = marks[-1 if template.last else 0]
    until = template.until.search(text, mark.end())
    return mark.end(), until.start() if until else len(text)


def _said_about(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of the user's feedback on a tool's result, in its tags."""
    position = 0
    for _ in range(PARTS_MAX):
        opening = _FEEDBACK.search(text, position)
        if not opening:
            return
        end = text.find(f"</{opening[1]}>", opening.end())
        if end < 0:
            return
        yield opening.end(), end
        position = end


def _tagged(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of a client's tags with their content."""
    position = count = 0
    while opening := _TAG.search(text, position, end):
        position = opening.end()
        # A tag in running text, such as "the <file> element", is the user's.
        if not _begins_line(text, opening.start()):
            continue
        closing = f"</{opening[1]}>"
        at = text.find(closing, position, end)
        count += 1
        # Cut off or too many: rather the client's than wrongly the user's words.
        is_last = at < 0 or count == PARTS_MAX
        position = end if is_last else at + len(closing)
        yield opening.start(), position


def _begins_line(text: str, start: int) -> bool:
    """Return whether only some white space precedes an offset in its line."""
    line = text[max(0, start - _INDENT_MAX) : start]
    _, newline, indent = line.rpartition("\n")
    # Without a newline the cut may lie within a long line, unless the text begins here.
    return not indent.strip() and (bool(newline) or start == len(line))


def _between(
    framed: Sequence[tuple[int, int]], length: int
) -> Iterator[tuple[int, int]]:
    position = 0
    for start, end in framed:
        yield position, start
        position = end
    yield position, length


def _around(text: str, own: Iterable[tuple[int, int]]) -> list[MessagePart]:
    """Return the parts of a text, trimmed, given the ranges that the user wrote."""
    found: list[MessagePart] = []
    position = 0
    for start, end in own:
        found += _trimmed(text, position, start, own=False)
        found += _trimmed(text, start, end, own=True)
        position = end
    return found + _trimmed(text, position, len(text), own=False)


def _trimmed(text: str, start: int, end: int, *, own: bool) -> list[MessagePart]:
    part = text[start:end]
    if not part.strip():
        return []
    start += len(part) - len(part.lstrip())
    return [MessagePart(start, end - (len(part) - len(part.rstrip())), own)]
