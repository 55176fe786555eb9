package io.graphmeta.gremlin.process.strategy;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.TraversalView;
import io.graphmeta.time.Stamp;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.OptionsStrategy;
import org.jspecify.annotations.Nullable;

/** The options of a traversal, {@code g.with(key, value)}: which moment it sees. Pure. */
public final class ReadOptions {
  static final String AS_OF = "asOf";
  static final String KNOWN_AT = "knownAt";

  /** Options of requests, which TinkerPop's drivers and server put beside those of the graph. */
  private static final Set<String> REQUEST_OPTIONS =
      Set.of(
          "aliases",
          "batchSize",
          "bindings",
          "bulkResults",
          "evaluationTimeout",
          "language",
          "manageTransaction",
          "materializeProperties",
          "maintainStateAfterException",
          "requestId",
          "scriptEvaluationTimeout",
          "timeoutMs",
          "userAgent");

  private ReadOptions() {}

  /**
   * The view that the options name.
   *
   * @throws GraphMetaException for an unknown option and for a value that is no time
   */
  public static TraversalView view(TraversalStrategies strategies) {
    OptionsStrategy strategy = strategies.getStrategy(OptionsStrategy.class).orElse(null);
    return strategy == null ? TraversalView.PRESENT : view(strategy.getOptions());
  }

  static TraversalView view(Map<String, Object> options) {
    for (String key : options.keySet()) {
      if (!key.equals(AS_OF) && !key.equals(KNOWN_AT) && !REQUEST_OPTIONS.contains(key)) {
        throw GraphMetaException.invalid(
            "Option '"
                + key
                + "' of with() is unknown; expected "
                + AS_OF
                + " or "
                + KNOWN_AT
                + ", or an option of the request: "
                + String.join(", ", new TreeSet<>(REQUEST_OPTIONS)));
      }
    }
    return TraversalView.at(stamp(options, AS_OF), stamp(options, KNOWN_AT));
  }

  private static @Nullable Long stamp(Map<String, Object> options, String key) {
    if (!options.containsKey(key)) {
      return null;
    }
    Object value = options.get(key);
    if (value == null) {
      throw GraphMetaException.invalid(
          "Option '" + key + "' of with() is null; expected a time such as 2026-11-21T00:35:25Z");
    }
    try {
      return Stamp.viewpoint(value);
    } catch (GraphMetaException e) {
      throw new GraphMetaException(
          e.code(), "Option '" + key + "' of with(): " + e.getMessage(), e);
    }
  }
}
