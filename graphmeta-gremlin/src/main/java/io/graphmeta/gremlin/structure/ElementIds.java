package io.graphmeta.gremlin.structure;

import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.TypedIds;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.jspecify.annotations.Nullable;

/**
 * Ids as users give them, made into those of the engine and back: texts as they are, whole numbers
 * and UUIDs in their stored form. Texts that begin with {@code ~} belong to the engine, which
 * generates them. Pure.
 */
final class ElementIds {
  private ElementIds() {}

  /** Whether an id can be given to a new element. */
  static boolean isAllowed(JavaTypes types, @Nullable Object id) {
    return id instanceof String text
        ? !text.isEmpty() && !text.startsWith(GeneratedIds.PREFIX)
        : types.storedId(id) != null;
  }

  /** The stored id among the key-values of a new element; null to have one generated. */
  static @Nullable String forNew(
      JavaTypes types, Object[] keyValues, Class<? extends Element> kind) {
    for (int i = 0; i < keyValues.length; i += 2) {
      if (keyValues[i] == T.id && keyValues[i + 1] != null) {
        Object id = keyValues[i + 1];
        if (!isAllowed(types, id)) {
          throw notAllowed(id, kind);
        }
        return types.storedId(id);
      }
    }
    return null;
  }

  /** Refuses a number that an element has in its other width: as an int or as a long. */
  static void requireFree(
      OpenTransaction running, @Nullable String stored, Class<? extends Element> kind) {
    String other = stored == null ? null : TypedIds.otherWidth(stored);
    if (other == null) {
      return;
    }
    if (kind == Vertex.class && running.vertex(other, null) != null) {
      throw Graph.Exceptions.vertexWithIdAlreadyExists(TypedIds.given(other));
    }
    if (kind == Edge.class && running.edgesById(List.of(other), null).get(0) != null) {
      throw Graph.Exceptions.edgeWithIdAlreadyExists(TypedIds.given(other));
    }
  }

  private static RuntimeException notAllowed(Object id, Class<? extends Element> kind) {
    if (id instanceof String) {
      return new IllegalArgumentException(
          "Id '"
              + id
              + "' cannot be given to an element; expected a text that is not empty and does not begin with '~'");
    }
    if (kind == Vertex.class) {
      return Vertex.Exceptions.userSuppliedIdsOfThisTypeNotSupported();
    }
    return kind == Edge.class
        ? Edge.Exceptions.userSuppliedIdsOfThisTypeNotSupported()
        : VertexProperty.Exceptions.userSuppliedIdsOfThisTypeNotSupported();
  }

  /** The stored ids to look up; what cannot be an id is left out, because no element has it. */
  static List<String> forLookup(JavaTypes types, @Nullable Object[] ids) {
    if (ids.length == 1) {
      return forms(types, ids[0]);
    }
    List<String> stored = new ArrayList<>(ids.length);
    for (Object id : ids) {
      stored.addAll(forms(types, id));
    }
    return stored;
  }

  private static List<String> forms(JavaTypes types, @Nullable Object id) {
    return types.idForms(id instanceof Element element ? element.id() : id);
  }
}
