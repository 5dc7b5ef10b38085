"""Separate typed prose from code, logs, tables and pasted documents.

Lines are classified by their form alone, in time linear in their number.
"""

from __future__ import annotations

import re
from typing import Final

_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_HEADING: Final = re.compile(r"\s*#{1,6}\s+\S|\s*[=-]{4,}\s*$|\s*!?\[[^\]]*\]\(")
_MAIL: Final = re.compile(
    r"\s*(?:from|to|cc|subject|date|sent|von|betreff|an):\s+\S", re.I
)
_SALUTATION: Final = re.compile(
    r"\s*(?:dear|hi|hello|hey|hallo|liebe[rs]?|sehr geehrte[r]?)(?: [\w'’.-]+){1,4},\s*$",
    re.I,
)
"""A line that begins a letter, below what somebody says about it."""
_PASTED: Final = re.compile(
    r"\s*+(?:"
    r">"  # a quotation
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d\b|\[?(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d\b"  # a log
    r"|\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[\]: ]|\[\w+\d\]:"
    r"|[\w./-]+: (?:fatal|error|warning|warn|note|info|debug): "  # output of a command
    r"|Traceback |File \"|Caused by:|at [\w$.<>]+\(|[\w.]+(?:Error|Exception)\b:"
    r"|\$ \S|>>> |# \w+ -|PS [A-Z]:"  # a terminal
    r"|(?:curl|wget|ssh|scp|docker|kubectl|psql|systemctl|journalctl|npm|npx|pip|sudo|ffmpeg)\b"  # a command
    r"(?! (?:\w+ ){0,2}(?:is|are|was|were|moved|goes|runs|needs|has|for)\b).{0,200} (?:--?\w|['\"]?https?://)"
    r"|.{0,200}\(cost=\d+\.\d+\.\.|(?:Planning|Execution) Time: [\d.]+ ms"  # a database's plan
    r"|\+\+\+ |--- |@@ |diff --git|index [0-9a-f]{7}"  # a diff
    r"|</?[A-Za-z][^>]*>\s*$|<[A-Za-z][^>]*>.*</"  # markup
    # Code has signs that prose lacks: "import duties are 12 %" and "class starts at 9" are none.
    r"|#include\b|import (?:static )?[\w.*]+(?: as \w+)?(?:, ?[\w.*]+(?: as \w+)?)*;?\s*$|import .*['\"]|from [\w.]+ import\b"
    r"|(?:async )?def \w+\(|class \w+\s*(?:[({:]|extends\b|implements\b)|(?:pub )?(?:func|fn|function)\b.*\("
    r"|(?:let|const|var) (?:mut )?[\w{[].*=|return(?: [^\s.!?]+)?;?\s*$|return .*[({[;=<>+*/&|]"
    r"|(?:public|private|protected) \w.*[({;=]|package [\w.]+;?\s*$|from \w+(?: \w+)?\s*$|from \w+(?: \w+)? (?:join|where)\b"
    r"|select (?:\*|.*\bfrom \w|[\w.*]+(?:, ?[\w.*]+)+\s*$)|(?:insert into|create table|alter table|update \w+ set) \w"
    r"|\w[\w.-]*=\S+\s*$|[A-Z][A-Z0-9_]{2,}=\S"  # an assignment
    r"|[\w.-]+:\s*$|[\]})]+[;,]?\s*$"  # a key without a value, closing brackets
    r")"
)
_ASSIGNED: Final = re.compile(r"\s*[A-Za-z_][\w.-]*\s*=\s*\S+\s*$")
_INDENTED_CODE: Final = re.compile(r"\s{4,}\S.*[=(){};]")
_SYMBOLS: Final = re.compile(r"[{}()\[\];=<>|\\/*+&^%$@~`]")


def lines_of_text(text: str) -> list[str]:
    """Return the lines of a text, whatever their line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def prose_lines(text: str) -> list[str | None]:
    """Return the lines of a text; None for a line that is not prose."""
    lines: list[str | None] = []
    fenced = mail = document = False
    raw = lines_of_text(text)
    for at, line in enumerate(raw):
        if _FENCE.match(line):
            fenced = not fenced
            lines.append(None)
            continue
        if not line.strip():
            document = False
            lines.append("" if not fenced else None)
            continue
        # Two header lines make a mail; people write notes with a single one.
        mail = mail or (
            _MAIL.match(line) is not None
            and at + 1 < len(raw)
            and _MAIL.match(raw[at + 1]) is not None
        )
        mail = mail or (_SALUTATION.match(line) is not None and any(lines))
        document = document or _HEADING.match(line) is not None
        # "Plumber = Vermeer" is told, if nothing else is said; else it is a line of a file.
        assigned = len(raw) > 1 and _ASSIGNED.match(line) is not None
        pasted = fenced or mail or document or assigned or _is_pasted(line)
        lines.append(None if pasted else line)
    return lines


def own_prose(text: str) -> str:
    """Return what a person typed of a turn; other lines are empty."""
    return "\n".join(line or "" for line in prose_lines(text))


def _is_pasted(line: str) -> bool:
    """Return whether a line has the form of code, output, a table or a quotation."""
    if (
        _PASTED.match(line)
        or line.count("|") >= 2
        or line.count("\t") >= 2
        or line.rstrip().endswith((";", "{", "}"))
        or _INDENTED_CODE.match(line)
    ):
        return True
    symbols = len(_SYMBOLS.findall(line))
    return symbols > 3 and symbols * 4 > len(line) - line.count(" ")
