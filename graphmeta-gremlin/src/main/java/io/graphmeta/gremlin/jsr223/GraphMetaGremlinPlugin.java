package io.graphmeta.gremlin.jsr223;

import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.apache.tinkerpop.gremlin.jsr223.AbstractGremlinPlugin;
import org.apache.tinkerpop.gremlin.jsr223.DefaultImportCustomizer;
import org.apache.tinkerpop.gremlin.jsr223.ImportCustomizer;

/**
 * The plugin {@code graphmeta} of the Gremlin Console: imports {@link GraphMetaGraph} and the
 * functions of {@link TimeTravel}.
 */
public final class GraphMetaGremlinPlugin extends AbstractGremlinPlugin {
  private static final ImportCustomizer IMPORTS =
      DefaultImportCustomizer.build()
          .addClassImports(GraphMetaGraph.class, TimeTravel.class)
          .addMethodImports(functions())
          .create();

  /** Called by the console. */
  public GraphMetaGremlinPlugin() {
    super("graphmeta", IMPORTS);
  }

  private static List<Method> functions() {
    return Arrays.stream(TimeTravel.class.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .toList();
  }
}
