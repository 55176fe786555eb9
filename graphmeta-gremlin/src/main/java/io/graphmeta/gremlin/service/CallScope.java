package io.graphmeta.gremlin.service;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.ElementSelection;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.TypedIds;
import io.graphmeta.tx.GraphTransaction;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * What one call sees: the transaction of the thread, the view of the traversal, and the element it
 * was called on.
 *
 * @param past the view if it is one of the past; null for the present
 * @param element the element that came in; null at the start of a traversal
 * @param onlyReads whether the traversal may not write
 */
record CallScope(
    String service,
    ServiceGraph graph,
    @Nullable ReadView past,
    @Nullable Element element,
    boolean onlyReads) {

  GraphTransaction tx() {
    return graph.transaction();
  }

  /** The view to read under. */
  ReadView view() {
    return past == null ? tx().snapshot() : past;
  }

  /** The id that a call is about: that of the element that came in, or of a parameter. */
  String id(CallArguments arguments, String parameter) {
    if (element != null) {
      if (arguments.has(parameter)) {
        throw arguments.unfit(
            parameter,
            "expected to be left out here, since the call is about the element that comes in ("
                + element
                + ")");
      }
      return stored(element.id());
    }
    String id = arguments.id(parameter);
    if (id == null) {
      throw arguments.missing(parameter);
    }
    return stored(id);
  }

  /** The form of an id under which the engine has an element, if it may have several. */
  private String stored(Object id) {
    List<String> forms = TypedIds.forms(id);
    for (String form : forms.size() > 1 ? forms : List.<String>of()) {
      if (tx().incarnations(form).length > 0
          || tx().edgesById(List.of(form), view()).get(0) != null) {
        return form;
      }
    }
    return forms.isEmpty() ? String.valueOf(id) : forms.get(0);
  }

  /** As {@link #id}, where only a vertex will do. */
  String vertexId(CallArguments arguments, String parameter) {
    requireVertex();
    return id(arguments, parameter);
  }

  /** The ids of vertices that a call is about, as stored; none if neither was given. */
  List<String> vertexIds(CallArguments arguments, String parameter, int most) {
    requireVertex();
    if (element != null) {
      return List.of(id(arguments, parameter));
    }
    return arguments.ids(parameter, most).stream().map(this::stored).distinct().toList();
  }

  /** Refuses a call in the middle of a traversal, where it would be made for each element. */
  void requireStart() {
    if (element != null) {
      throw GraphMetaException.invalid(
          service + " was called on '" + element + "'; expected at the start of a traversal");
    }
  }

  /** Refuses a change through a view of the past, or where only reads are allowed. */
  void requireWrites() {
    if (past != null || onlyReads) {
      throw new GraphMetaException(
          ErrorCode.READ_ONLY_VIEW,
          service
              + " was called to change something, but "
              + (past != null
                  ? "the traversal sees the graph as it was in the past; leave out with('asOf', ...) and"
                      + " with('knownAt', ...)"
                  : "the server, or the traversal, only reads; expected 'list'"));
    }
  }

  private void requireVertex() {
    if (element != null && !(element instanceof Vertex)) {
      throw GraphMetaException.invalid(
          service + " was called on '" + element + "'; expected a vertex");
    }
  }

  /** Vertices by id, as they were at a valid stamp not after that of the view. */
  Map<String, Vertex> vertices(Collection<String> ids, long validStamp) {
    ReadView view = view();
    @Nullable ReadView from =
        validStamp == view.validAt() ? past : new ReadView(validStamp, view.knownAt());
    Map<String, Vertex> vertices = new HashMap<>();
    if (ids.isEmpty()) {
      return vertices;
    }
    try (CloseableIterator<Vertex> found =
        graph.reader().vertices(ElementSelection.of(ids.toArray()), from)) {
      found.forEachRemaining(vertex -> vertices.put(String.valueOf(vertex.id()), vertex));
    }
    return vertices;
  }
}
