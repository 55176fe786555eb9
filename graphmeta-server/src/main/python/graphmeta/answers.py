"""Answers: the rows of a service, and what notebooks make of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Mapping, TypeVar, overload

from . import picture
from .rows import LineageRow
from .text import escaped, shortened

if TYPE_CHECKING:
    import networkx
    import pandas

TABLE_ROWS = 50
"""Most rows of the table that a notebook shows; the answer itself has them all."""

_CELL_COLUMNS = 120
_PARTIAL = "partial"

R = TypeVar("R", bound=Mapping[str, Any])


class Answer(Sequence[R], Generic[R]):
    """The rows that a service answered: dictionaries, in its order and with its fields. Immutable."""

    def __init__(self, question: str, rows: Iterable[R]) -> None:
        self._question = question
        self._rows = tuple(rows)

    @property
    def question(self) -> str:
        """What was asked."""
        return self._question

    @property
    def partial(self) -> bool:
        """Whether a limit cut it short: there is more than these rows."""
        return any(row.get(_PARTIAL) is True for row in self._rows[-1:])

    @overload
    def __getitem__(self, index: int) -> R: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[R]: ...

    def __getitem__(self, index: int | slice) -> R | Sequence[R]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each row and a column for each field that one of them has. Needs ``graphmeta[pandas]``."""
        import pandas

        return pandas.DataFrame.from_records(list(self._rows), columns=self._fields())

    def _fields(self) -> list[str]:
        return list(dict.fromkeys(field for row in self._rows for field in row if field != _PARTIAL))

    def _summary(self) -> str:
        rows = "1 row" if len(self) == 1 else f"{len(self):,} rows"
        return f"{self._question}: {rows}{', partial: a limit ended it' if self.partial else ''}"

    def __repr__(self) -> str:
        return f"<{self._summary()}>"

    def _repr_html_(self) -> str:
        fields = self._fields()
        head = "".join(f"<th>{escaped(field)}</th>" for field in fields)
        body = "".join(
            "<tr>" + "".join(f"<td>{_cell(row.get(field))}</td>" for field in fields) + "</tr>"
            for row in self._rows[:TABLE_ROWS]
        )
        more = f"; the first {TABLE_ROWS} are shown" if len(self) > TABLE_ROWS else ""
        return f"<p>{escaped(self._summary() + more)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Lineage(Answer[LineageRow]):
    """A lineage or an impact: versions of files and what made them, with the links between them."""

    def to_networkx(self) -> networkx.MultiDiGraph[int]:
        """The elements by their ``index``, with their fields; an edge for each link, away from the start.

        The key of an edge and its ``relation`` are the link's relation. Needs ``graphmeta[networkx]``.
        """
        import networkx

        graph: networkx.MultiDiGraph[int] = networkx.MultiDiGraph(partial=self.partial)
        for row in self:
            fields = {name: value for name, value in row.items() if name not in ("index", "links", _PARTIAL)}
            graph.add_node(row["index"], **fields)
        for row in self:
            for link in row.get("links", []):
                graph.add_edge(row["index"], link["to"], key=link["relation"], relation=link["relation"])
        return graph

    def svg(self) -> str:
        """The picture that a notebook shows, as an SVG document; of a long answer the elements nearest to the start."""
        return picture.draw(self)

    def _repr_html_(self) -> str:
        more = f"; the {picture.ELEMENTS} nearest are drawn" if len(self) > picture.ELEMENTS else ""
        return f'<p>{escaped(self._summary() + more)}</p><div style="max-height:40em;overflow:auto">{self.svg()}</div>'


def _cell(value: object) -> str:
    return "" if value is None else escaped(shortened(str(value), _CELL_COLUMNS))
