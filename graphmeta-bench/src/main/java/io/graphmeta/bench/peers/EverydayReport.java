package io.graphmeta.bench.peers;

import io.graphmeta.bench.peers.runner.everyday.Workload;
import io.graphmeta.bench.report.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of the everyday comparison: figures, and the marks beside them. For one thread. */
final class EverydayReport {
  private final Figures figures;
  private final List<String> marks = new ArrayList<>();

  EverydayReport(Figures figures) {
    this.figures = figures;
  }

  /** Adds figures, with the subjects in this order. */
  void add(Figures samples, List<String> subjects) {
    figures.addAll(samples.ordered(subjects));
  }

  /** What the clock says: how many in a second, or milliseconds for each. */
  static double speed(Workload workload, long units, long nanos) {
    return workload.kind().isTimed() ? nanos / 1e6 / units : units * 1e9 / nanos;
  }

  static String speedUnit(Workload workload) {
    return workload.kind().isTimed() ? "ms" : workload.kind().unit() + "s/s";
  }

  static String speedMeasure(Workload workload, String phase) {
    return workload + " " + phase + ": " + speedUnit(workload);
  }

  static String cpuMeasure(Workload workload, String phase) {
    return workload + " " + phase + ": CPU \u00b5s per " + workload.kind().unit();
  }

  static String bytesMeasure(Workload workload, String phase) {
    return workload + " " + phase + ": bytes allocated per " + workload.kind().unit();
  }

  /** Says that a subject could not do a workload. */
  void refuse(Workload workload, String subject) {
    figures.note(speedMeasure(workload, EverydayBenchmark.WARM), subject, "refused");
  }

  /** Compares a workload with its marks, those of them whose subjects were measured. */
  void compare(Workload workload) {
    for (EverydayMark mark : EverydayMark.of(workload.kind())) {
      String one = speedMeasure(workload, mark.phase());
      String other = speedMeasure(workload, mark.againstPhase());
      if (figures.has(one, mark.subject()) && figures.has(other, mark.against())) {
        boolean isTimed = workload.kind().isTimed();
        double ratio =
            ratio(
                isTimed,
                figures.median(one, mark.subject()),
                figures.median(other, mark.against()));
        double[] rounds =
            rounds(
                isTimed,
                figures.samples(one, mark.subject()),
                figures.samples(other, mark.against()));
        marks.add(
            String.format(
                Locale.ROOT,
                "| %s | %s %s | %s %s | %.2f (%.2f to %.2f) | %.2f | %s |",
                workload,
                mark.subject(),
                mark.phase(),
                mark.against(),
                mark.againstPhase(),
                ratio,
                rounds[0],
                rounds[1],
                mark.least(),
                ratio >= mark.least() ? "met" : "MISSED"));
      }
    }
  }

  private static double ratio(boolean isTimed, double one, double other) {
    return isTimed ? other / one : one / other;
  }

  /** The least and the greatest ratio of a round. */
  private static double[] rounds(boolean isTimed, List<Double> ones, List<Double> others) {
    double least = Double.MAX_VALUE;
    double greatest = 0;
    for (int round = 0; round < Math.min(ones.size(), others.size()); round++) {
      double ratio = ratio(isTimed, ones.get(round), others.get(round));
      least = Math.min(least, ratio);
      greatest = Math.max(greatest, ratio);
    }
    return new double[] {least, greatest};
  }

  /** Both tables, in Markdown. */
  String text() {
    String head =
        "| workload | subject | beside | ratio of speeds (least to greatest round) | mark | |\n"
            + "|---|---|---|---|---|---|\n";
    return figures.table() + "\n" + head + String.join("\n", marks) + "\n";
  }

  /** Writes all to files, so that a run that is broken off leaves what it has. */
  void write(Path work) throws IOException {
    Files.writeString(work.resolve("everyday.md"), text());
    Files.writeString(work.resolve("everyday.csv"), figures.csv());
    Files.writeString(work.resolve("everyday.json"), figures.json());
  }
}
