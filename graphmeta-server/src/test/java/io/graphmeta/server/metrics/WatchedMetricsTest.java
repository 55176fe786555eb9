package io.graphmeta.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the dashboard and the alarms watch is there, and gauges come and go with what they tell. */
final class WatchedMetricsTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).resolve("..");
  private static final Pattern WATCHED = Pattern.compile("graphmeta_[a-z_]+");
  private static final Pattern DECLARED = Pattern.compile("\"(graphmeta\\.[a-z.]+)\"");

  /** What Prometheus adds to the names of timers and counts. */
  private static final Pattern ENDING =
      Pattern.compile("(_seconds)?(_bucket|_count|_sum)$|_total$");

  /** The names by which the code declares its metrics, as Prometheus writes them. */
  private static Set<String> declared() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(ROOT.resolve("graphmeta-server/src/main/java"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String text = Files.readString(file);
        if (text.contains(".gauge(")
            || text.contains(".count(")
            || text.contains("Timer.builder")) {
          DECLARED
              .matcher(text)
              .results()
              .map(each -> each.group(1).replace('.', '_'))
              .forEach(names::add);
        }
      }
    }
    return names;
  }

  private static Set<String> watched(String text) {
    return WATCHED
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void assertDeclared(Set<String> watched) throws IOException {
    Set<String> declared = declared();
    assertThat(watched).hasSizeGreaterThan(8);
    for (String name : watched) {
      assertThat(declared.contains(name) || declared.contains(ENDING.matcher(name).replaceAll("")))
          .as("%s is watched and not declared", name)
          .isTrue();
    }
  }

  @Test
  void theDashboardShowsWhatIsThere() throws IOException {
    JsonNode dashboard =
        new ObjectMapper().readTree(ROOT.resolve("docker/grafana-dashboard.json").toFile());
    StringBuilder asked = new StringBuilder();
    Set<Integer> ids = new TreeSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      assertThat(ids.add(panel.path("id").asInt())).as("id of %s", panel.path("title")).isTrue();
      if (!panel.path("type").asText().equals("row")) {
        assertThat(panel.path("description").asText()).as("%s", panel.path("title")).isNotEmpty();
        assertThat(panel.path("targets")).as("%s", panel.path("title")).isNotEmpty();
      }
      panel
          .path("targets")
          .forEach(target -> asked.append(target.path("expr").asText()).append('\n'));
    }
    assertDeclared(watched(asked.toString()));
  }

  @Test
  void eachAlarmWatchesWhatIsThereAndSaysWhatToDo() throws IOException {
    List<String> lines = Files.readAllLines(ROOT.resolve("docker/prometheus-alerts.yaml"));
    assertDeclared(
        watched(
            lines.stream()
                .filter(line -> line.strip().startsWith("expr:"))
                .collect(Collectors.joining("\n"))));
    long alarms = lines.stream().filter(line -> line.contains("- alert:")).count();
    assertThat(alarms).isGreaterThan(5);
    for (String key : List.of("expr:", "labels: {severity:", "summary:", "action:")) {
      assertThat(lines.stream().filter(line -> line.strip().startsWith(key)).count())
          .as(key)
          .isEqualTo(alarms);
    }
  }

  @Test
  void gaugesComeAndGoWithWhatTheyTell() {
    Set<String> present = new TreeSet<>(Set.of("1", "2"));
    try (ServerMetrics metrics = new ServerMetrics()) {
      metrics.gaugesOf(
          () -> Set.copyOf(present),
          (shard, gauges) ->
              gauges.gauge("graphmeta.replica.alive", "planted", Map.of("shard", shard), () -> 1));
      assertThat(shards(metrics.text())).containsExactly("1", "2");
      present.remove("1");
      present.add("3");
      assertThat(shards(metrics.text())).containsExactly("2", "3");
      assertThat(shards(metrics.text())).containsExactly("2", "3");
      present.add("1");
      assertThat(shards(metrics.text())).containsExactly("1", "2", "3");
    }
  }

  private static Set<String> shards(String text) {
    return Pattern.compile("graphmeta_replica_alive\\{shard=\"(\\d+)\"} 1")
        .matcher(text)
        .results()
        .map(each -> each.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
