package io.graphmeta.server.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.LineageNode.Fate;
import io.graphmeta.provenance.Vocabulary;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What exports say besides names and links: shapes, doubts, the start, that a limit ended the
 * search, what became of a version. One element of each kind, to the letter.
 */
final class ExportMarksTest {
  private static final long MICROS = 1_763_000_000_000_000L;
  private static final Instant WRITTEN = Instant.ofEpochSecond(1_764_000_000);
  private static final String DOT =
      """
      digraph lineage {
        charset="UTF-8";
        rankdir=LR;
        node [fontname="sans-serif", fontsize=11];
        edge [fontname="sans-serif", fontsize=9];
        n0 [label="/a&amp;\\\\\\"␡\\n2025-11-13T02:13:20.000000Z", shape=note, style=dashed, tooltip="may have met more than one version: all taken", penwidth=2, element="file//a%26%5C%22%7F@2025-11-13T02:13:20.000000Z"];
        n1 [label="p\\nprocess 1", shape=box, style=dashed, tooltip="no end recorded: the process was killed", element="process/p"];
        n2 [label="exe:x", shape=component, element="executable/exe%3Ax@2025-11-13T02:13:20.000000Z"];
        n3 [label="job:7\\njob 3", shape=folder, element="job/job%3A7"];
        n4 [label="user:1\\n ﬂ° ann ", shape=ellipse, element="user/user%3A1"];
        n5 [label="/in\\ninitial deleted", shape=note, element="file//in@initial"];
        n1 -> n0 [label="wrote"];
        n2 -> n1 [label="exe"];
        n3 -> n1 [label="contains"];
        n4 -> n3 [label="ran"];
        n5 -> n1 [label="read"];
        label="partial: a limit ended the search";
      }
      """;
  private static final String MERMAID =
      """
      flowchart LR
        n0["/a#38;#92;#34;␡<br/>2025-11-13T02:13:20.000000Z"]:::doubtful
        n1[["p<br/>process 1"]]:::doubtful
        n2[/"exe:x"/]
        n3{{"job:7<br/>job 3"}}
        n4(["user:1<br/>#32;#64258;° ann#32;"])
        n5["/in<br/>initial deleted"]
        n1 -->|"wrote"| n0
        n2 -->|"exe"| n1
        n3 -->|"contains"| n1
        n4 -->|"ran"| n3
        n5 -->|"read"| n1
        classDef doubtful stroke-dasharray: 4 3
        partial["partial: a limit ended the search"]
      """;
  private static final Lineage LINEAGE =
      new Lineage(
          List.of(
              node(0, "/a&\\\"\u007f", "file", Set.of(Doubt.SEVERAL_VERSIONS), "p", Fate.CURRENT),
              node(1, "p", "process", Set.of(Doubt.END_NOT_RECORDED), null, null),
              node(2, "exe:x", "executable", Set.of(), null, null),
              node(3, "job:7", "job", Set.of(), null, null),
              node(4, "user:1", "user", Set.of(), null, null),
              node(5, "/in", "file", Set.of(), null, Fate.DELETED)),
          List.of(
              new Lineage.Link(0, 1, Vocabulary.WROTE),
              new Lineage.Link(1, 2, Vocabulary.EXE),
              new Lineage.Link(1, 3, Vocabulary.CONTAINS),
              new Lineage.Link(3, 4, Vocabulary.RAN),
              new Lineage.Link(1, 5, Vocabulary.READ)),
          true);

  private static LineageNode node(
      int index,
      String id,
      String label,
      Set<Doubt> doubts,
      @Nullable String writer,
      @Nullable Fate fate) {
    String description = label.equals("user") ? " ﬂ° ann " : label + " " + index;
    return new LineageNode(
        index, index - 1, id, label, description, MICROS, 0, index, "", doubts, writer, 0, fate);
  }

  @Test
  void picturesSayAllToTheLetter() {
    assertThat(text(ExportFormat.DOT)).isEqualTo(DOT);
    assertThat(text(ExportFormat.MERMAID)).isEqualTo(MERMAID);
  }

  private static String text(ExportFormat format) {
    ExportFormat.Document document = format.write(new LineageGraph(LINEAGE, false), WRITTEN);
    return ((ExportFormat.Document.Text) document).text();
  }

  private static JsonNode json(ExportFormat format) {
    return json(format, LINEAGE);
  }

  private static JsonNode json(ExportFormat format, Lineage lineage) {
    ExportFormat.Document document = format.write(new LineageGraph(lineage, false), WRITTEN);
    return new ObjectMapper().valueToTree(((ExportFormat.Document.Json) document).objects());
  }

  @Test
  void provSaysWhatItHasNoTermsFor() {
    JsonNode document = json(ExportFormat.PROV_JSON).get(0);
    JsonNode root =
        document.path("entity").path("gm:file//a%26%5C%22%7F@2025-11-13T02:13:20.000000Z");
    assertThat(root.path("gm:root").asBoolean()).isTrue();
    assertThat(root.path("gm:partial").asBoolean()).isTrue();
    assertThat(root.path("gm:writer").asText()).isEqualTo("p");
    assertThat(root.path("gm:fate").asText()).isEqualTo("current");
    assertThat(root.path("gm:doubt").toString()).isEqualTo("[\"several-versions\"]");
    JsonNode process = document.path("activity").path("gm:process/p");
    assertThat(process.path("gm:doubt").toString()).isEqualTo("[\"end-not-recorded\"]");
    assertThat(process.has("prov:endTime")).isFalse();
    assertThat(document.path("entity").path("gm:file//in@initial").path("gm:fate").asText())
        .isEqualTo("deleted");
  }

