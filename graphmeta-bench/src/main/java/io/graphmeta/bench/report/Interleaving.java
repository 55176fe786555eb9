package io.graphmeta.bench.report;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs the subjects of a comparison in turn, again and again, so that whatever else the machine
 * does meets all of them; each repetition begins with another subject.
 */
public final class Interleaving {
  private Interleaving() {}

  /** One run of one subject, which adds its outcomes to the figures. */
  @FunctionalInterface
  public interface Run<S> {
    /** Runs the subject once. */
    void of(S subject, Figures figures) throws IOException;
  }

  /**
   * Runs each subject {@code warmups + repetitions} times.
   *
   * @param progress is told what is about to run
   * @return the figures of the repetitions, without those of the warm-ups
   */
  public static <S> Figures repeat(
      int warmups, int repetitions, List<S> subjects, Run<S> run, Consumer<String> progress)
      throws IOException {
    Figures figures = new Figures();
    for (int round = -warmups; round < repetitions; round++) {
      if (round == 0) {
        figures.clear();
      }
      for (int i = 0; i < subjects.size(); i++) {
        S subject = subjects.get(Math.floorMod(round + i, subjects.size()));
        progress.accept((round < 0 ? "warm-up" : "repetition " + (round + 1)) + ": " + subject);
        run.of(subject, figures);
      }
    }
    return figures;
  }
}
