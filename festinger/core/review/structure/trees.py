"""YAML, JSON and TOML as trees, with limits on size and depth."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from festinger.errors import UnreadableFile

DEPTH_MAX: Final = 64  # no manifest is deeper
NODES_MAX: Final = 50_000
"""Maximum for all documents of a file; a manifest of a thousand objects has fewer."""
CHARACTERS_MAX: Final = 512 * 1024
"""Maximum for a file that is parsed at once, as JSON and TOML are."""

_TOML_LINE = re.compile(r" \(at line (\d+), column \d+\)")


@dataclass(slots=True)
class TreeNode:
    """Scalar, mapping or list; empty if it is none of them.

    Attributes:
        text: Value of a scalar, as a string.
        fields: Nodes of a mapping, by key.
        start: Offset in the file, in characters.
        end: Offset after it.
        keys: Position of each key of a mapping.
    """

    # Three fields and not a union: a reader asks for what it expects, and gets nothing else.
    text: str = ""
    fields: dict[str, TreeNode] = field(default_factory=dict)
    items: list[TreeNode] = field(default_factory=list)
    start: int = 0
    end: int = 0
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)

    def get(self, *path: str) -> TreeNode:
        """Return the node at a path of keys; an empty node if there is none."""
        node = self
        for key in path:
            found = node.fields.get(key)
            if found is None:
                return TreeNode(start=node.start, end=node.start)
            node = found
        return node

    def texts(self) -> list[str]:
        """Return the scalars of a list, or the scalar of this node."""
        if self.text:
            return [self.text]
        return [item.text for item in self.items if item.text]


# Libyaml where PyYAML was built with it.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(text: str) -> list[TreeNode]:
    """Return the documents of a YAML file.

    Raises:
        UnreadableFile: It is no YAML, or exceeds the limits on depth or size.
    """
    try:
        # Events instead of objects: tags are ignored, and an alias is never copied (a
        # "billion laughs").
        return list(_Builder().documents(yaml.parse(text, Loader=_Loader)))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 0
        raise UnreadableFile(
            f"no YAML: {error.problem or error.context}", line
        ) from None
    # Errors of the reader have no mark: find the character that it stumbled over.
    except (yaml.YAMLError, UnicodeError) as error:
        what = str(error).splitlines()[0]
        raise UnreadableFile(f"no YAML: {what}", _line_of_control(text)) from None


def read_json(text: str) -> Mapping[str, Any]:
    """Return the object of a JSON file.

    Raises:
        UnreadableFile: It is no JSON object, or too large.
    """
    _check_size(text)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableFile(f"no JSON: {error.msg}", error.lineno) from None
    # ValueError: a number of thousands of digits.
    except (RecursionError, ValueError) as error:
        raise UnreadableFile(f"no JSON: {error}") from None
    if not isinstance(value, dict):
        raise UnreadableFile("no JSON object", 1)
    return value


def read_toml(text: str) -> Mapping[str, Any]:
    """Return the tables of a TOML file.

    Raises:
        UnreadableFile: It is no TOML, or too large.
    """
    _check_size(text)
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        found = _TOML_LINE.search(str(error))
        line = int(found[1]) if found else 0
        raise UnreadableFile(
            f"no TOML: {_TOML_LINE.sub('', str(error))}", line
        ) from None


def _check_size(text: str) -> None:
    if len(text) > CHARACTERS_MAX:
        raise UnreadableFile(
            f"{len(text)} characters are more than {CHARACTERS_MAX}: nobody wrote that"
        )


def _line_of_control(text: str) -> int:
    """Return the line of the first character that YAML forbids; 0 if there is none."""
    found = re.search(
        r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]", text
    )
    return text.count("\n", 0, found.start()) + 1 if found else 0


class _Builder:
    """Builder of nodes from events, without recursion."""

    def __init__(self) -> None:
        self.anchors: dict[str, TreeNode] = {}
        self.open: list[tuple[TreeNode, bool]] = []
        """The open collections, each with whether it is a mapping."""
        self.pending: list[tuple[str | None, tuple[int, int]] | None] = []
        """For each open collection, the key that has no value yet; None for no key."""
        self.merging: list[TreeNode] = []
        """Open collections that `<<` merges into a mapping once they are closed."""
        self.nodes = 0
        self.root: TreeNode | None = None

    def documents(self, events: Iterator[Any]) -> Iterator[TreeNode]:
        """Yield the root of each YAML document."""
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                self.root = None
                self.anchors = {}  # anchors hold within one document
            elif isinstance(event, yaml.DocumentEndEvent):
                yield self.root or TreeNode()
            elif isinstance(event, yaml.CollectionEndEvent):
                self._close(event)
            elif isinstance(event, yaml.NodeEvent):
                self._node(event)

    def _close(self, event: Any) -> None:
        node, _ = self.open.pop()
        self.pending.pop()
        node.end = event.start_mark.index
        if self.merging and self.merging[-1] is node:
            # What was merged is complete only now.
            self.merging.pop()
            self._merge(self.open[-1][0], node)

    def _node(self, event: Any) -> None:
        self._count(1)
        start, end = event.start_mark.index, event.end_mark.index
        line = event.start_mark.line + 1
        # The same node again and no copy: nested aliases cost nothing.
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                raise UnreadableFile(
                    f"no YAML: nothing is called {event.anchor!r}", line
                )
            self._place(self.anchors[event.anchor], (start, end))
            return
        node = TreeNode(start=start, end=end)
        if event.anchor:
            self.anchors[event.anchor] = node
        if isinstance(event, yaml.ScalarEvent):
            node.text = "" if _is_null(event) else event.value
            self._place(node, (start, end), key=event.value)
            return
        self._place(node, (start, end), closed=False)
        self.open.append((node, isinstance(event, yaml.MappingStartEvent)))
        self.pending.append(None)
        if len(self.open) > DEPTH_MAX:
            raise UnreadableFile(f"nested deeper than {DEPTH_MAX} levels", line)

    def _place(
        self,
        node: TreeNode,
        span: tuple[int, int],
        *,
        key: str | None = None,
        closed: bool = True,
    ) -> None:
        """Add a node to the open collection; a mapping takes a key, then its value."""
        if not self.open:
            self.root = node
            return
        parent, is_mapping = self.open[-1]
        if not is_mapping:
            parent.items.append(node)
            return
        waiting = self.pending[-1]
        # Scalars and collections take turns as key and value.
        if waiting is None:
            # A key that is no scalar has no name and is skipped.
            self.pending[-1] = (key, span)
            return
        self.pending[-1] = None
        name, where = waiting
        if name == "<<" and closed:
            self._merge(parent, node)
        elif name == "<<":
            self.merging.append(node)
        elif name is not None:
            parent.fields[name] = node  # of a repeated key the last value counts
            parent.keys[name] = where

    def _merge(self, parent: TreeNode, node: TreeNode) -> None:
        """Merge the nodes of `<<` into a mapping; its own fields take precedence."""
        for other in node.items or [node]:
            # `<<` copies references, and each is counted, so that merging cannot explode.
            self._count(len(other.fields))
            # A copy, as a mapping may be merged into itself.
            for name, value in list(other.fields.items()):
                if name not in parent.fields:
                    parent.fields[name] = value
                    parent.keys[name] = other.keys[name]

    def _count(self, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > NODES_MAX:
            raise UnreadableFile(f"it has more than {NODES_MAX} values")


def _is_null(event: Any) -> bool:
    # A quoted "null" is a word.
    return event.implicit[0] and event.value in ("", "~", "null", "Null", "NULL")
