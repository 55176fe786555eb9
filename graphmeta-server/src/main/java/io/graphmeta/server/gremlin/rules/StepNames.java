package io.graphmeta.server.gremlin.rules;

import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal.Symbols;

/** The steps of Gremlin that are served, by their names in bytecode. */
final class StepNames {
  /** Not served: files of the server, programs of the server, computers that it has not. */
  private static final Set<String> REFUSED =
      Set.of(
          Symbols.io,
          Symbols.read,
          Symbols.write,
          Symbols.program,
          Symbols.pageRank,
          Symbols.peerPressure,
          Symbols.connectedComponent,
          Symbols.shortestPath);

  private static final Set<String> STEPS = steps();

  private StepNames() {}

  private static Set<String> steps() {
    Set<String> names = new HashSet<>();
    for (Class<?> symbols : new Class<?>[] {Symbols.class, Traversal.Symbols.class}) {
      for (Field field : symbols.getFields()) {
        if (field.getType() == String.class) {
          try {
            names.add((String) field.get(null));
          } catch (IllegalAccessException e) {
            throw new AssertionError(field.getName(), e);
          }
        }
      }
    }
    names.removeAll(REFUSED);
    return Set.copyOf(names);
  }

  static boolean isStep(String name) {
    return STEPS.contains(name);
  }
}
