package io.graphmeta.server.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.server.report.JobReport.Effect;
import io.graphmeta.server.report.JobReport.Program;
import io.graphmeta.server.report.JobReport.Use;
import io.graphmeta.server.report.JobReport.Version;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Makes the page of a report. Used once, by one thread. */
public final class ReportPage {
  /** Most rows of a table; a line below it says how many more there are. */
  static final int MAX_ROWS = 500;

  private static final int MAX_BARS = 20;
  private static final String STATE = "State";

  private final JobReport report;
  private final Map<String, Program> programs;
  private final Map<String, Sum> byProgram;
  private final Map<String, Sum> byFile;
  private final List<Doubt> doubts = new ArrayList<>();
  private final HtmlWriter html = new HtmlWriter();

  /** What was read and written in all. */
  private record Sum(String id, long read, long written, long operations, long others) {
    static Sum of(String id, List<Use> uses, Function<Use, String> other) {
      long read = 0;
      long written = 0;
      long operations = 0;
      for (Use use : uses) {
        read += use.wrote() ? 0 : use.bytes();
        written += use.wrote() ? use.bytes() : 0;
        operations += use.operations();
      }
      return new Sum(id, read, written, operations, uses.stream().map(other).distinct().count());
    }

    long bytes() {
      return read + written;
    }
  }

  private ReportPage(JobReport report) {
    this.report = report;
    this.programs =
        report.programs().stream().collect(toMap(Program::id, Function.identity(), (a, b) -> a));
    this.byProgram = sums(Use::program, Use::file);
    this.byFile = sums(Use::file, Use::program);
  }

  /** The page of a report. */
  public static String of(JobReport report) {
    return new ReportPage(report).page();
  }

  private Map<String, Sum> sums(Function<Use, String> by, Function<Use, String> other) {
    return report.uses().stream().collect(groupingBy(by)).entrySet().stream()
        .map(uses -> Sum.of(uses.getKey(), uses.getValue(), other))
        .collect(toMap(Sum::id, Function.identity()));
  }

