package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.folding.Box;
import io.graphmeta.provenance.folding.BoxLink;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.provenance.folding.Overlay;
import io.graphmeta.server.answers.AnsweredLineage;
import io.graphmeta.server.cli.lineage.LineageText;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.export.ExportFormat;
import io.graphmeta.server.export.LineageGraph;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The picture of the page, the table, the text and the service tell the same of files of the sample
 * campaign, now and at points of the past. Of all files at 100 points with {@code
 * -Dgraphmeta.form-files=100000 -Dgraphmeta.form-points=100}.
 */
final class LineageFormsTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int FILES = Integer.getInteger("graphmeta.form-files", 60);
  private static final int POINTS = Integer.getInteger("graphmeta.form-points", 3);
  private static final OffsetDateTime FIRST =
      OffsetDateTime.of(2026, 11, 21, 0, 33, 0, 0, ZoneOffset.UTC);
  private static final int CAMPAIGN_MILLIS = 300_000;
  private static final int WIDTH = 100;
  private static final Pattern LEAD = Pattern.compile("^[│├└─ ]*[├└]─ ");
  private static final String WORDS =
      "(?:written by|wrote|read by|read|run by|program|printed by|printed to|renamed to"
          + "|renamed from|continued by|continues) ";
  private static final String ABOVE = " (above)";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static ServedGraph served;

  @BeforeAll
  static void serve() throws Exception {
    served = new ServedGraph(Map.of(), GraphMetaConfig.inMemory().with(Setting.SHARDS, 2));
    SampleGraph.load(served.database);
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @Test
  void pictureTableTextAndServiceAgree() throws Exception {
    Random random = new Random(SEED);
    List<Object> files = served.graph.traversal().V().hasLabel("file").id().toList();
    served.graph.tx().rollback();
    Collections.sort(files, (one, other) -> one.toString().compareTo(other.toString()));
    Collections.shuffle(files, random);
    List<@Nullable String> points = new ArrayList<>();
    points.add(null);
    for (int i = 0; i < POINTS; i++) {
      points.add(FIRST.plusNanos(random.nextInt(CAMPAIGN_MILLIS) * 1_000_000L).toString());
    }
    int asked = 0;
    int answered = 0;
    int ofNow = 0;
    for (String point : points) {
      for (Object file : files.subList(0, Math.min(FILES, files.size()))) {
        boolean forward = random.nextInt(8) == 0;
        int budget = random.nextBoolean() ? Folding.DEFAULT_BUDGET : Folding.MIN_BUDGET;
        String what = file + " at " + point + ", forward " + forward + ", seed " + SEED;
        answered += agree(file.toString(), point, forward, budget, what) ? 1 : 0;
        asked++;
      }
      ofNow = point == null ? answered : ofNow;
    }
    System.out.printf("%,d lineages asked for, %,d there, seed %d%n", asked, answered, SEED);
    assertThat(ofNow).isGreaterThan(Math.min(FILES, files.size()) / 2);
  }

  /** Whether there was anything; if not, none of the forms may tell of it. */
  private static boolean agree(
      String file, @Nullable String point, boolean forward, int budget, String what)
      throws Exception {
    Map<String, Object> question = new HashMap<>(Map.of("id", file, "budget", budget));
    question.put("direction", forward ? "forward" : "backward");
    if (point != null) {
      question.put("asOf", point);
    }
    HttpResponse<String> page =
        HTTP.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + served.port() + "/ui/api/lineage"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(question)))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    List<Map<String, Object>> rows = service(file, point, forward);
    assertThat(page.statusCode()).as(what).isEqualTo(rows.isEmpty() ? 400 : 200);
    if (rows.isEmpty()) {
      return false;
    }
    Lineage lineage = AnsweredLineage.of(rows);
    JsonNode picture = JSON.readTree(page.body());
    FoldedLineage folded = new Folding(budget).fold(Overlay.of(lineage, forward));
    requirePicture(picture, folded, what);
    requireText(folded, what);
    requireText(new Folding(budget).withBuilding().fold(Overlay.of(lineage, forward)), what);
    requireTable(lineage, forward, what);
    return true;
  }

  private static List<Map<String, Object>> service(
      String file, @Nullable String point, boolean forward) {
    GraphTraversalSource g = served.graph.traversal();
    Map<String, Object> parameters = new HashMap<>(Map.of("id", file, "result", "graph"));
    if (forward) {
      parameters.put("direction", "forward");
      if (point != null) {
        parameters.put("at", point);
      }
    } else if (point != null) {
      g = g.with("asOf", point);
    }
    try {
      List<Map<String, Object>> rows = new ArrayList<>();
      g.<Map<String, Object>>call("graphmeta.lineage", parameters).forEachRemaining(rows::add);
      return rows;
    } catch (RuntimeException e) {
      assertThat(e).hasMessageContaining(file);
      return List.of();
    } finally {
      served.graph.tx().rollback();
    }
  }

  private static void requirePicture(JsonNode picture, FoldedLineage folded, String what) {
    List<LineageNode> nodes = folded.overlay().lineage().nodes();
    assertThat(picture.get("elements").asInt()).as(what).isEqualTo(nodes.size());
    assertThat(picture.get("boxes")).as(what).hasSize(folded.boxes().size());
    for (Box box : folded.boxes()) {
      JsonNode drawn = picture.get("boxes").get(box.index());
      assertThat(drawn.get("count").asInt()).as(what).isEqualTo(box.count());
      assertThat(drawn.get("key").textValue()).as(what).isEqualTo(box.key());
      int told = 0;
      for (JsonNode member : drawn.get("members")) {
        LineageNode node = nodes.get(box.members().get(told++));
        assertThat(member.get("id").textValue()).as(what).isEqualTo(node.id());
      }
      assertThat(told).as(what).isEqualTo(Math.min(box.count(), Folding.MAX_OPENED));
    }
    List<String> lines = new ArrayList<>();
    picture.get("lines").forEach(each -> lines.add(line(each)));
    assertThat(lines)
        .as(what)
        .containsExactlyElementsOf(folded.links().stream().map(LineageFormsTest::line).toList());
  }

  private static String line(JsonNode line) {
    return line.get("from") + " " + line.get("relation").textValue() + " " + line.get("to");
  }

  private static String line(BoxLink link) {
    return link.from() + " " + link.relation() + " " + link.to();
  }

  /** Each box has one line, and each way between boxes leads to one more, above or not. */
  private static void requireText(FoldedLineage folded, String what) {
    StringWriter out = new StringWriter();
    new LineageText(folded, Terminal.plain(), WIDTH).print(new PrintWriter(out, true));
    Map<String, Integer> told = new TreeMap<>();
    int again = 0;
    List<String> lines = out.toString().lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean isBranch = LEAD.matcher(line).find();
      // A line of a process is broken before its jobs, and what is above is told after them.
      String next = i + 1 < lines.size() ? lines.get(i + 1) : "";
      boolean broken = next.endsWith(ABOVE) && !LEAD.matcher(next).find();
      if (isBranch && (line.endsWith(ABOVE) || broken)) {
        again++;
      } else if (isBranch) {
        String label = LEAD.matcher(line).replaceFirst("").replaceFirst("^" + WORDS, "");
        told.merge(beginning(label), 1, Integer::sum);
      }
    }
    Map<String, Integer> expected = new TreeMap<>();
    for (Box box : folded.boxes()) {
      if (!box.isStart()) {
        expected.merge(beginning(label(box, folded)), 1, Integer::sum);
      }
    }
    assertThat(told).as("%s%n%s", what, out).isEqualTo(expected);
    boolean forward = folded.overlay().forward();
    long ways =
        folded.links().stream()
            .map(link -> forward ? link.from() + " " + link.to() : link.to() + " " + link.from())
            .distinct()
            .count();
    assertThat(again + expected.values().stream().mapToInt(Integer::intValue).sum())
        .as("%s%n%s", what, out)
        .isEqualTo((int) ways);
  }

  private static String label(Box box, FoldedLineage folded) {
    LineageNode first = folded.overlay().lineage().nodes().get(box.members().get(0));
    if (box.count() > 1) {
      String place = box.place().isEmpty() ? "" : box.place().replaceFirst("/$", "") + "/";
      return String.format("%,d × %s%s", box.count(), place, box.name());
    }
    return box.kind() == Box.Kind.PROCESS ? first.description() : first.id();
  }

  /** Of one word, or a number and a word, since the rest is cut where there is no room. */
  private static String beginning(String label) {
    String[] words = label.split(" ", 4);
    String text = words.length > 2 && words[1].equals("×") ? words[0] + " × " + words[2] : words[0];
    return text.replaceFirst("[,…].*$", "");
  }

  private static void requireTable(Lineage lineage, boolean forward, String what) {
    ExportFormat.Document document =
        ExportFormat.CSV.write(new LineageGraph(lineage, forward), Instant.EPOCH);
    Map<String, Integer> told = new TreeMap<>();
    for (String line : ((ExportFormat.Document.Text) document).text().split("\r\n")) {
      // No id of the campaign needs quotes.
      String[] cells = line.split(",", 5);
      if (!line.startsWith("number")) {
        told.merge(cells[1] + " " + cells[2], 1, Integer::sum);
      }
    }
    Map<String, Integer> expected = new TreeMap<>();
    for (LineageNode node : lineage.nodes()) {
      expected.merge(node.label() + " " + node.id(), 1, Integer::sum);
    }
    assertThat(told).as(what).isEqualTo(expected);
  }
}
