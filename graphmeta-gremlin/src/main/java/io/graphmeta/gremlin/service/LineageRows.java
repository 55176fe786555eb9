package io.graphmeta.gremlin.service;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.MutablePath;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/** Puts a lineage into what a traversal goes on with: vertices, paths or maps. Used once. */
final class LineageRows {
  static final String VERTICES = "vertices";
  static final String PATHS = "paths";
  static final String MAPS = "maps";
  static final String GRAPH = "graph";

  static final CallParameter LABELS =
      new CallParameter(
          "labels",
          "a label of vertices or a list of them",
          "Only elements with these labels are in the answer; the search goes through all.");

  private final CallScope scope;
  private final Lineage lineage;
  private final Predicate<LineageNode> wanted;

  LineageRows(CallScope scope, Lineage lineage, Collection<String> labels) {
    this.scope = scope;
    this.lineage = lineage;
    Set<String> chosen = Set.copyOf(labels);
    this.wanted = node -> chosen.isEmpty() || chosen.contains(node.label());
  }

  List<?> in(String form) {
    return switch (form) {
      case MAPS -> maps(false);
      case GRAPH -> maps(true);
      case PATHS -> paths();
      default -> vertices();
    };
  }

  private List<Map<String, Object>> maps(boolean withLinks) {
    Map<Integer, List<Map<String, Object>>> links = withLinks ? links() : Map.of();
    List<Map<String, Object>> rows = new ArrayList<>();
    for (LineageNode node : lineage.nodes()) {
      if (isShown(node)) {
        Row row = new Row();
        if (withLinks) {
          row.put("index", node.index());
        }
        fill(row, node);
        rows.add(row.put("links", links.get(node.index())).toMap());
      }
    }
    Row.markPartial(rows, lineage);
    return rows;
  }

  private boolean isShown(LineageNode node) {
    return node.index() == 0 || wanted.test(node);
  }

  /** The links of each element to those that are in the answer. */
  private Map<Integer, List<Map<String, Object>>> links() {
    Map<Integer, List<Map<String, Object>>> links = new HashMap<>();
    for (Lineage.Link link : lineage.links()) {
      if (isShown(lineage.nodes().get(link.to()))) {
        links
            .computeIfAbsent(link.from(), from -> new ArrayList<>())
            .add(new Row().put("relation", link.relation()).put("to", link.to()).toMap());
      }
    }
    return links;
  }

  private void fill(Row row, LineageNode node) {
    boolean isFile = node.fate() != null;
    row.put("id", node.id())
        .put("label", node.label())
        .put("depth", node.depth())
        .put("relation", node.relation())
        .put("from", node.parent() < 0 ? null : lineage.nodes().get(node.parent()).id())
        .time("valid", node.versionMicros())
        .put("version", isFile ? Row.text(node.writer() == null ? 0 : node.versionMicros()) : null)
        .time("end", node.versionEndMicros())
        .put("writer", node.writer())
        .put("description", node.description())
        .put("fate", node.fate() == null ? null : node.fate().name().toLowerCase(Locale.ROOT))
        .doubts(node.doubts());
  }

  private List<Vertex> vertices() {
    Map<String, LineageNode> distinct = new LinkedHashMap<>();
    for (LineageNode node : lineage.nodes()) {
      if (wanted.test(node) && !node.id().equals(lineage.root().id())) {
        distinct.putIfAbsent(node.id(), node);
      }
    }
    Map<Seen, Vertex> read = read(distinct.values());
    return distinct.values().stream().map(node -> found(read, node)).toList();
  }

  private List<Path> paths() {
    Map<Seen, Vertex> read = read(lineage.nodes());
    List<Path> paths = new ArrayList<>();
    for (LineageNode node : lineage.nodes()) {
      if (node.index() > 0 && wanted.test(node)) {
        paths.add(path(node, read));
      }
    }
    return paths;
  }

  private Path path(LineageNode end, Map<Seen, Vertex> read) {
    List<LineageNode> way = new ArrayList<>();
    for (@Nullable LineageNode node = end;
        node != null;
        node = node.parent() < 0 ? null : lineage.nodes().get(node.parent())) {
      way.add(0, node);
    }
    Path path = MutablePath.make();
    for (LineageNode node : way) {
      Set<String> labels = node.relation().isEmpty() ? Set.of() : Set.of(node.relation());
      path = path.extend(found(read, node), labels);
    }
    return path;
  }

  /** An element and when it is seen: those that were dropped since, in an earlier view. */
  private record Seen(String id, long stamp) {
    static Seen of(LineageNode node) {
      return new Seen(node.id(), node.seenAtStamp());
    }
  }

  private Map<Seen, Vertex> read(Collection<LineageNode> nodes) {
    Map<Long, Set<String>> idsByStamp = new LinkedHashMap<>();
    for (LineageNode node : nodes) {
      idsByStamp
          .computeIfAbsent(node.seenAtStamp(), stamp -> new java.util.LinkedHashSet<>())
          .add(node.id());
    }
    Map<Seen, Vertex> read = new HashMap<>();
    idsByStamp.forEach(
        (stamp, ids) ->
            scope
                .vertices(ids, stamp)
                .forEach((id, vertex) -> read.put(new Seen(id, stamp), vertex)));
    return read;
  }

  private static Vertex found(Map<Seen, Vertex> read, LineageNode node) {
    Vertex vertex = read.get(Seen.of(node));
    if (vertex == null) {
      throw new GraphMetaException(
          ErrorCode.INTERNAL, "Vertex '" + node.id() + "' of a lineage is not in its view");
    }
    return vertex;
  }

  /**
   * Refuses an answer that the limits cut without having been asked for, where it cannot be marked.
   */
  void requireWhole(String form, CallArguments arguments) {
    if (lineage.partial()
        && !form.equals(MAPS)
        && !form.equals(GRAPH)
        && !arguments.has("limit")
        && !arguments.has("depth")
        && !arguments.has(LineageQuestion.SEARCH_MILLIS.name())) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "The lineage of '"
              + lineage.root().id()
              + "' goes beyond "
              + LineageQuestion.MAX_ELEMENTS
              + " elements or "
              + LineageQuestion.MAX_DEPTH
              + " steps; expected less (name 'limit' or 'depth' for a part of it, or result 'maps', which marks a part)");
    }
  }
}
