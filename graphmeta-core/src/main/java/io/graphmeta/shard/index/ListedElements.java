package io.graphmeta.shard.index;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.ElementLabel;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexedVersion;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Elements that rows of the list name, each with the least valid stamp of its changes, on their way
 * into the index. Belongs to one thread.
 */
final class ListedElements {
  private final Map<Long, Long> vertices = new HashMap<>();
  private final TreeMap<byte[], Long> edges = new TreeMap<>(Arrays::compareUnsigned);

  /** What the keys of edges begin with of which others than before may belong here. */
  private final TreeSet<byte[]> moved = new TreeSet<>(Arrays::compareUnsigned);

  /** Adds what a row names. */
  void add(ChangeCursor row) {
    switch (row.names()) {
      case VERTEX -> vertices.merge(row.vertex(), row.leastValid(), Math::min);
      case EDGE -> edges.merge(row.element(), row.leastValid(), Math::min);
      case ENTRIES -> moved.add(row.element());
    }
  }

  int size() {
    return vertices.size() + edges.size() + moved.size();
  }

  void clear() {
    vertices.clear();
    edges.clear();
    moved.clear();
  }

  /**
   * Puts the versions of all into the index, each element once.
   *
   * @param into puts a version into the index
   * @param definitions those that are followed, by label
   * @param resolved what is committed up to this stamp is read, of what belongs here at it
   */
  void putInto(
      AttributeIndex index,
      Consumer<IndexedVersion> into,
      Map<ElementLabel, List<IndexDefinition>> definitions,
      StorageEngine storage,
      SplitTable splits,
      long resolved) {
    if (!vertices.isEmpty()) {
      List<Long> keys = new ArrayList<>(vertices.keySet());
      keys.sort(Long::compareUnsigned);
      try (ElementVersions versions =
          new ElementVersions(storage, ElementKind.VERTEX, resolved, into)) {
        for (Long vertex : keys) {
          ElementLabel label = ElementLabel.ofVertices(VertexKeys.labelId(vertex));
          versions.read(
              ElementWalk.key(vertex),
              definitions.getOrDefault(label, List.of()),
              vertices.getOrDefault(vertex, 0L));
        }
      }
    }
    if (!edges.isEmpty() || !moved.isEmpty()) {
      try (ElementVersions versions =
          new ElementVersions(storage, ElementKind.EDGE, resolved, into)) {
        putEdges(definitions, splits, resolved, versions);
        for (byte[] entries : moved) {
          List<IndexDefinition> ofLabel = definitions.getOrDefault(label(entries), List.of());
          if (!ofLabel.isEmpty()) {
            ofLabel.forEach(each -> index.remove(each.number(), entries));
            ElementWalk.visitEntries(
                storage,
                splits,
                resolved,
                entries,
                edge -> {
                  versions.read(edge, ofLabel, 0);
                  return true;
                });
          }
        }
      }
    }
  }

  private void putEdges(
      Map<ElementLabel, List<IndexDefinition>> definitions,
      SplitTable splits,
      long resolved,
      ElementVersions versions) {
    edges.forEach(
        (edge, leastValid) -> {
          List<IndexDefinition> ofLabel = definitions.getOrDefault(label(edge), List.of());
          long out = BigEndian.getLong(edge, 0);
          long in = BigEndian.getLong(edge, RowKeys.OTHER_AT);
          if (!ofLabel.isEmpty() && splits.isHere(out, true, in, resolved)) {
            versions.read(edge, ofLabel, leastValid);
          }
        });
  }

  private static ElementLabel label(byte[] edges) {
    return ElementLabel.ofEdges(BigEndian.getShort(edges, 8));
  }
}
