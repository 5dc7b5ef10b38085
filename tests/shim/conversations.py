"""Conversations in each wire format, and what of ours stands in them."""

from __future__ import annotations

import json
import re
from typing import Any

Message = tuple[str, str]
"""Who speaks, and what is said."""

BLOCK = re.compile(r"<recollection>\n(?P<lines>.*?)\n</recollection>", re.DOTALL)
_HEAD = re.compile(rf"\A{BLOCK.pattern}(?:\n\n|\Z)", re.DOTALL)
_TAIL = re.compile(rf"\n\n{BLOCK.pattern.replace('?P<lines>', '')}", re.DOTALL)
_HEADINGS = {
    "system": "System",
    "user": "User",
    "assistant": "Assistant",
    "tool": "User",
}
_SECTION = re.compile(r"(?:\A|(?<=\n\n))### (\w+):\n(.*?)\n\n(?=### |\Z)", re.DOTALL)


class Format:
    """
    `/api/chat`: the text of a message is a string.
    """

    path = "/api/chat"

    def encode(self, messages: list[Message]) -> dict[str, Any]:
        """
        The request.
        """
        listed = [
            {"role": role, "content": self.content(text)} for role, text in messages
        ]
        return {"model": "llama3", "stream": False, "messages": listed}

    def decode(self, body: dict[str, Any]) -> list[Message]:
        """
        The messages of a request.
        """
        return [(it["role"], self.text(it["content"])) for it in body["messages"]]

    def content(self, text: str) -> Any:
        """
        The text of a message, as it is sent.
        """
        return text

    def text(self, content: Any) -> str:
        """
        What a message says.
        """
        return str(content)


class Parts(Format):
    """
    `/v1/chat/completions`: in parts.
    """

    path = "/v1/chat/completions"

    def content(self, text: str) -> Any:
        """
        A picture, and the text.
        """
        image = {"type": "image_url", "image_url": {"url": "data:"}}
        return [image, {"type": "text", "text": text}]

    def text(self, content: Any) -> str:
        """
        What the text says; a message that was made has no parts.
        """
        return content if isinstance(content, str) else str(content[1]["text"])


class Flattened(Format):
    """
    `/api/generate`, the whole conversation in one prompt, as LiteLLM sends it.
    """

    path = "/api/generate"

    def encode(self, messages: list[Message]) -> dict[str, Any]:
        """
        A section for each message; a tool's result in Agent Zero's envelope.
        """
        sections = []
        for role, text in messages:
            said = json.dumps({"tool_name": "shell", "tool_result": text})
            said = said if role == "tool" else text
            sections.append(f"### {_HEADINGS[role]}:\n{said}\n\n")
        return {"model": "llama3", "stream": False, "prompt": "".join(sections)}

    def decode(self, body: dict[str, Any]) -> list[Message]:
        """
        The sections.
        """
        messages = []
        for heading, text in _SECTION.findall(body["prompt"]):
            role = heading.lower()
            if text.startswith('{"tool_name"') and '"tool_result"' in text:
                role, text = "tool", json.loads(text)["tool_result"]
            messages.append((role, text))
        return messages


FORMATS = (Format(), Parts(), Flattened())


def lines(messages: list[Message]) -> list[str]:
    """
    The lines that our blocks tell, hints as one line each.
    """
    return [
        line
        for _, text in messages
        for match in BLOCK.finditer(text)
        for line in match["lines"].replace("\n  ", " ").split("\n")
    ]


def without_ours(messages: list[Message]) -> list[Message]:
    """
    The messages as the client wrote them.
    """
    kept = []
    for role, text in messages:
        if role == "system":
            text = _HEAD.sub("", text)
            if not text:
                continue  # made for the block
        elif role == "user":
            text = _TAIL.sub("", text)
        kept.append((role, text))
    return kept
