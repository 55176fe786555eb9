package io.graphmeta.server.gremlin.view;

import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.provenance.folding.NameForm;
import io.graphmeta.server.picture.ElementPicture;
import io.graphmeta.server.picture.VisibleText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/**
 * The vertices and edges among results as a picture: those that are results themselves, and those
 * in paths, lists and maps. Vertices that follow one another in a path are joined by a line of
 * their own if no edge is between them. Used once.
 */
final class ResultGraph {
  private static final int MOST_VERTICES = 400;
  private static final int MOST_EDGES = 2_000;
  private static final List<String> LEGEND =
      List.of(
          "Blue: files, directories, executables",
          "With a bar: jobs and processes",
          "Without a colour: others",
          "Dashed: next in a path");
  private static final String NEXT = "next in the path";

  private final Map<Object, Integer> places = new LinkedHashMap<>();
  private final List<Vertex> vertices = new ArrayList<>();
  private final Set<ElementPicture.Edge> edges = new LinkedHashSet<>();
  private boolean partial;

  ResultGraph(List<Object> results) {
    results.forEach(this::add);
  }

  private void add(@Nullable Object result) {
    if (result instanceof Vertex vertex) {
      place(vertex);
    } else if (result instanceof Edge edge) {
      join(place(edge.outVertex()), place(edge.inVertex()), edge.label());
    } else if (result instanceof Path path) {
      path(path.objects());
    } else if (result instanceof Collection<?> all) {
      all.forEach(this::add);
    } else if (result instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            add(key);
            add(value);
          });
    }
  }

  private void path(List<?> objects) {
    Object before = null;
    for (Object each : objects) {
      add(each);
      if (each instanceof Vertex vertex && before instanceof Vertex from) {
        join(place(from), place(vertex), NEXT);
      }
      before = each;
    }
  }

  private int place(Vertex vertex) {
    Integer known = places.get(vertex.id());
    if (known != null) {
      return known;
    }
    if (vertices.size() == MOST_VERTICES) {
      partial = true;
      return -1;
    }
    places.put(vertex.id(), vertices.size());
    vertices.add(vertex);
    return vertices.size() - 1;
  }

  private void join(int from, int to, String label) {
    if (from < 0 || to < 0) {
      return;
    }
    if (edges.size() == MOST_EDGES) {
      partial = true;
      return;
    }
    edges.add(new ElementPicture.Edge(from, to, label));
  }

  /** The picture; null if there is no vertex. */
  @Nullable Map<String, Object> toMap() {
    if (vertices.isEmpty()) {
      return null;
    }
    List<ElementPicture.Vertex> drawn = new ArrayList<>();
    for (Vertex vertex : vertices) {
      drawn.add(new ElementPicture.Vertex(name(vertex), vertex.label() + " · " + vertex.id()));
    }
    List<ElementPicture.Edge> joined = List.copyOf(edges);
    ElementPicture picture = ElementPicture.of(drawn, joined);
    List<Object> boxes = new ArrayList<>();
    for (int i = 0; i < vertices.size(); i++) {
      boxes.add(box(vertices.get(i), drawn.get(i), picture.boxes().get(i)));
    }
    List<Object> lines = new ArrayList<>();
    for (int i = 0; i < joined.size(); i++) {
      lines.add(line(joined.get(i), picture.lines().get(i)));
    }
    return new Members()
        .put("caption", "Elements among the results")
        .put("width", picture.width())
        .put("height", picture.height())
        .put("elements", vertices.size() + joined.size())
        .put("partial", partial)
        .list("legend", LEGEND)
        .list("boxes", boxes)
        .list("lines", lines)
        .toMap();
  }

  private static String name(Vertex vertex) {
    for (String key : List.of(Vocabulary.COMMAND_LINE, Vocabulary.NAME)) {
      Object value = vertex.property(key).orElse("");
      if (value instanceof String text && !text.isEmpty()) {
        return key.equals(Vocabulary.NAME) ? text : NameForm.program(text);
      }
    }
    return NameForm.baseName(String.valueOf(vertex.id()));
  }

  private static Map<String, Object> box(
      Vertex vertex, ElementPicture.Vertex drawn, ElementPicture.Box box) {
    String text = VisibleText.of(String.valueOf(vertex.id()));
    Map<String, Object> member =
        new Members()
            .put("id", vertex.id() instanceof String id ? id : null)
            .put("key", String.valueOf(vertex.id()))
            .put("text", text)
            .put("label", VisibleText.of(vertex.label()))
            .toMap();
    String name = VisibleText.of(drawn.name());
    return new Members()
        .put("key", String.valueOf(vertex.id()))
        .put("kind", kind(vertex.label()))
        .put("presence", "kept")
        .put("count", 1)
        .put("x", box.x())
        .put("y", box.y())
        .put("width", box.width())
        .put("height", box.height())
        .put("name", name)
        .put("title", box.title())
        .put("details", List.of(box.detail()))
        .put("description", List.of(name, VisibleText.of(vertex.label()), text))
        .list("members", List.of(member))
        .toMap();
  }

  private static String kind(String label) {
    return switch (label) {
      case Vocabulary.FILE, Vocabulary.EXECUTABLE, Vocabulary.DIRECTORY -> "file";
      case Vocabulary.PROCESS, Vocabulary.JOB -> "process";
      default -> "element";
    };
  }

  private Map<String, Object> line(ElementPicture.Edge edge, ElementPicture.Line line) {
    boolean ofFile = kind(vertices.get(edge.from()).label()).equals("file");
    return new Members()
        .put("from", edge.from())
        .put("to", edge.to())
        .put("relation", VisibleText.of(edge.label()))
        .put("style", edge.label().equals(NEXT) ? "other" : "data")
        .put("source", ofFile ? "file" : "process")
        .put("presence", "kept")
        .put("count", 1)
        .put("back", line.goesBack())
        .put("path", line.path())
        .put("width", 1.2)
        .toMap();
  }
}
