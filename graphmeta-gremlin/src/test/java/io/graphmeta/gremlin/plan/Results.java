package io.graphmeta.gremlin.plan;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** The results of a traversal as texts that are equal when the results are, of any graph. */
final class Results {
  private static final MathContext ROUNDED = new MathContext(9);

  private Results() {}

  /** Each result and how often it comes. */
  static Map<String, Long> counted(GraphTraversal<?, ?> traversal) {
    Map<String, Long> counted = new TreeMap<>();
    try (traversal) {
      while (traversal.hasNext()) {
        Traverser.Admin<?> traverser = traversal.asAdmin().nextTraverser();
        counted.merge(text(traverser.get()), traverser.bulk(), Long::sum);
      }
      return counted;
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Values without their types, for an order in which a number is equal to one of another type. */
  static Map<String, Long> untyped(Map<String, Long> counted) {
    Map<String, Long> untyped = new TreeMap<>();
    counted.forEach((text, count) -> untyped.merge(untyped(text), count, Long::sum));
    return untyped;
  }

  private static String untyped(String text) {
    String value = text.substring(text.indexOf(' ') + 1);
    try {
      return new BigDecimal(value).round(ROUNDED).stripTrailingZeros().toString();
    } catch (NumberFormatException e) {
      return value;
    }
  }

  static String text(Object value) {
    if (value instanceof Vertex vertex) {
      return "v[" + vertex.id() + "]";
    }
    if (value instanceof Edge edge) {
      return "e["
          + edge.id()
          + " "
          + edge.outVertex().id()
          + " "
          + edge.label()
          + " "
          + edge.inVertex().id()
          + "]";
    }
    if (value instanceof Path path) {
      List<String> parts = new ArrayList<>();
      for (int i = 0; i < path.size(); i++) {
        parts.add(text(path.objects().get(i)) + sorted(path.labels().get(i)));
      }
      return "path" + parts;
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, String> texts = new TreeMap<>();
      map.forEach((key, each) -> texts.put(text(key), text(each)));
      return texts.toString();
    }
    if (value instanceof Set<?> set) {
      return "set" + sorted(set);
    }
    if (value instanceof Collection<?> values) {
      return sorted(values).toString();
    }
    if (value instanceof ByteBuffer bytes) {
      return "bytes " + bytes.remaining() + " " + bytes.hashCode();
    }
    String type = value.getClass().getSimpleName();
    boolean rounded =
        (value instanceof Double number && Double.isFinite(number) && number != 0)
            || (value instanceof Float small && Float.isFinite(small) && small != 0);
    return rounded
        ? type + " " + new BigDecimal(value.toString()).round(ROUNDED).stripTrailingZeros()
        : type + " " + value;
  }

  private static List<String> sorted(Collection<?> values) {
    return values.stream().map(Results::text).sorted().toList();
  }
}
