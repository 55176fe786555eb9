package io.graphmeta.server.gremlin.view;

import java.util.List;
import java.util.Map;

/** A question of a page. Immutable. */
public interface ViewQuestion {
  /**
   * A script of Gremlin that a question needs.
   *
   * @param gremlin the script, which only reads, as a page tells it: without the limit on time that
   *     a page has and nobody else needs
   * @param evaluated the script as it is evaluated
   * @param isOptional whether the question is answered without it if it fails
   */
  record Script(String gremlin, String evaluated, boolean isOptional) {
    /** A script that is evaluated as it is told. */
    Script(String gremlin, boolean isOptional) {
      this(gremlin, gremlin, isOptional);
    }
  }

  /**
   * What came of a script.
   *
   * @param results in their order
   * @param fault why there are none; empty if it did not fail
   */
  record Outcome(List<Object> results, String fault) {}

  /** The scripts, one of them at least, which are evaluated one after another. */
  List<Script> scripts();

  /**
   * The answer as the members of a JSON object: maps, lists, texts, numbers and booleans.
   *
   * @param outcomes one for each script
   */
  Map<String, Object> answer(List<Outcome> outcomes);
}
