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
    """`/api/chat`: the text of a message is a string."""

    path = "/api/chat"

    def encode(self, messages: list[Message]) -> dict[str, Any]:
        """Return the request."""
        listed = [
            {"role": role, "content": self.content(text)} for role, text in messages
        ]
        return {"model": "llama3", "stream": False, "messages": listed}

    def decode(self, body: dict[str, Any]) -> list[Message]:
        """Return the messages of a request."""
        return [(it["role"], self.text(it["content"])) for it in body["messages"]]

    def content(self, text: str) -> Any:
        """Return the text of a message, as it is sent."""
        return text

    def text(self, content: Any) -> str:
        """Return the text of a message."""
        return str(content)


class Parts(Format):
    """`/v1/chat/completions`: in parts."""

    path = "/v1/chat/completions"

    def content(self, text: str) -> Any:
        """Return a picture, and the text."""
        image = {"type": "image_url", "image_url": {"url": "data:"}}
        return [image, {"type": "text", "text": text}]

    def text(self, content: Any) -> str:
        """Return the text; a message that was made has no parts."""
        return content if isinstance(content, str) else str(content[1]["text"])


class Flattened(Format):
    """`/api/generate`, the whole conversation in one prompt, as LiteLLM sends it."""

    path = "/api/generate"

    def encode(self, messages: list[Message]) -> dict[str, Any]:
        """Return a section for each message; a tool's result in Agent Zero's envelope."""
        sections = []
        for role, text in messages:
            said = json.dumps({"tool_name": "shell", "tool_result": text})
            said = said if role == "tool" else text
            sections.append(f"### {_HEADINGS[role]}:\n{said}\n\n")
        return {"model": "llama3", "stream": False, "prompt": "".join(sections)}

    def decode(self, body: dict[str, Any]) -> list[Message]:
        """Return the sections."""
        messages = []
        for heading, text in _SECTION.findall(body["prompt"]):
            role = heading.lower()
            if text.startswith('{"tool_name"') and '"tool_result"' in text:
                # A notice of a repeated call stands behind the envelope.
                envelope, end = json.JSONDecoder().raw_decode(text)
                role, text = "tool", envelope["tool_result"] + text[end:]
            messages.append((role, text))
        return messages


class Completion(Flattened):
    """`/v1/completions`, in the same way."""

    path = "/v1/completions"


class Responses(Format):
    """`/v1/responses`: `instructions`, and items of several kinds."""

    path = "/v1/responses"

    def encode(self, messages: list[Message]) -> dict[str, Any]:
        """Return an item for each message behind the system text."""
        system = [text for role, text in messages if role == "system"]
        beside = {"instructions": system[0]} if system else {}
        items = [self.item(*it) for it in messages if it[0] != "system"]
        return {"model": "llama3", "stream": False, **beside, "input": items}

    def decode(self, body: dict[str, Any]) -> list[Message]:
        """Return the items, and the system text before them."""
        beside = [("system", body["instructions"])] if "instructions" in body else []
        return beside + [
            ("tool", it["output"])
            if it["type"] == "function_call_output"
            else (it["role"], it["content"][0]["text"])
            for it in body["input"]
        ]

    def item(self, role: str, text: str) -> dict[str, Any]:
        """Return a message, or a tool's result."""
        if role == "tool":
            return {"type": "function_call_output", "call_id": "c", "output": text}
        kind = "output_text" if role == "assistant" else "input_text"
        content = [{"type": kind, "text": text}]
        return {"type": "message", "role": role, "content": content}


class Anthropic(Format):
    """`/v1/messages`: the system text and the content of each message are blocks."""

    path = "/v1/messages"

    def encode(self, messages: list[Message]) -> dict[str, Any]:
        """Return the request; a tool's result comes as the user's."""
        system = [self.block(*it) for it in messages if it[0] == "system"]
        beside = {"system": system} if system else {}
        listed = [
            {"role": "assistant", "content": [{"type": "text", "text": text}]}
            if role == "assistant"
            else {"role": "user", "content": [self.block(role, text)]}
            for role, text in messages
            if role != "system"
        ]
        return {"model": "llama3", "stream": False, **beside, "messages": listed}

    def decode(self, body: dict[str, Any]) -> list[Message]:
        """Return the messages; the texts of the system are read joined."""
        system = body.get("system", [])
        if isinstance(system, list):
            system = "".join(it["text"] for it in system)
        beside = [("system", system)] if system else []
        return beside + [
            ("tool", it["content"])
            if it["type"] == "tool_result"
            else (message["role"], it["text"])
            for message in body["messages"]
            for it in message["content"]
        ]

    def block(self, role: str, text: str) -> dict[str, Any]:
        """Return the text, or a tool's result."""
        if role == "tool":
            return {"type": "tool_result", "tool_use_id": "t", "content": text}
        return {"type": "text", "text": text}


FORMATS = (
    Format(),
    Parts(),
    Flattened(),
    Completion(),
    Responses(),
    Anthropic(),
)


def lines(messages: list[Message]) -> list[str]:
    """Return the lines that our blocks tell, hints as one line each."""
    return [
        line
        for _, text in messages
        for match in BLOCK.finditer(text)
        for line in match["lines"].replace("\n  ", " ").split("\n")
    ]


def without_ours(messages: list[Message]) -> list[Message]:
    """Return the messages as the client wrote them."""
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
