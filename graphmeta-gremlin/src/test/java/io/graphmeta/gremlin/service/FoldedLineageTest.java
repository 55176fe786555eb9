package io.graphmeta.gremlin.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code budget} of the services of lineage: boxes instead of elements. */
class FoldedLineageTest extends ServiceChain {
  private static final String LINEAGE = "graphmeta.lineage";
  private static final String IMPACT = "graphmeta.impact";

  @Test
  void boxesTellWhatTheyHold() {
    List<Map<String, Object>> rows =
        call(LINEAGE, Map.of("id", "/out2", "result", "graph", "budget", 80));
    assertThat(column(rows, "name")).containsExactly("out2", "solve", "in", "make");
    assertThat(rows.get(0))
        .containsEntry("start", true)
        .containsEntry("kind", "file")
        .containsEntry("label", "file")
        .containsEntry("count", 1)
        .containsEntry("ids", List.of("/out2"))
        .containsEntry("fates", Map.of("current", 1));
    assertThat(rows.get(1))
        .containsEntry("kind", "process")
        .containsEntry("key", "run-2")
        .containsEntry("jobs", List.of("job:run-2"))
        .containsEntry("users", List.of("user:1"))
        .containsEntry("programs", List.of("exe:/bin/solve"))
        .containsEntry("links", List.of(Map.of("relation", "wrote", "to", 0, "count", 1)));
    assertThat(rows.get(2))
        .containsEntry("first", time(10))
        .containsEntry("key", "/in@2026-01-01T00:00:10.000000Z")
        .containsEntry("links", List.of(Map.of("relation", "read", "to", 1, "count", 1)));
  }

  @Test
  void impactIsFoldedTooAndMarkedWhereItIsPartial() {
    List<Map<String, Object>> rows =
        call(IMPACT, Map.of("id", "/in", "result", "graph", "budget", 10));
    assertThat(column(rows, "name")).containsExactly("in", "solve", "out2");
    List<Map<String, Object>> part =
        call(IMPACT, Map.of("id", "/in", "result", "graph", "budget", 10, "depth", 1));
    assertThat(part.get(part.size() - 1)).containsEntry("partial", true);
  }

  @Test
  void budgetGoesWithGraphsAndWithinItsRange() {
    Map<String, Object> maps = new HashMap<>(Map.of("id", "/in", "budget", 80));
    assertError(maps, IMPACT, "budget", "80", "expected with result 'graph'");
    maps.put("result", "graph");
    maps.put("labels", "file");
    assertError(maps, LINEAGE, "budget", "without 'labels'");
    maps.remove("labels");
    for (Object wrong : List.of(9, 2001, -1, 0.5, "80", true)) {
      maps.put("budget", wrong);
      assertError(maps, LINEAGE, "budget", wrong.toString(), "from 10 to 2000");
    }
  }
}
