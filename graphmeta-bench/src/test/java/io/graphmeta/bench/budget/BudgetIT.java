package io.graphmeta.bench.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small runs of the budget: what it finds, not what it comes to. */
final class BudgetIT {
  @TempDir private Path work;

  private List<String> run(String workload, int slowerPercent) throws Exception {
    return BudgetBenchmark.run(
        "--workloads=" + workload,
        "--directory=" + work,
        "--scale=8",
        "--edges=1200",
        "--warmup-seconds=1",
        "--seconds=2",
        "--slower-percent=" + slowerPercent);
  }

  @Test
  void whatTakesLongerThanNothingIsOverABudgetOfNothing() throws Exception {
    assertThat(run("hot-1", 0))
        .anyMatch(text -> text.matches("One .* hot-1 in layer RocksDB takes .* of processors; .*"))
        .anyMatch(
            text -> text.matches("One .* hot-1 in layer transaction takes .* of processors; .*"));
  }

  @Test
  void noTimeIsOverABudgetThatIsLarge() throws Exception {
    assertThat(run("read-1", 1_000_000)).noneMatch(text -> text.contains("of processors"));
  }

  @Test
  void aWorkloadWithoutABudgetIsRefused() {
    assertThatThrownBy(() -> run("paths-1", 100)).hasMessageContaining("paths-1 has no budget");
  }
}
