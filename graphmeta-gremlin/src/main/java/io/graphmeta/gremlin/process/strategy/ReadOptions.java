package io.graphmeta.gremlin.process.strategy;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.TraversalView;
import io.graphmeta.time.SessionToken;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.Engine;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.OptionsStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The options of a traversal, {@code g.with(key, value)}: which moment it sees, how the shards work
 * on it, and what its session has seen. Pure.
 */
public final class ReadOptions {
  static final String AS_OF = "asOf";
  static final String KNOWN_AT = "knownAt";
  static final String ENGINE = "engine";
  static final String SESSION = "graphmeta.session";

  private static final Set<String> OWN = Set.of(AS_OF, KNOWN_AT, ENGINE, SESSION);
  private static final Engine DEFAULT_ENGINE = Engine.PREFETCH;
  private static final String NO_ENGINE = "none";

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

  private static final List<String> WORDS_OF_TIME =
      List.of(
          "asof",
          "known",
          "valid",
          "time",
          "date",
          "when",
          "until",
          "before",
          "snapshot",
          "moment",
          "stamp",
          "version",
          "history",
          "past",
          "graphmeta");

  private static final int MAX_SLIPS = 2;

  private ReadOptions() {}

  /**
   * The view that the options name.
   *
   * @throws GraphMetaException for a value that is no time, and for an option that is likely to be
   *     a misspelling; other options are left to whom they are meant for
   */
  public static TraversalView view(TraversalStrategies strategies) {
    return view(of(strategies));
  }

  /** The options of a traversal, found among its strategies; empty if it has none. */
  static Map<String, Object> of(TraversalStrategies strategies) {
    OptionsStrategy strategy = strategies.getStrategy(OptionsStrategy.class).orElse(null);
    return strategy == null ? Map.of() : strategy.getOptions();
  }

  /**
   * The session that the options name.
   *
   * @return null if they name none
   * @throws GraphMetaException for a value that is no token
   */
  static @Nullable SessionToken session(Map<String, Object> options) {
    if (!options.containsKey(SESSION)) {
      return null;
    }
    try {
      return SessionToken.of(options.get(SESSION));
    } catch (GraphMetaException e) {
      throw new GraphMetaException(
          e.code(), "Option '" + SESSION + "' of with(): " + e.getMessage(), e);
    }
  }

  /**
   * The engine that the options name, or the default.
   *
   * @return null if no plan is wanted
   * @throws GraphMetaException for a value that is no engine
   */
  static @Nullable Engine engine(Map<String, Object> options) {
    if (!options.containsKey(ENGINE)) {
      return DEFAULT_ENGINE;
    }
    Object value = options.get(ENGINE);
    for (Engine engine : Engine.values()) {
      if (engine.name().toLowerCase(Locale.ROOT).equals(value)) {
        return engine;
      }
    }
    if (NO_ENGINE.equals(value)) {
      return null;
    }
    throw GraphMetaException.invalid(
        "Option '"
            + ENGINE
            + "' of with() is "
            + (value instanceof String ? "'" + value + "'" : value)
            + "; expected 'sync', 'prefetch', 'async', or 'none' to run without a plan");
  }

  static TraversalView view(Map<String, Object> options) {
    if (options.isEmpty()) {
      return TraversalView.PRESENT;
    }
    for (String key : options.keySet()) {
      if (!OWN.contains(key)
          && !REQUEST_OPTIONS.contains(key)
          && (isMeantForUs(key) || isDate(options.get(key)))) {
        throw GraphMetaException.invalid(
            "Option '"
                + key
                + "' of with() is unknown and may be meant to be "
                + AS_OF
                + " or "
                + KNOWN_AT
                + ", which name a time, "
                + ENGINE
                + " or "
                + SESSION
                + "; expected one of these four, or a name that is less like them");
      }
    }
    return TraversalView.at(stamp(options, AS_OF), stamp(options, KNOWN_AT));
  }

  /**
   * Whether an option of an unknown name is likely to be meant for the graph. To ignore one that
   * should have named a time would answer from another time than was asked for.
   */
  private static boolean isMeantForUs(String key) {
    String letters = key.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
    for (String word : WORDS_OF_TIME) {
      if (letters.contains(word)) {
        return true;
      }
    }
    for (String own : List.of(AS_OF, KNOWN_AT, ENGINE)) {
      if (distance(letters, own.toLowerCase(Locale.ROOT)) <= MAX_SLIPS) {
        return true;
      }
    }
    return false;
  }

  /** Whether a value is a date, or text that reads as one; a number may mean anything. */
  private static boolean isDate(@Nullable Object value) {
    if (value instanceof String text && text.contains("-")) {
      try {
        Stamp.viewpoint(text);
        return true;
      } catch (GraphMetaException e) {
        return false;
      }
    }
    return value instanceof Date || value instanceof OffsetDateTime || value instanceof Instant;
  }

  /** Letters to add, to drop or to change to get from one word to another (Levenshtein). */
  private static int distance(String from, String to) {
    int[] last = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] next = new int[to.length() + 1];
      next[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int change = last[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        next[j] = Math.min(change, 1 + Math.min(last[j], next[j - 1]));
      }
      last = next;
    }
    return last[to.length()];
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