  private String page() {
    html.open("html").set("lang", "en").open("head");
    html.single("meta", "charset", "utf-8");
    String css = css();
    html.single(
        "meta",
        "http-equiv",
        "Content-Security-Policy",
        "content",
        "default-src 'none'; style-src 'sha256-"
            + sha256(css)
            + "'; base-uri 'none'; form-action 'none'");
    html.single("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.single("meta", "name", "referrer", "content", "no-referrer");
    html.element("title", title()).style(css).close().line();
    html.open("body").open("main");
    head();
    sums();
    facts();
    times();
    bars();
    programs();
    versions("Inputs", "Nothing read from outside the job is on record.", report.inputs(), false);
    versions("Outputs", "Nothing that the job wrote is on record.", report.outputs(), true);
    effects();
    notes();
    foot();
    return "<!DOCTYPE html>\n" + html.close().close().close().line();
  }

  private String title() {
    return "Job " + number() + (report.name().isEmpty() ? "" : " " + report.name());
  }

  private String number() {
    return report.id().replaceFirst("^job:", "");
  }

  private void head() {
    html.open("h1").text("Job ").element("bdi", number());
    if (!report.name().isEmpty()) {
      html.text(" ").element("bdi", report.name());
    }
    String state = report.facts().get(STATE);
    if (state != null) {
      String style =
          switch (state) {
            case "COMPLETED" -> "state good";
            case "PENDING", "RUNNING" -> "state";
            default -> "state bad";
          };
      html.element("span", style, state);
    }
    html.close().open("p").set("class", "sub");
    html.text(report.user().isEmpty() ? "user not recorded" : "run by ");
    html.element("bdi", report.user()).text(", " + report.view()).close().line();
  }

  private void sums() {
    Sum all = Sum.of("", report.uses(), Use::file);
    html.open("div").set("class", "sums");
    sum("sum read", Amounts.bytes(all.read()), Amounts.number(all.read()) + " bytes read");
    sum(
        "sum written",
        Amounts.bytes(all.written()),
        Amounts.number(all.written()) + " bytes written");
    sum("sum", Amounts.number(all.others()), "files used");
    sum("sum", Amounts.number(all.operations()), "reads and writes");
    sum("sum", Amounts.number(report.programs().size()), "programs");
    html.close().line();
  }

  private void sum(String style, String figure, String meaning) {
    html.open("div").set("class", style).element("b", figure).element("span", meaning).close();
  }

  private void facts() {
    section("Job");
    if (report.facts().isEmpty()) {
      html.element("p", "hint", "No accounting of this job was loaded.");
    }
    html.open("dl");
    report
        .facts()
        .forEach(
            (name, value) -> {
              html.element("dt", name).open("dd").set("class", "name");
              html.element("bdi", value).close();
            });
    html.close().close().line();
  }

  private void times() {
    TimeChart chart = new TimeChart(report.programs());
    if (chart.isEmpty()) {
      return;
    }
    section("When");
    html.open("p").set("class", "key");
    key("read", "read");
    key("written", "written");
    key("ran", "program ran");
    html.close().open("div").set("class", "wide");
    if (chart.known() > 0) {
      chart.bytes(html);
    }
    chart.lines(html);
    html.close();
    html.element(
        "p",
        "hint",
        "When bytes were moved is known of "
            + chart.known()
            + " of "
            + report.programs().size()
            + " programs"
            + (report.programs().size() > TimeChart.MAX_LINES
                ? "; the " + TimeChart.MAX_LINES + " that ran longest have a line."
                : "."));
    html.close().line();
  }

  private void key(String style, String meaning) {
    html.open("i").set("class", style).close().text(meaning);
  }

  private void bars() {
    section("Bytes by file");
    bars(byFile, "Programs");
    html.close().line();
  }

  private void bars(Map<String, Sum> sums, String others) {
    List<Sum> most =
        sums.values().stream()
            .filter(sum -> sum.bytes() > 0)
            .sorted(Comparator.comparingLong(Sum::bytes).reversed().thenComparing(Sum::id))
            .toList();
    double largest = most.isEmpty() ? 1 : most.get(0).bytes();
    table(List.of("File", "#Bytes read", "#Bytes written", "#" + others, ""));
    for (Sum sum : most.subList(0, Math.min(MAX_BARS, most.size()))) {
      html.open("tr");
      cell(() -> name(sum.id()));
      number(sum.read());
      number(sum.written());
      number(sum.others());
      cell(() -> bar(sum, largest));
      html.close();
    }
    endTable(most.size(), MAX_BARS, "files with bytes");
  }

  private void bar(Sum sum, double largest) {
    double read = 100 * sum.read() / largest;
    html.open("svg").set("class", "bar").set("viewBox", "0 0 100 9");
    html.set("preserveAspectRatio", "none").set("aria-hidden", "true");
    html.open("rect").set("class", "read").set("height", "9").set("width", read).close();
    html.open("rect").set("class", "written").set("height", "9").set("x", read);
    html.set("width", 100 * sum.written() / largest).close().close();
  }

  private void programs() {
    section("Programs");
    table(
        List.of(
            "Began",
            "#Lasted",
            "Command line",
            "#Ranks",
            "#Files",
            "#Bytes read",
            "#Bytes written"));
    List<Program> shown = report.programs();
    for (Program program : shown.subList(0, Math.min(MAX_ROWS, shown.size()))) {
      Sum sum = byProgram.getOrDefault(program.id(), new Sum("", 0, 0, 0, 0));
      html.open("tr");
      cell(() -> time(program.startMicros()));
      html.open("td").set("class", "n");
      if (program.endMicros() == 0) {
        html.text("?");
        mark(Doubt.END_NOT_RECORDED);
      } else {
        html.text(Amounts.seconds((program.endMicros() - program.startMicros()) / 1e6));
      }
      html.close();
      cell(
          () -> {
            name(program.commandLine());
            if (program.incomplete()) {
              html.element("div", "warn", "its log misses files or accesses");
            }
          });
      number(program.ranks());
      number(sum.others());
      number(sum.read());
      number(sum.written());
      html.close();
    }
    endTable(shown.size(), MAX_ROWS, "programs");
    html.close().line();
  }

  private void versions(String title, String none, List<Version> versions, boolean written) {
    section(title);
    if (versions.isEmpty()) {
      html.element("p", "hint", none).close().line();
      return;
    }
    table(
        List.of(
            "File",
            "Version",
            written ? "By" : "Written by",
            "Since then",
            written ? "#Bytes written" : "#Bytes read"));
    for (Version version : versions.subList(0, Math.min(MAX_ROWS, versions.size()))) {
      Sum sum = byFile.getOrDefault(version.file(), new Sum("", 0, 0, 0, 0));
      html.open("tr");
      cell(
          () -> {
            name(version.file());
            marks(version.doubts());
          });
      cell(() -> version(version.beganMicros()));
      cell(() -> name(writer(version.writer())));
      cell(() -> html.element("span", "soft", version.fate()));
      number(written ? sum.written() : sum.read());
      html.close();
    }
    endTable(versions.size(), MAX_ROWS, "versions");
    html.close().line();
  }

  /** Of the job's own processes the name, of others the id, which names their job. */
  private String writer(String id) {
    Program program = programs.get(id);
    return program == null ? id : program.executable();
  }

  private void version(long micros) {
    if (micros == 0) {
      html.element("span", "soft", "before the first write on record");
    } else {
      time(micros);
    }
  }

  private void effects() {
    section("What rests on the outputs");
    if (report.effects().isEmpty()) {
      html.element("p", "hint", "Nothing on record.").close().line();
      return;
    }
    Map<String, Long> counts =
        report.effects().stream()
            .collect(Collectors.groupingBy(Effect::label, Collectors.counting()));
    html.open("p").set("class", "hint");
    html.text(
        counts.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(count -> Amounts.number(count.getValue()) + " of " + count.getKey())
            .collect(Collectors.joining(", ", "", ".")));
    html.close();
    table(List.of("#Steps", "What", "", "When", "Reached by"));
    List<Effect> effects = report.effects();
    for (Effect effect : effects.subList(0, Math.min(MAX_ROWS, effects.size()))) {
      html.open("tr");
      number(effect.depth());
      cell(() -> html.element("span", "soft", effect.label()));
      cell(
          () -> {
            boolean file = effect.label().equals("file");
            name(file || effect.description().isEmpty() ? effect.id() : effect.description());
            marks(effect.doubts());
          });
      cell(
          () -> {
            if (effect.micros() != 0) {
              time(effect.micros());
            }
            if (!effect.fate().equals("current")) {
              html.element("div", "soft", effect.fate());
            }
          });
      cell(() -> html.element("span", "soft", effect.relation()));
      html.close();
    }
    endTable(effects.size(), MAX_ROWS, "elements");
    html.close().line();
  }

  private void notes() {
    if (doubts.isEmpty()) {
      return;
    }
    section("What the record does not tell for certain");
    html.open("ol");
    for (Doubt doubt : doubts) {
      html.open("li").set("id", "doubt-" + doubt.word()).text(doubt.sentence()).close();
    }
    html.close().close().line();
  }

  private void foot() {
    html.open("footer");
    if (report.partial()) {
      html.element(
          "p", "warn", "Limits ended some of the lists; sums are those of what is listed.");
    }
    html.element("p", "Times are UTC, as recorded. " + report.maker()).close();
  }

  private void marks(Set<Doubt> found) {
    found.stream().sorted().forEach(this::mark);
  }

  private void mark(Doubt doubt) {
    if (!doubts.contains(doubt)) {
      doubts.add(doubt);
    }
    html.open("a").set("class", "mark").set("href", "#doubt-" + doubt.word());
    html.set("title", doubt.sentence()).text("[" + (doubts.indexOf(doubt) + 1) + "]").close();
  }

  private void section(String title) {
    html.open("section").element("h2", title);
  }

  /** Begins a table; a column of numbers has a {@code #} before its name. */
  private void table(List<String> columns) {
    html.open("div").set("class", "wide").open("table").open("thead").open("tr");
    for (String column : columns) {
      html.open("th").set("scope", "col");
      if (column.startsWith("#")) {
        html.set("class", "n");
      }
      html.text(column.replaceFirst("^#", "")).close();
    }
    html.close().close().open("tbody");
  }

  private void endTable(int all, int most, String what) {
    html.close().close().close();
    if (all > most) {
      html.element("p", "more", "and " + Amounts.number(all - most) + " more " + what);
    }
  }

  private void cell(Runnable content) {
    html.open("td");
    content.run();
    html.close();
  }

  private void number(long number) {
    html.element("td", "n", Amounts.number(number));
  }

  private void name(String name) {
    html.open("span").set("class", "name").element("bdi", name).close();
  }

  private void time(long micros) {
    html.open("time").set("datetime", Amounts.isoTime(micros)).text(Amounts.time(micros)).close();
  }

  private static String css() {
    try (InputStream css =
        Objects.requireNonNull(ReportPage.class.getResourceAsStream("report.css"))) {
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("The style of reports cannot be read from the jar", e);
    }
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-256, which every Java must have", e);
    }
  }
}
