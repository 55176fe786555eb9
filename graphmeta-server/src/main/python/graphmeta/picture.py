"""Draws a lineage: columns by the distance from the start, links between them. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from .rows import LineageRow
from .text import escaped, shortened

ELEMENTS = 200
"""Most elements of a picture."""

_WIDTH, _HEIGHT = 190, 34
_GAP_X, _GAP_Y, _MARGIN = 70, 12, 12
_COLUMNS = 27  # letters that fit into a box
_MOST_LINKS = 2_000

_FILLS = {
    "file": "#e8f1fb",
    "process": "#fdf0dc",
    "executable": "#efe6fa",
    "job": "#e4f4e4",
    "user": "#fbe6ec",
}
_OTHER_FILL = "#eeeeee"


@dataclass(frozen=True)
class _Box:
    row: LineageRow
    x: float
    y: float

    @property
    def middle(self) -> float:
        return self.y + _HEIGHT / 2


def draw(rows: Sequence[LineageRow]) -> str:
    """An SVG document of the elements nearest to the start."""
    boxes = _placed(rows[:ELEMENTS])
    width = max((box.x for box in boxes.values()), default=0) + _WIDTH + _MARGIN
    height = max((box.y for box in boxes.values()), default=0) + _HEIGHT + _MARGIN
    links = [_link(boxes[source], boxes[target], relation) for source, target, relation in _links(boxes)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="11">'
        f'<rect width="100%" height="100%" fill="#ffffff"/>'
        f"{''.join(links)}{''.join(_box(box, place == 0) for place, box in enumerate(boxes.values()))}</svg>"
    )


def _links(boxes: dict[int, _Box]) -> list[tuple[int, int, str]]:
    links = [
        (index, link["to"], link["relation"])
        for index, box in boxes.items()
        for link in box.row.get("links", [])
        if link["to"] in boxes
    ]
    return links[:_MOST_LINKS]


def _placed(rows: Sequence[LineageRow]) -> dict[int, _Box]:
    """Where each element lies: its column is its depth; within it, it lies near to those that lead to it."""
    leading: dict[int, list[int]] = defaultdict(list)
    columns: dict[int, list[LineageRow]] = defaultdict(list)
    for row in rows:
        columns[row["depth"]].append(row)
        for link in row.get("links", []):
            leading[link["to"]].append(row["index"])
    tallest = max(map(len, columns.values()), default=0)
    places: dict[int, float] = {}
    for depth in sorted(columns):
        column = columns[depth]
        wished = {row["index"]: _mean([places[i] for i in leading[row["index"]] if i in places]) for row in column}
        column.sort(key=lambda row: wished[row["index"]])
        first = (tallest - len(column)) / 2
        for place, row in enumerate(column):
            places[row["index"]] = first + place
    at = {depth: _MARGIN + place * (_WIDTH + _GAP_X) for place, depth in enumerate(sorted(columns))}
    return {
        row["index"]: _Box(row, at[row["depth"]], _MARGIN + places[row["index"]] * (_HEIGHT + _GAP_Y)) for row in rows
    }


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _link(source: _Box, target: _Box, relation: str) -> str:
    start = source.x + _WIDTH
    bend = _GAP_X / 2
    # A link within a column, or back, swings out to the right.
    end, turn = (target.x, target.x - bend) if target.x > source.x else (target.x + _WIDTH, target.x + _WIDTH + bend)
    return (
        f'<path d="M{start:g} {source.middle:g} C{start + bend:g} {source.middle:g} '
        f'{turn:g} {target.middle:g} {end:g} {target.middle:g}" fill="none" stroke="#8a8f98">'
        f"<title>{escaped(relation)}</title></path>"
    )


def _box(box: _Box, is_start: bool) -> str:
    row = box.row
    border = 'stroke="#1d2733" stroke-width="2"' if is_start else 'stroke="#8a8f98"'
    dashes = ' stroke-dasharray="4 3"' if row.get("doubts") else ""
    gone = ' opacity="0.6"' if row.get("fate", "current") != "current" else ""
    fill = _FILLS.get(row["label"], _OTHER_FILL)
    # A nested svg shows nothing outside of its bounds, whatever its text is.
    return (
        f'<svg x="{box.x:g}" y="{box.y:g}" width="{_WIDTH}" height="{_HEIGHT}"{gone}>'
        f"<title>{escaped(_details(row))}</title>"
        f'<rect x="1" y="1" width="{_WIDTH - 2}" height="{_HEIGHT - 2}" rx="5" fill="{fill}" {border}{dashes}/>'
        f'<text x="8" y="14" fill="#1d2733">{escaped(_name(row))}</text>'
        f'<text x="8" y="27" fill="#5b6470" font-size="10">{escaped(_subtitle(row))}</text></svg>'
    )


def _name(row: LineageRow) -> str:
    if row["label"] == "process":
        program, _, arguments = row.get("description", row["id"]).partition(" ")
        return shortened(f"{program.rpartition('/')[2]} {arguments}".strip(), _COLUMNS)
    return shortened(row["id"], _COLUMNS, keep_end=True)


def _subtitle(row: LineageRow) -> str:
    if row["label"] == "file":
        fate = row.get("fate", "current")
        moment = row.get("version", "").partition(".")[0].replace("T", " ")
        return shortened(moment if fate == "current" else f"{moment} {fate}", _COLUMNS + 4)
    about = row["id"] if row["label"] == "process" else row.get("description", "")
    return shortened(f"{row['label']} {about}", _COLUMNS + 4)


def _details(row: LineageRow) -> str:
    """All fields, for who points at a box."""
    shown = ("id", "label", "version", "valid", "end", "writer", "description", "fate", "doubts")
    fields: dict[str, object] = {**row}
    return "; ".join(f"{name}: {fields[name]}" for name in shown if name in fields)
