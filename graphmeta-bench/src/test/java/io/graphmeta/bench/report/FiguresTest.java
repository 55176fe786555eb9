package io.graphmeta.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {
  @Test
  void showsMedianSpreadAndRatioToTheFirstSubject() {
    Figures figures = new Figures();
    for (double value : new double[] {3000, 1000, 2000}) {
      figures.add("writes/s", "raw", value);
    }
    for (double value : new double[] {900, 1100}) {
      figures.add("writes/s", "engine", value);
    }
    assertThat(figures.median("writes/s", "raw")).isEqualTo(2000);
    assertThat(figures.median("writes/s", "engine")).isEqualTo(1000);
    assertThat(figures.median("writes/s", "other")).isZero();
    assertThat(figures.table())
        .isEqualTo(
            """
            | measure | raw | engine |
            |---|---|---|
            | writes/s | 2,000 (1,000 to 3,000) | 1,000 (900 to 1,100) = 0.50 |
            """);
    assertThat(figures.json())
        .isEqualTo(
            """
            {
              "writes/s": {"raw": [3000.0, 1000.0, 2000.0], "engine": [900.0, 1100.0]}
            }
            """);
  }

  @Test
  void interleavesSubjectsAndDropsWarmUps() throws Exception {
    List<String> order = new ArrayList<>();
    Figures figures =
        Interleaving.repeat(
            1,
            2,
            List.of("a", "b"),
            (subject, into) -> {
              order.add(subject);
              into.add("run", subject, order.size());
            },
            progress -> {});
    assertThat(order).containsExactly("b", "a", "a", "b", "b", "a");
    assertThat(figures.json()).contains("\"a\": [3.0, 6.0]").contains("\"b\": [4.0, 5.0]");
  }
}
