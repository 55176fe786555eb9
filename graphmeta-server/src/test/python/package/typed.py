"""What mypy says of a program that uses the package: that each of these types is what it is."""

import graphmeta
from typing_extensions import assert_type

with graphmeta.connect("localhost", token="x") as graph:
    lineage = graph.lineage("/a", as_of="2026-11-21T00:35:30Z", depth=3)
    assert_type(lineage, graphmeta.Lineage)
    assert_type(lineage[0]["from"], str)
    assert_type(lineage.partial, bool)
    assert_type(graph.history("/a")[0]["versionsRead"], list[str])
    assert_type(graph.diff("job:1", "job:2")[0]["aspect"], str)
    graph.lineage("/a", depht=3)  # type: ignore[call-arg]
