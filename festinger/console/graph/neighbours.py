"""Layout of a concept's neighbourhood: parents above it, and children below it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from festinger.api.v1.concept_pb2 import Concept
from festinger.api.v1.edge_pb2 import Edge

PARENTS_MAX: Final = 12
CHILDREN_MAX: Final = 12
"""The maximum numbers of parents and children that are drawn, for readability."""

WIDTH: Final = 760  # pixels, as all sizes here
_COLUMNS: Final = 4  # boxes in a row, at most
_BOX: Final = (172, 46)  # width and height
_STEP: Final = (190, 66)  # from one box to the next: across, down
_GAP: Final = 62  # between the middle and the first row
_MARGIN: Final = 10
_CHARACTERS: Final = 21  # what a box has room for


@dataclass(frozen=True, slots=True)
class ConceptBox:
    """Box of a concept in the picture.

    Attributes:
        token: The concept's token.
        text: The token, shortened to the width of the box.
        dimension: The edge's dimension, shortened likewise; empty for the middle.
        kind: `parent`, `child` or `middle`.
        isa: Whether the edge is a classification.
        contested: Whether a statement against the edge is pending.
        belief: Whether the edge is only a belief.
        x, y: The upper left corner.
        line: The SVG path from the middle.
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
class NeighbourPicture:
    """Picture of a concept and its neighbours.

    Attributes:
        width, height: The size of the picture.
        box: The width and height of a box.
        boxes: The boxes, the concept's own first.
        hidden: The number of parents that are left out.
        more: Whether children are left out.
    """

    width: int
    height: float
    box: tuple[int, int]
    boxes: Sequence[ConceptBox]
    hidden: int
    more: bool


def neighbourhood(
    concept: Concept, children: Iterable[Concept], *, more: bool
) -> NeighbourPicture:
    """Lay out a concept and its neighbours.

    Args:
        concept: The concept, with the edges to its parents.
        children: The concepts below it, with their edges.
        more: Whether there are further children.
    """
    above = _rows(list(concept.edges)[:PARENTS_MAX])
    below = _rows(
        [
            edge
            for child in children
            for edge in child.edges
            # A child has edges to other parents too.
            if edge.parent == concept.token
        ][:CHILDREN_MAX]
    )
    width, height = _BOX
    # Coordinates grow downwards: the parents' rows determine where the middle begins.
    top = _MARGIN + _height(above)
    bottom: float = top + height
    middle = WIDTH / 2, top + height / 2
    boxes = [
        ConceptBox(
            concept.token, _fitting(concept.token), "", "middle", True, False,
            False, middle[0] - width / 2, top
        )
    ]  # fmt: skip
    for number, row in enumerate(above):
        y: float = _MARGIN + number * _STEP[1]
        # Lines cross the rows that lie nearer to the middle, from the nearest outwards.
        lengths = [len(each) for each in reversed(above[number + 1 :])]
        for x, edge in _placed(row):
            line = _line(middle, (x + width / 2, y + height), lengths)
            boxes.append(_box(edge, edge.parent, "parent", x, y, line))
    for number, row in enumerate(below):
        y = bottom + _GAP + number * _STEP[1]
        lengths = [len(each) for each in below[:number]]
        for x, edge in _placed(row):
            line = _line(middle, (x + width / 2, y), lengths)
            boxes.append(_box(edge, edge.concept, "child", x, y, line))
    end = bottom + _height(below) + _MARGIN
    hidden = max(len(concept.edges) - PARENTS_MAX, 0)
    return NeighbourPicture(WIDTH, end, _BOX, boxes, hidden, more)


def _box(
    edge: Edge, token: str, kind: str, x: float, y: float, line: str
) -> ConceptBox:
    return ConceptBox(
        token, _fitting(token), _fitting(edge.dimension), kind, edge.is_isa,
        edge.contested, edge.belief, x, y, line
    )  # fmt: skip


def _height(rows: Sequence[Sequence[Edge]]) -> float:
    """Return the height of some rows, with the gap to the middle."""
    return (len(rows) - 1) * _STEP[1] + _BOX[1] + _GAP if rows else 0


def _rows(edges: Sequence[Edge]) -> list[Sequence[Edge]]:
    """Split edges into rows of nearly equal length."""
    rows, rest = [], edges
    for left in range(-(-len(edges) // _COLUMNS), 0, -1):
        # 5 become 3 and 2, not 4 and 1.
        count = -(-len(rest) // left)
        rows.append(rest[:count])
        rest = rest[count:]
    return rows


def _placed(row: Sequence[Edge]) -> Iterable[tuple[float, Edge]]:
    """Return the edges of a centred row with their x coordinates."""
    left = _left(len(row))
    return ((left + column * _STEP[0], edge) for column, edge in enumerate(row))


def _left(count: int) -> float:
    """Return the x coordinate of the first box of a centred row."""
    return (WIDTH - (count - 1) * _STEP[0] - _BOX[0]) / 2


def _line(
    start: tuple[float, float], end: tuple[float, float], between: Iterable[int]
) -> str:
    """Return the SVG path from the middle to a box, through gaps of the rows between.

    Args:
        start: The centre of the middle box.
        end: The end of the path at the other box.
        between: The number of boxes in each row between, the nearest first.
    """
    x, y = start
    path = f"M{x:g} {y:g}"
    # The direction is up or down; the first row is `_GAP` away from the middle's edge.
    way = 1 if end[1] > y else -1
    edge = y + way * (_BOX[1] / 2 + _GAP)
    for count in between:
        # Through a gap in the row, straight past its boxes, then on from behind it.
        gap = _between(end[0], count)
        path += f"{_curve(x, y, gap, edge)}V{edge + way * _BOX[1]:g}"
        x, y = gap, edge + way * _BOX[1]
        edge += way * _STEP[1]
    return path + _curve(x, y, *end)


def _between(x: float, count: int) -> float:
    """Return the x coordinate nearest to `x` at which a row has no box."""
    first = _left(count) - (_STEP[0] - _BOX[0]) / 2
    last = WIDTH - first
    # Beside a short row there is room anywhere.
    if not first < x < last:
        return x
    gaps = (first + number * _STEP[0] for number in range(count + 1))
    # Of two gaps as near, the one towards the centre.
    return min(gaps, key=lambda gap: (abs(gap - x), abs(gap - WIDTH / 2)))


def _curve(x1: float, y1: float, x2: float, y2: float) -> str:
    # Both ends leave vertically, so that curves of one box begin as one line.
    half = (y1 + y2) / 2
    return f"C{x1:g} {half:g} {x2:g} {half:g} {x2:g} {y2:g}"


def _fitting(name: str) -> str:
    return name if len(name) <= _CHARACTERS else name[: _CHARACTERS - 1] + "…"
