package io.graphmeta.server.gremlin.view;

import io.graphmeta.server.export.ExportFormat;
import io.graphmeta.server.export.LineageGraph;
import io.graphmeta.server.gremlin.rules.Refusal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.tinkerpop.shaded.jackson.core.JsonProcessingException;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectWriter;

/** A lineage as a file for other tools, with all its elements and links, not folded. */
final class ExportQuestion implements ViewQuestion {
  private static final Set<String> NAMES = LineageAsked.namesAnd("form");
  private static final ObjectMapper LINE = new ObjectMapper();
  private static final ObjectWriter JSON = LINE.writerWithDefaultPrettyPrinter();

  private final Instant now;
  private final LineageAsked lineage;
  private final ExportFormat form;

  ExportQuestion(String body, Instant now) {
    this.now = now;
    Asked asked = Asked.of(body, NAMES);
    this.lineage = new LineageAsked(asked, false, LineageAsked.NO_LIMIT);
    if (lineage.compared()) {
      throw Refusal.invalid(
          "The member 'against' is given; expected none, for a file has one lineage");
    }
    String[] names =
        Stream.of(ExportFormat.values()).map(ExportQuestion::name).toArray(String[]::new);
    String name = asked.choice("form", names);
    this.form =
        Stream.of(ExportFormat.values())
            .filter(each -> name(each).equals(name))
            .findFirst()
            .orElseThrow();
  }

  private static String name(ExportFormat form) {
    return form.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public List<Script> scripts() {
    return lineage.scripts();
  }

  @Override
  public Map<String, Object> answer(List<Outcome> outcomes) {
    ExportFormat.Document document =
        form.write(new LineageGraph(lineage.overlay(outcomes).lineage(), lineage.forward()), now);
    return new Members().put("form", name(form)).put("text", text(document)).toMap();
  }

  private static String text(ExportFormat.Document document) {
    if (document instanceof ExportFormat.Document.Text text) {
      return text.text();
    }
    ExportFormat.Document.Json json = (ExportFormat.Document.Json) document;
    StringBuilder text = new StringBuilder();
    try {
      for (Map<String, Object> object : json.objects()) {
        text.append(
                json.oneEachLine()
                    ? LINE.writeValueAsString(object)
                    : JSON.writeValueAsString(object))
            .append('\n');
      }
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A document has no form in JSON", e);
    }
    return text.toString();
  }
}
