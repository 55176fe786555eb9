package io.graphmeta.gremlin.structure;

import io.graphmeta.model.GeneratedIds;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.jspecify.annotations.Nullable;

/**
 * Ids as users give them, made into those of the engine: strings as they are, numbers and UUIDs as
 * their text. Ids that begin with {@code ~} belong to the engine, which generates them. Pure.
 */
final class ElementIds {
  private ElementIds() {}

  /** Whether an id can be given to a new element. */
  static boolean isAllowed(@Nullable Object id) {
    if (id instanceof String text) {
      return !text.isEmpty() && !GeneratedIds.isReserved(text);
    }
    return id instanceof Number || id instanceof UUID;
  }

  /** The id among the key-values of a new element; null to have one generated. */
  static @Nullable String forNew(Object[] keyValues, Class<? extends Element> kind) {
    for (int i = 0; i < keyValues.length; i += 2) {
      if (keyValues[i] == T.id && keyValues[i + 1] != null) {
        Object id = keyValues[i + 1];
        if (!isAllowed(id)) {
          throw notAllowed(id, kind);
        }
        return id.toString();
      }
    }
    return null;
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

  /** The ids to look up; what cannot be an id is left out, because no element has it. */
  static List<String> forLookup(@Nullable Object[] ids) {
    List<String> texts = new ArrayList<>(ids.length);
    for (Object id : ids) {
      Object plain = id instanceof Element element ? element.id() : id;
      if (plain instanceof String || plain instanceof Number || plain instanceof UUID) {
        texts.add(plain.toString());
      }
    }
    return texts;
  }
}
