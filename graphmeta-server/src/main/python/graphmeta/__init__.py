"""GraphMeta from Python: lineage, impact, history and differences of what ran on an HPC centre.

``connect()`` gives a ``Graph``; what its methods answer are rows with the fields of the server's services, for pandas,
networkx and notebooks.
"""

from __future__ import annotations

from .answers import Answer, Lineage
from .errors import ConnectError, GraphMetaError, LoadError, RequestError
from .graph import Graph, Time, connect
from .rows import DiffRow, HistoryRow, LineageRow, Link

__version__ = "0.1.0.dev0"

__all__ = [
    "Answer",
    "ConnectError",
    "DiffRow",
    "Graph",
    "GraphMetaError",
    "HistoryRow",
    "Lineage",
    "LineageRow",
    "Link",
    "LoadError",
    "RequestError",
    "Time",
    "connect",
]
