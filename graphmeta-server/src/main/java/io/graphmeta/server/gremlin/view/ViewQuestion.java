package io.graphmeta.server.gremlin.view;

import java.util.List;
import java.util.Map;

/** A question of a page. Immutable. */
public interface ViewQuestion {
  /**
   * A script of Gremlin that a question needs.
   *
   * @param gremlin the script, which only reads
   * @param isOptional whether the question is answered without it if it fails
   */
  record Script(String gremlin, boolean isOptional) {}

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
