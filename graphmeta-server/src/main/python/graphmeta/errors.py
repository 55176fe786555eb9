"""What can go wrong, each with what the server or the command line said of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class GraphMetaError(Exception):
    """Any failure of this package."""


class ConnectError(GraphMetaError):
    """A server cannot be reached, or does not let one in."""


class RequestError(GraphMetaError):
    """The server refused or failed a request; the text is what it said.

    ``status`` is its code in Gremlin Server's protocol: 499 for what was asked wrongly, 500 for a failure.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class LoadError(GraphMetaError):
    """``graphmeta load`` failed, or loaded a part; the text is what it said.

    ``summary`` is what it did load, with the fields of ``graphmeta load --json``; empty if nothing was begun.
    """

    def __init__(self, message: str, summary: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.summary = summary