  @Test
  void aCrateSaysWhatItHasNoTermsFor() {
    JsonNode entities = json(ExportFormat.RO_CRATE).get(0).path("@graph");
    JsonNode root = entity(entities, "./");
    assertThat(root.path("description").asText()).contains("partial: a limit ended the search");
    assertThat(root.path("datePublished").asText()).isEqualTo("2025-11-24T16:00:00Z");
    JsonNode file = entity(entities, "file:///a%26%5C%22%7F#2025-11-13T02:13:20.000000Z");
    assertThat(file.path("doubt").toString()).isEqualTo("[\"several-versions\"]");
    assertThat(entity(entities, "file:///in#initial").path("fate").asText()).isEqualTo("deleted");
    JsonNode action = entity(entities, "#process/p");
    assertThat(action.has("endTime")).isFalse();
    assertThat(action.path("agent").toString()).contains("#user/user%3A1");
    Set<String> ids = new HashSet<>();
    entities.forEach(entity -> assertThat(ids.add(entity.path("@id").asText())).isTrue());
  }

  @Test
  void aCrateKnowsWhatResultsRestOnAndProgramsWithoutAName() {
    Lineage lineage =
        new Lineage(
            List.of(
                node(0, "/out", "file", Set.of(), "p", Fate.CURRENT),
                node(1, "p", "process", Set.of(), null, null),
                node(2, "q", "process", Set.of(), null, null),
                node(3, "/old", "file", Set.of(), null, Fate.RENAMED)),
            List.of(
                new Lineage.Link(0, 1, Vocabulary.WROTE),
                new Lineage.Link(0, 2, Vocabulary.REDIRECTED),
                new Lineage.Link(0, 3, Vocabulary.RENAMED_FROM)),
            false);
    JsonNode entities = json(ExportFormat.RO_CRATE, lineage).get(0).path("@graph");
    String out = "[{\"@id\":\"file:///out#2025-11-13T02:13:20.000000Z\"}]";
    String old = "[{\"@id\":\"file:///old#initial\"}]";
    JsonNode printing = entity(entities, "#process/q");
    assertThat(printing.path("result").toString()).isEqualTo(out);
    assertThat(printing.path("redirected").toString()).isEqualTo(out);
    assertThat(entity(entities, "#process/p").has("redirected")).isFalse();
    JsonNode file = entity(entities, "file:///out#2025-11-13T02:13:20.000000Z");
    assertThat(file.path("renamedFrom").toString()).isEqualTo(old);
    assertThat(file.path("isBasedOn").toString()).isEqualTo(old);
    // Both ran what is known as "process" only: one program.
    assertThat(entities)
        .filteredOn(each -> each.path("@id").asText().equals("#command/process"))
        .hasSize(1);
    assertThat(printing.path("instrument").toString())
        .isEqualTo("[{\"@id\":\"#command/process\"}]");
  }

  private static JsonNode entity(JsonNode entities, String id) {
    for (JsonNode entity : entities) {
      if (entity.path("@id").asText().equals(id)) {
        return entity;
      }
    }
    throw new AssertionError("no entity " + id + " in " + entities);
  }

  @Test
  void eventsSayWhatTheyHaveNoTermsFor() {
    JsonNode events = json(ExportFormat.OPENLINEAGE);
    assertThat(events).hasSize(2); // The job and the process have begun, and no end is recorded.
    JsonNode output = events.get(1).path("outputs").get(0).path("facets").path("graphmeta_version");
    assertThat(output.path("root").asBoolean()).isTrue();
    assertThat(output.path("partial").asBoolean()).isTrue();
    assertThat(output.path("doubts").toString()).isEqualTo("[\"several-versions\"]");
    JsonNode input = events.get(1).path("inputs").get(0).path("facets").path("graphmeta_version");
    assertThat(input.path("fate").asText()).isEqualTo("deleted");
    assertThat(input.has("root") || input.has("start") || input.has("writer")).isFalse();
    assertThat(events.get(0).path("job").path("facets").path("ownership").toString())
        .contains("\"user:1\"", "\" ﬂ° ann \"");
  }

  @Test
  void jobsAndUsersComeBeforeWhatTheyRanInBothDirections() {
    Lineage impact =
        new Lineage(
            List.of(
                node(0, "job:7", "job", Set.of(), null, null),
                node(1, "user:1", "user", Set.of(), null, null),
                node(2, "p", "process", Set.of(), null, null)),
            List.of(
                new Lineage.Link(0, 1, Vocabulary.RAN),
                new Lineage.Link(0, 2, Vocabulary.CONTAINS),
                new Lineage.Link(2, 0, Vocabulary.CONTAINS)),
            false);
    for (boolean forward : new boolean[] {false, true}) {
      assertThat(new LineageGraph(impact, forward).arrows())
          .extracting(arrow -> arrow.from().id() + " " + arrow.to().id())
          .containsExactly("user:1 job:7", "job:7 p");
    }
  }
}
