"""Parser of Open WebUI's messages, which hold documents before the user's question.

    ### Task:
    Respond to the user query using the provided context, …

    <context>
    …
    </context>

    The user's question.

Earlier versions put the question into a separate tag.
"""

from __future__ import annotations

_TASK = "### Task:\nRespond to the user query using the provided context"
_CONTEXT_END = "</context>"
_QUERY, _QUERY_END = "<user_query>", "</user_query>"


def question(text: str) -> tuple[int, int] | None:
    """Return start and end of the question after documents; None without documents.

    The range is empty if the documents' closing tag is missing.
    """
    if not text.lstrip().startswith(_TASK):
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
