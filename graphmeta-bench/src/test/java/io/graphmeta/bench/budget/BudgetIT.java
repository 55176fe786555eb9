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

  /** Two seconds are some hundred samples: too few for a layer of one microsecond to be certain. */
  @Test
  void whatTakesLongerThanNothingIsOverABudgetOfNothing() throws Exception {
    List<String> slow =
        run("hot-1", 0).stream().filter(text -> text.contains("of processors")).toList();
    assertThat(slow).allMatch(text -> text.startsWith("One operation of hot-1 in layer "));
    assertThat(slow).anyMatch(text -> text.contains(" in layer RocksDB takes "));
    assertThat(slow)
        .filteredOn(text -> !text.contains("in layer RocksDB") && !text.contains("in layer comp"))
        .as("layers of Java")
        .isNotEmpty();
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
