"""The rows of answers: dictionaries as the services give them, without the fields that have no value.

What each field means stands on the reference page of the services.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypedDict

Link = TypedDict("Link", {"relation": str, "to": int})
"""Where an element of a lineage leads, away from the start: ``to`` is the ``index`` of the other."""

LineageRow = TypedDict(
    "LineageRow",
    {
        "id": str,
        "label": str,
        "depth": int,
        "relation": str,
        "from": str,
        "valid": datetime,
        "version": str,
        "end": datetime,
        "writer": str,
        "description": str,
        "fate": str,
        "doubts": list[str],
        "index": int,
        "links": list[Link],
        "partial": bool,
    },
    total=False,
)
"""A version of a file, or another element, of a lineage or an impact."""

HistoryRow = TypedDict(
    "HistoryRow",
    {
        "id": Any,
        "label": str,
        "operation": str,
        "valid": datetime,
        "version": str,
        "known": datetime,
        "key": str,
        "value": Any,
        "valueId": int,
        "properties": dict[str, Any],
        "process": str,
        "end": datetime,
        "commandLine": str,
        "executable": str,
        "job": str,
        "jobName": str,
        "user": str,
        "bytes": int,
        "operations": int,
        "opens": int,
        "other": str,
        "versionsRead": list[str],
        "fate": str,
        "doubts": list[str],
        "partial": bool,
    },
    total=False,
)
"""A change of an element, or what a process did with a file."""

DiffRow = TypedDict(
    "DiffRow",
    {
        "of": str,
        "aspect": str,
        "change": str,
        "id": str,
        "key": str,
        "before": Any,
        "after": Any,
        "onlyBefore": list[str],
        "onlyAfter": list[str],
        "doubts": list[str],
        "partial": bool,
    },
    total=False,
)
"""A difference."""
