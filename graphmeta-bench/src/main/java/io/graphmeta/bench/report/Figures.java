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
  private final Map<String, Map<String, String>> notes = new LinkedHashMap<>();

  /** Adds the outcome of one repetition. */
  public void add(String measure, String subject, double value) {
    samples
        .computeIfAbsent(measure, m -> new LinkedHashMap<>())
        .computeIfAbsent(subject, s -> new ArrayList<>())
        .add(value);
  }

  /** Adds all samples and notes of others. */
  public void addAll(Figures others) {
    others.samples.forEach(
        (measure, bySubject) ->
            bySubject.forEach(
                (subject, values) -> values.forEach(value -> add(measure, subject, value))));
    others.notes.forEach(
        (measure, bySubject) -> bySubject.forEach((subject, text) -> note(measure, subject, text)));
  }

  /** There are samples of a subject. */
  public boolean has(String measure, String subject) {
    return samples.getOrDefault(measure, Map.of()).containsKey(subject);
  }

  /** The samples in the order of the repetitions. */
  public List<Double> samples(String measure, String subject) {
    return samples.getOrDefault(measure, Map.of()).getOrDefault(subject, List.of());
  }

  /**
   * The same figures with the subjects of each measure in an order; those not in it are left out.
   */
  public Figures ordered(List<String> subjects) {
    Figures ordered = new Figures();
    samples.forEach(
        (measure, bySubject) -> {
          for (String subject : subjects) {
            bySubject
                .getOrDefault(subject, List.of())
                .forEach(value -> ordered.add(measure, subject, value));
          }
        });
    return ordered;
  }

  /** Says why a subject has no samples of a measure. */
  public void note(String measure, String subject, String text) {
    samples.computeIfAbsent(measure, m -> new LinkedHashMap<>());
    notes.computeIfAbsent(measure, m -> new LinkedHashMap<>()).put(subject, text);
  }

  /** Forgets all samples and notes, such as those of warm-up. */
  public void clear() {
    samples.clear();
    notes.clear();
  }

  /**
   * The median of the samples; 0 if there are none. The mean of the middle two if their number is
   * even.
   */
  public double median(String measure, String subject) {
    return median(samples(measure, subject));
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
    notes.values().forEach(bySubject -> subjects.addAll(bySubject.keySet()));
    StringBuilder text = new StringBuilder("| measure |");
    subjects.forEach(subject -> text.append(' ').append(subject).append(" |"));
    text.append("\n|---|").append("---|".repeat(subjects.size())).append('\n');
    samples.forEach(
        (measure, bySubject) -> {
          String first = bySubject.isEmpty() ? "" : bySubject.keySet().iterator().next();
          double base = median(measure, first);
          text.append("| ").append(measure).append(" |");
          for (String subject : subjects) {
            List<Double> values = bySubject.getOrDefault(subject, List.of());
            text.append(' ')
                .append(
                    values.isEmpty()
                        ? notes.getOrDefault(measure, Map.of()).getOrDefault(subject, "")
                        : cell(values, base, subject.equals(first)))
                .append(" |");
          }
          text.append('\n');
        });
    return text.toString();
  }

  private static String cell(List<Double> values, double base, boolean isBase) {
    double[] sorted = sorted(values);
    String spread =
        number(median(values))
            + " ("
            + number(sorted[0])
            + " to "
            + number(sorted[sorted.length - 1])
            + ")";
    return isBase || base == 0 ? spread : spread + " = " + ratio(median(values) / base);
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, value < 0.1 ? "%.4f" : value < 100 ? "%.2f" : "%,.0f", value);
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

  /**
   * Lines of comma-separated values under a heading: measure, subject, median, least, greatest,
   * number of samples, ratio to the first subject, and the note of a subject without samples.
   */
  public String csv() {
    StringBuilder text = new StringBuilder("measure,subject,median,least,greatest,n,ratio,note\n");
    samples.forEach(
        (measure, bySubject) -> {
          double base = bySubject.isEmpty() ? 0 : median(bySubject.values().iterator().next());
          bySubject.forEach(
              (subject, values) -> {
                double[] sorted = sorted(values);
                text.append(
                    String.format(
                        Locale.ROOT,
                        "%s,%s,%.4f,%.4f,%.4f,%d,%.5f,\n",
                        quoted(measure),
                        quoted(subject),
                        median(values),
                        sorted[0],
                        sorted[sorted.length - 1],
                        sorted.length,
                        base == 0 ? 0 : median(values) / base));
              });
          notes
              .getOrDefault(measure, Map.of())
              .forEach(
                  (subject, note) ->
                      text.append(
                              quoted(measure) + ',' + quoted(subject) + ",,,,0,," + quoted(note))
                          .append('\n'));
        });
    return text.toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
