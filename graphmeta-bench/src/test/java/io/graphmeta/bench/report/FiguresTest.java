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
  void saysWhyThereAreNoFigures() {
    Figures figures = new Figures();
    figures.add("paths: ms", "ours", 2);
    figures.add("paths: ms", "mark", 0.01);
    figures.note("paths: ms", "peer", "over 60 s");
    figures.note("groups: ms", "ours", "refused");
    Figures all = new Figures();
    all.addAll(figures);
    assertThat(all.table())
        .isEqualTo(
            """
            | measure | ours | mark | peer |
            |---|---|---|---|
            | paths: ms | 2.00 (2.00 to 2.00) | 0.01 (0.01 to 0.01) = 0.0050 | over 60 s |
            | groups: ms | refused |  |  |
            """);
    assertThat(all.csv())
        .isEqualTo(
            """
            measure,subject,median,least,greatest,n,ratio,note
            "paths: ms","ours",2.0000,2.0000,2.0000,1,1.00000,
            "paths: ms","mark",0.0100,0.0100,0.0100,1,0.00500,
            "paths: ms","peer",,,,0,,"over 60 s"
            "groups: ms","ours",,,,0,,"refused"
            """);
    assertThat(all.ordered(List.of("mark", "ours")).table())
        .contains("| measure | mark | ours |")
        .contains("| 0.01 (0.01 to 0.01) | 2.00 (2.00 to 2.00) = 200 |");
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
