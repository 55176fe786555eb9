package io.graphmeta.server.gremlin.view;

import io.graphmeta.server.picture.VisibleText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.jspecify.annotations.Nullable;

/** Results of a query in the forms that JSON has; every text is visible. Pure. */
final class ResultJson {
  private ResultJson() {}

  /** One result. */
  static Object of(@Nullable Object result) {
    if (result instanceof Vertex vertex) {
      return new Members()
          .put("type", "vertex")
          .put("id", id(vertex))
          .put("text", VisibleText.of(String.valueOf(vertex.id())))
          .put("label", VisibleText.of(vertex.label()))
          .put("properties", properties(vertex))
          .toMap();
    }
    if (result instanceof Edge edge) {
      return new Members()
          .put("type", "edge")
          .put("text", VisibleText.of(String.valueOf(edge.id())))
          .put("label", VisibleText.of(edge.label()))
          .put("from", VisibleText.of(String.valueOf(edge.outVertex().id())))
          .put("to", VisibleText.of(String.valueOf(edge.inVertex().id())))
          .put("properties", properties(edge))
          .toMap();
    }
    if (result instanceof Property<?> property) {
      return new Members()
          .put("type", "property")
          .put("key", VisibleText.of(property.key()))
          .put("value", of(property.value()))
          .toMap();
    }
    if (result instanceof Path path) {
      List<Object> objects = new ArrayList<>();
      path.objects().forEach(each -> objects.add(of(each)));
      return new Members().put("type", "path").list("objects", objects).toMap();
    }
    if (result instanceof Map.Entry<?, ?> entry) {
      return Map.of(VisibleText.of(String.valueOf(entry.getKey())), of(entry.getValue()));
    }
    if (result instanceof Map<?, ?> map) {
      Map<String, Object> object = new LinkedHashMap<>();
      map.forEach((key, value) -> object.put(key(key), of(value)));
      return object;
    }
    if (result instanceof Collection<?> all) {
      List<Object> list = new ArrayList<>();
      all.forEach(each -> list.add(of(each)));
      return list;
    }
    return Members.shown(result);
  }

  /** The id, if it is a text by which the element can be asked for again. */
  private static @Nullable Object id(Element element) {
    return element.id() instanceof String text ? text : null;
  }

  private static String key(@Nullable Object key) {
    return VisibleText.of(String.valueOf(key instanceof Element element ? element.id() : key));
  }

  private static Map<String, Object> properties(Element element) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Iterator<? extends Property<?>> all = element.properties(); all.hasNext(); ) {
      Property<?> property = all.next();
      String key = VisibleText.of(property.key());
      Object value = of(property.value());
      if (property instanceof VertexProperty<?> && properties.containsKey(key)) {
        List<Object> several = new ArrayList<>();
        if (properties.get(key) instanceof List<?> before) {
          several.addAll(before);
        } else {
          several.add(properties.get(key));
        }
        several.add(value);
        properties.put(key, several);
      } else {
        properties.put(key, value);
      }
    }
    return properties;
  }
}
