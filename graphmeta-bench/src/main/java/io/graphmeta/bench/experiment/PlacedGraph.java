package io.graphmeta.bench.experiment;

import java.util.Arrays;

/**
 * Where the out-entries of a graph are after their insertion under a layout, and what it costs to
 * follow them. Immutable.
 *
 * <p>The costs are StatComm and StatReads of section 6.4.2 of the paper, which leaves open what
 * exactly is counted. Here a step from a working set asks, for each vertex of it, each shard that
 * has a partition of the vertex, reads all entries there, and goes from each entry to the vertex at
 * its other end. StatComm counts the messages: one for each shard other than the home of the vertex
 * that is asked, one for each entry that does not lie with the vertex at its other end. StatReads
 * counts the entries and the distinct vertices arrived at that are read on each shard, and takes
 * the shard with most.
 */
final class PlacedGraph {
  private final DirectedGraph graph;
  private final Layout layout;
  private final char[] shards;
  private final int[] homes;
  private final int[] partitions;
  private final int[] elsewhere;
  private final int[] apart;
  private final long[] entries;

  private PlacedGraph(DirectedGraph graph, Layout layout) {
    this.graph = graph;
    this.layout = layout;
    this.shards = new char[graph.edgeCount()];
    this.homes = new int[graph.vertexCount()];
    this.partitions = new int[graph.vertexCount()];
    this.elsewhere = new int[graph.vertexCount()];
    this.apart = new int[graph.vertexCount()];
    this.entries = new long[layout.shards()];
  }

  /** Inserts the edges of a graph; vertices do not bear on one another, and come in turn. */
  static PlacedGraph place(DirectedGraph graph, Layout layout, int threshold) {
    PlacedGraph placed = new PlacedGraph(graph, layout);
    Arrays.setAll(placed.homes, layout::home);
    PlacedVertex entries = new PlacedVertex(layout, threshold);
    for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
      int first = graph.firstEdge(vertex);
      int degree = graph.degree(vertex);
      entries.begin(vertex);
      for (int edge = first; edge < first + degree; edge++) {
        entries.insert(graph.other(edge));
      }
      for (int entry = 0; entry < degree; entry++) {
        int shard = entries.shard(entry);
        placed.shards[first + entry] = (char) shard;
        placed.entries[shard]++;
        placed.apart[vertex] += shard == placed.homes[graph.other(first + entry)] ? 0 : 1;
      }
      placed.partitions[vertex] = entries.split().size();
      placed.elsewhere[vertex] = entries.shardsElsewhere();
    }
    return placed;
  }

  /** Number of partitions of a vertex. */
  int partitions(int vertex) {
    return partitions[vertex];
  }

  /** Number of entries on each shard. */
  long[] entries() {
    return entries.clone();
  }

  /** StatComm of a step. */
  long messages(WorkingSet from) {
    long messages = 0;
    for (int i = 0; i < from.size(); i++) {
      messages += elsewhere[from.vertex(i)] + apart[from.vertex(i)];
    }
    return messages;
  }

  /** StatReads of a step from a working set to the next one. */
  long mostReads(WorkingSet from, WorkingSet to) {
    long[] reads = new long[layout.shards()];
    if (from.edges() <= graph.edgeCount() / 2) {
      for (int i = 0; i < from.size(); i++) {
        addEntries(from.vertex(i), 1, reads);
      }
    } else { // all but those of the other vertices
      System.arraycopy(entries, 0, reads, 0, reads.length);
      for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
        if (!from.has(vertex)) {
          addEntries(vertex, -1, reads);
        }
      }
    }
    for (int i = 0; i < to.size(); i++) {
      reads[homes[to.vertex(i)]]++;
    }
    return Arrays.stream(reads).max().orElse(0);
  }

  private void addEntries(int vertex, int times, long[] reads) {
    int first = graph.firstEdge(vertex);
    for (int edge = first; edge < first + graph.degree(vertex); edge++) {
      reads[shards[edge]] += times;
    }
  }
}
