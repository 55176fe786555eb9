package io.graphmeta.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bench.peers.runner.everyday.Workload;
import io.graphmeta.bench.report.Figures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small runs of the everyday comparison, with the subjects that need nothing but this project. */
final class EverydayIT {
  private static final String[] SMALL = {
    "--scale=8",
    "--edges=1200",
    "--repetitions=1",
    "--first-seconds=0",
    "--warmup-seconds=0",
    "--sample-seconds=0",
    "--heap=512m"
  };

  @TempDir private Path work;

  private Figures run(String... arguments) throws Exception {
    List<String> all = new java.util.ArrayList<>(List.of(SMALL));
    all.add("--directory=" + work);
    all.addAll(List.of(arguments));
    return EverydayBenchmark.run(all.toArray(new String[0]));
  }

  @Test
  void everySubjectDoesEveryWorkloadAndFindsWhatWasWritten() throws Exception {
    List<String> subjects = List.of("raw", "tinkergraph", "graphmeta");
    List<String> workloads =
        List.of(
            "hot-8",
            "hot100-1",
            "load-1",
            "read-2",
            "hop-1",
            "maps-1",
            "paths-1",
            "create-8",
            "mixed-2",
            "distinct-3");
    Figures figures =
        run(
            "--phases=warm",
            "--subjects=" + String.join(",", subjects),
            "--workloads=" + String.join(",", workloads));
    for (String text : workloads) {
      Workload workload = Workload.named(text).get(0);
      String measure = EverydayReport.speedMeasure(workload, "warm");
      for (String subject : subjects) {
        if (EverydaySubjects.takesPart(subject, workload)) {
          assertThat(figures.median(measure, subject)).as(measure + " " + subject).isPositive();
        }
      }
    }
    assertThat(Files.readString(work.resolve("everyday.md")))
        .contains("| load-1: bytes on disk per edge, merged |")
        .contains("| distinct-3 warm: ms |")
        .contains("| hot-8 | graphmeta warm | raw warm |");
  }

  @Test
  void theFirstSecondsAreThoseOfANewProcess() throws Exception {
    run("--subjects=graphmeta,graphmeta-4", "--workloads=hot-1", "--repetitions=2");
    assertThat(Files.readString(work.resolve("everyday.md")))
        .contains("| hot-1 | graphmeta first | graphmeta warm |")
        .contains("| hot-1 | graphmeta-4 warm | graphmeta warm |");
    assertThat(Files.readString(work.resolve("everyday.csv")))
        .containsPattern("\"hot-1 first: inserts/s\",\"graphmeta-4\",[0-9.]+,[0-9.]+,[0-9.]+,2,");
  }

  @Test
  void durableCommitsAndInsertsByTraversalsAreThereToo() throws Exception {
    Figures figures =
        run(
            "--subjects=raw-sync,graphmeta-sync",
            "--workloads=hot-1,mixed,read-1",
            "--phases=warm",
            "--writes=traversal");
    String inserts = EverydayReport.speedMeasure(Workload.named("hot-1").get(0), "warm");
    assertThat(figures.samples(inserts, "graphmeta-sync")).hasSize(1);
    String reads = EverydayReport.speedMeasure(Workload.named("read-1").get(0), "warm");
    assertThat(figures.samples(reads, "graphmeta-sync")).as("no sync matters to reads").isEmpty();
  }

  @Test
  void anUnknownNameIsRefused() {
    assertThatThrownBy(() -> run("--workloads=swim"))
        .hasMessageContaining("Workload 'swim' is unknown");
    assertThatThrownBy(() -> run("--subjects=nobody"))
        .hasMessageContaining("Subject 'nobody' is unknown");
    assertThatThrownBy(() -> run("--subjects=before", "--before=" + work))
        .hasMessageContaining("is not built");
  }

  @Test
  void aWorkloadIsReadAsItIsWritten() {
    assertThat(Workload.all()).hasSize(15);
    for (Workload workload : Workload.all()) {
      assertThat(Workload.named(workload.toString())).containsExactly(workload);
    }
    assertThat(Workload.named("hot")).hasToString("[hot-1, hot-8]");
  }
}
