"""Where the concepts around one are drawn: what holds it above, what it holds below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

PARENTS_MAX: Final = 12
CHILDREN_MAX: Final = 12
"""What is drawn of each at most: a picture of more says nothing."""

WIDTH: Final = 760
_COLUMNS: Final = 4
_BOX: Final = (172, 46)
_STEP: Final = (190, 66)
_GAP: Final = 62
_MARGIN: Final = 10
_CHARACTERS: Final = 21


@dataclass(frozen=True, slots=True)
class Box:
    """A concept in the picture.

    Attributes:
        token: Its name.
        text: The name as it fits.
        dimension: Which dimension leads there, as it fits; empty for the middle.
        kind: `parent`, `child` or `middle`.
        isa: Whether it is a classification.
        contested: Whether a statement against it waits.
        belief: Whether it is somebody's belief only.
        x, y: Its upper left corner.
        line: The path from the middle, as SVG writes it.
    """

    token: str
    text: str
    dimension: str
    kind: str
    isa: bool
    contested: bool
    belief: bool
    x: float
    y: float
    line: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A concept and what is around it.

    Attributes:
        boxes: The middle one first.
        hidden: How many parents were left out.
        more: Whether further children were.
    """

    width: int
    height: float
    box: tuple[int, int]
    boxes: Sequence[Box]
    hidden: int
    more: bool


def neighbourhood(concept: Any, children: Iterable[Any], *, more: bool) -> Picture:
    """Draws a concept.

    Args:
        concept: With the facts that place it.
        children: Concepts that it holds, with theirs.
        more: Whether there are further ones.
    """
    above = list(concept.edges)[:PARENTS_MAX]
    below = [
        edge
        for child in children
        for edge in child.edges
        if edge.parent == concept.token
    ][:CHILDREN_MAX]
    width, height = _BOX
    top = _MARGIN + _height(len(above))
    middle_x, middle_y = WIDTH / 2, top + height / 2
    start: float = top + height + (_GAP if below else 0)
    boxes = [
        Box(
            concept.token, _fitting(concept.token), "", "middle", True, False,
            False, middle_x - width / 2, top,
        )
    ]  # fmt: skip
    for x, row, edge in _placed(above):
        y: float = _MARGIN + row * _STEP[1]
        line = _curve(middle_x, middle_y, x + width / 2, y + height)
        boxes.append(_box(edge, edge.parent, "parent", x, y, line))
    for x, row, edge in _placed(below):
        y = start + row * _STEP[1]
        line = _curve(middle_x, middle_y, x + width / 2, y)
        boxes.append(_box(edge, edge.concept, "child", x, y, line))
    rows = -(-len(below) // _COLUMNS)
    end: float = start + (rows - 1) * _STEP[1] + height if below else top + height
    hidden = max(len(concept.edges) - PARENTS_MAX, 0)
    return Picture(WIDTH, end + _MARGIN, _BOX, boxes, hidden, more)


def _box(edge: Any, token: str, kind: str, x: float, y: float, line: str) -> Box:
    return Box(
        token, _fitting(token), _fitting(edge.dimension), kind, edge.is_isa,
        edge.contested, edge.belief, x, y, line,
    )  # fmt: skip


def _height(count: int) -> float:
    """What so many boxes take, with the gap to the middle."""
    rows = -(-count // _COLUMNS)
    return (rows - 1) * _STEP[1] + _BOX[1] + _GAP if rows else 0


def _placed(edges: Sequence[Any]) -> Iterable[tuple[float, int, Any]]:
    """Edges in rows of nearly one length, each row in the middle of the picture."""
    rows, rest = -(-len(edges) // _COLUMNS), list(edges)
    for row in range(rows):
        count = -(-len(rest) // (rows - row))
        left = (WIDTH - (count - 1) * _STEP[0] - _BOX[0]) / 2
        for column, edge in enumerate(rest[:count]):
            yield left + column * _STEP[0], row, edge
        del rest[:count]


def _curve(x1: float, y1: float, x2: float, y2: float) -> str:
    half = (y1 + y2) / 2
    return f"M{x1:g} {y1:g}C{x1:g} {half:g} {x2:g} {half:g} {x2:g} {y2:g}"


def _fitting(name: str) -> str:
    return name if len(name) <= _CHARACTERS else name[: _CHARACTERS - 1] + "…"
