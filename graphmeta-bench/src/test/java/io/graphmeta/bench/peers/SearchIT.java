package io.graphmeta.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bench.report.Figures;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A small run of the comparison of searches, with the subject that needs nothing but this project.
 */
final class SearchIT {
  @TempDir private Path work;

  private Figures run(String... more) throws Exception {
    String[] small = {
      "--directory=" + work,
      "--subjects=graphmeta",
      "--files=2000",
      "--compared=10",
      "--repetitions=1",
      "--warmup-millis=1",
      "--sample-millis=1",
      "--commits=10",
      "--heap=512m"
    };
    String[] all = Arrays.copyOf(small, small.length + more.length);
    System.arraycopy(more, 0, all, small.length, more.length);
    return SearchBenchmark.run(all);
  }

  @Test
  void whatIsAskedOfThePastIsWhatWasAnsweredThen() throws Exception {
    Figures figures = run();
    for (String question :
        new String[] {
          "exact", "prefix", "fragment", "regex", "word", "largest", "three", "count"
        }) {
      for (String view : new String[] {"now", "past"}) {
        String measure = question + ", " + view + ": ms";
        assertThat(figures.median(measure, "graphmeta")).as(measure).isPositive();
      }
    }
    assertThat(figures.median("MB on disk", "graphmeta")).isPositive();
    assertThat(figures.median("commit of one change: CPU us", "graphmeta")).isPositive();
  }

  @Test
  void aQuestionThatIsNoneIsRefused() {
    assertThatThrownBy(() -> run("--questions=EXACT,NEAR")).hasMessageContaining("NEAR");
  }
}
