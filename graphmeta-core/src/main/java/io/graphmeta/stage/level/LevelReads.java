package io.graphmeta.stage.level;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.rows.ElementCandidates;
import io.graphmeta.rows.PageReader;

/**
 * What the levels of traversals read with on one shard.
 *
 * @param rows reads rows in whole pages
 * @param firstRows reads rows in small pages, for scans from which few results are wanted
 * @param cache holds neighbours of vertices
 * @param threads take part in operations on many elements
 * @param candidates name what a scan need not look beyond
 */
public record LevelReads(
    PageReader rows,
    PageReader firstRows,
    AdjacencyCache cache,
    LevelCrew.Threads threads,
    ElementCandidates candidates) {}
