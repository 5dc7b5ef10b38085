"""Real texts that are on every machine that runs this: nothing is shipped or fetched.

They are what the installed packages say of themselves, and what Python's own library
says of itself.
"""

from __future__ import annotations

import ast
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

from festinger import _fast
from festinger.config import DictionarySettings
from festinger.store.language import dictionary

DESCRIPTIONS = "descriptions"
DOCSTRINGS = "docstrings"
CHARACTERS_MAX = 640_000
"""Of each kind; there is as much on any machine that can run the tests."""
ENOUGH = 4
"""Texts that a name stands in before it is considered."""


@cache
def sources() -> dict[str, str]:
    """Return all of each kind of text, by its name."""
    kinds = {DESCRIPTIONS: _descriptions(), DOCSTRINGS: _docstrings()}
    return {name: _joined(texts) for name, texts in kinds.items()}


def pieces(size: int, count: int, kinds: Iterable[str] = ()) -> list[str]:
    """So many texts of a size, of each kind in turn; fewer if there are no more.

    Args:
        size: In characters.
        kinds: All, if none is named.
    """
    chosen = [sources()[kind] for kind in kinds or sources()]
    found: list[str] = []
    for at in range(0, CHARACTERS_MAX, size):
        found += [text[at : at + size] for text in chosen if at + size <= len(text)]
        if len(found) >= count:
            break
    return found[:count]


@dataclass(frozen=True, slots=True)
class Words:
    """The concepts of some texts.

    Attributes:
        everyday: Those of the dictionary.
        names: The others that stand in enough of the texts to be considered.
        seldom: The rest, which a memory would hardly know.
    """

    everyday: list[str]
    names: list[str]
    seldom: list[str]


def words_of(texts: Iterable[str]) -> Words:
    """Sort the concepts of texts, as a memory that read each of them once."""
    met: Counter[str] = Counter()
    for text in texts:
        met.update(concepts(_fast.scan(text)))
    everyday = everyday_words()
    names = [token for token in met if token not in everyday]
    return Words(
        sorted(met.keys() & everyday),
        sorted(token for token in names if met[token] >= ENOUGH),
        sorted(token for token in names if met[token] < ENOUGH),
    )


def concepts(scan: _fast.Scan) -> set[str]:
    """Return the distinct concepts of a text."""
    flags = map(scan.flags, range(len(scan)))
    return {
        token for token, flag in zip(scan, flags, strict=True) if flag & _fast.CONCEPT
    }


@cache
def everyday_words() -> frozenset[str]:
    """Return the dictionary as the product has it."""
    return dictionary.load(DictionarySettings())


def _joined(texts: Iterable[str]) -> str:
    parts: list[str] = []
    length = 0
    for text in texts:
        if length >= CHARACTERS_MAX:
            break
        parts.append(text)
        length += len(text) + 2
    return "\n\n".join(parts)[:CHARACTERS_MAX]


def _descriptions() -> Iterator[str]:
    """Return the long descriptions in the METADATA of what is installed."""
    found: dict[str, str] = {}
    for distribution in distributions():
        # Behind the headers and an empty line.
        _, _, text = (distribution.read_text("METADATA") or "").partition("\n\n")
        if text.strip():
            found[distribution.metadata["Name"].lower()] = text.strip()
    for _, text in sorted(found.items()):
        yield text


def _docstrings() -> Iterator[str]:
    """Return those of the modules at the top of Python's library, a module each."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for file in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        nodes = ast.walk(ast.parse(file.read_bytes()))
        texts = [ast.get_docstring(node) for node in nodes if isinstance(node, kinds)]
        if whole := "\n\n".join(filter(None, texts)):
            yield whole
