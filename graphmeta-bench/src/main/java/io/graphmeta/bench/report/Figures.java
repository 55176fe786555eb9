package io.graphmeta.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The figures of one benchmark: for each measure and each subject as many samples as there were
 * repetitions. Subjects are compared with the first one that has samples of a measure.
 */
public final class Figures {
  private final Map<String, Map<String, List<Double>>> samples = new LinkedHashMap<>();

  /** Adds the outcome of one repetition. */
  public void add(String measure, String subject, double value) {
    samples
        .computeIfAbsent(measure, m -> new LinkedHashMap<>())
        .computeIfAbsent(subject, s -> new ArrayList<>())
        .add(value);
  }

  /** Forgets all samples, such as those of warm-up. */
  public void clear() {
    samples.clear();
  }

  /**
   * The median of the samples; 0 if there are none. The mean of the middle two if their number is
   * even.
   */
  public double median(String measure, String subject) {
    return median(samples.getOrDefault(measure, Map.of()).getOrDefault(subject, List.of()));
  }

  private static double median(List<Double> values) {
    if (values.isEmpty()) {
      return 0;
    }
    double[] sorted = sorted(values);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double[] sorted(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }

  /**
   * A Markdown table: a row for each measure, a column for each subject with median, least and
   * greatest sample, and the ratio of the median to that of the first subject.
   */
  public String table() {
    Set<String> subjects = new LinkedHashSet<>();
    samples.values().forEach(bySubject -> subjects.addAll(bySubject.keySet()));
    StringBuilder text = new StringBuilder("| measure |");
    subjects.forEach(subject -> text.append(' ').append(subject).append(" |"));
    text.append("\n|---|").append("---|".repeat(subjects.size())).append('\n');
    samples.forEach(
        (measure, bySubject) -> {
          double base = median(bySubject.values().iterator().next());
          String first = bySubject.keySet().iterator().next();
          text.append("| ").append(measure).append(" |");
          for (String subject : subjects) {
            text.append(' ')
                .append(
                    cell(bySubject.getOrDefault(subject, List.of()), base, subject.equals(first)));
            text.append(" |");
          }
          text.append('\n');
        });
    return text.toString();
  }

  private static String cell(List<Double> values, double base, boolean isBase) {
    if (values.isEmpty()) {
      return "";
    }
    double[] sorted = sorted(values);
    String spread =
        number(median(values))
            + " ("
            + number(sorted[0])
            + " to "
            + number(sorted[sorted.length - 1])
            + ")";
    return isBase || base == 0
        ? spread
        : spread + " = " + String.format(Locale.ROOT, "%.2f", median(values) / base);
  }

  private static String number(double value) {
    return value >= 1000
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.2f", value);
  }

  /** One JSON object: measure, then subject, then all samples in the order of the repetitions. */
  public String json() {
    StringBuilder text = new StringBuilder("{");
    String betweenMeasures = "\n";
    for (Map.Entry<String, Map<String, List<Double>>> measure : samples.entrySet()) {
      text.append(betweenMeasures).append("  ").append(quoted(measure.getKey())).append(": {");
      String betweenSubjects = "";
      for (Map.Entry<String, List<Double>> subject : measure.getValue().entrySet()) {
        text.append(betweenSubjects)
            .append(quoted(subject.getKey()))
            .append(": ")
            .append(subject.getValue());
        betweenSubjects = ", ";
      }
      text.append('}');
      betweenMeasures = ",\n";
    }
    return text.append("\n}\n").toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
