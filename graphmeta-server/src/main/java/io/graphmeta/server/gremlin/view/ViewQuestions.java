package io.graphmeta.server.gremlin.view;

import io.graphmeta.server.gremlin.rules.Excerpt;
import io.graphmeta.server.gremlin.rules.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.apache.tinkerpop.shaded.jackson.core.JsonProcessingException;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;

/** Reads questions of pages, and writes their answers. */
public final class ViewQuestions {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ViewQuestions() {}

  /**
   * The question that a page asks.
   *
   * @param name the last part of the path that it was sent to
   * @param body a JSON object
   * @param now when it is asked
   * @param searchMillis how long its searches may take together, in milliseconds
   * @throws Refusal if there is no such question, or it cannot be read
   */
  public static ViewQuestion read(String name, String body, Instant now, int searchMillis) {
    return switch (name) {
      case "search" -> new SearchQuestion(body);
      case "lineage" -> new LineageQuestion(body, now, false, searchMillis);
      case "impact" -> new LineageQuestion(body, now, true, searchMillis);
      case "job" -> new JobQuestion(body, now);
      case "runs" -> new RunsQuestion(body, now, searchMillis);
      case "gremlin" -> new GremlinQuestion(body);
      case "placement" -> new PlacementQuestion(body, searchMillis);
      case "members" -> new MembersQuestion(body, searchMillis);
      case "export" -> new ExportQuestion(body, now);
      case "history" -> new HistoryQuestion(body);
      case "element" -> new ElementQuestion(body);
      default ->
          throw Refusal.malformed(
              "There is no question '"
                  + Excerpt.of(name)
                  + "'; expected one of search, lineage, impact, job, runs, gremlin, placement, members, export, history, element");
    };
  }

  /** An answer in JSON. */
  public static byte[] write(Map<String, Object> answer) {
    try {
      return JSON.writeValueAsString(answer).getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("An answer has no form in JSON", e);
    }
  }
}
