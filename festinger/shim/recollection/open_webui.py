"""Open WebUI's documents, which it puts before the question, in the user's message.

    ### Task:
    Respond to the user query using the provided context, …

    <context>
    …
    </context>

    What the user asks.

Earlier versions put the question into a tag of its own.
"""

from __future__ import annotations

_TASK = "### Task:\nRespond to the user query using the provided context"
_CONTEXT_END = "</context>"
_QUERY, _QUERY_END = "<user_query>", "</user_query>"


def question(text: str) -> tuple[int, int] | None:
    """Where the question behind documents starts and ends; None if there are none.

    It is empty where the documents do not end.
    """
    if not text.lstrip().startswith(_TASK):
        return None
    # A document may say that it ends; the last one to say so is the client.
    head, closing, query = text.rpartition(_CONTEXT_END)
    if not closing:
        return len(text), len(text)
    tag = query.find(_QUERY)
    if tag >= 0:
        head, query = head + query[: tag + len(_QUERY)], query[tag + len(_QUERY) :]
        query = query.rpartition(_QUERY_END)[0] or query
    start = len(head) + len(closing) + len(query) - len(query.lstrip())
    return start, start + len(query.strip())
