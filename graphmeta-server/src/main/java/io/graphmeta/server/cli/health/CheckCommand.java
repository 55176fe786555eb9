package io.graphmeta.server.cli.health;

import io.graphmeta.server.cli.connection.Answer;
import io.graphmeta.server.cli.connection.AskedGraph;
import io.graphmeta.server.cli.connection.GraphQuestion;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Verifies a database. */
@Command(
    name = "check",
    description =
        "Verifies that what is stored agrees with itself: every edge stands at both its ends, no edge is without a"
            + " vertex, ids and labels agree, every row lies with its shard, no transaction is there in part."
            + " Shards whose node is away are named, and the others are looked at. Exit code 1 if anything is wrong or was not"
            + " looked at. A server is asked within its time for a request"
            + " (server.evaluation-timeout-millis).",
    footer = {
      "%nExamples:%n  graphmeta check --db graph%n  graphmeta check --connect localhost:8182%n"
    })
public final class CheckCommand extends GraphQuestion {
  @Option(
      names = "--json",
      description =
          "The report as one JSON object, with the fields of the service graphmeta.check.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    CommandLine line = spec.commandLine();
    Answer report;
    try (AskedGraph graph = open();
        Progress progress =
            Terminal.detect(line.getCommandSpec()).progress(line.getErr(), "Rows checked:", 0)) {
      report = new Answer(graph.check(progress::update));
    }
    if (json) {
      JsonLines.printAnswer(line.getOut(), report.fields());
    } else {
      print(report, line.getOut());
    }
    return isClean(report) ? 0 : 1;
  }

  private static void print(Answer report, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%,d vertices and %,d edges now%n",
        report.number("vertices"),
        report.number("edges"));
    out.printf(
        Locale.ROOT,
        "%,d versions of vertices, %,d of edges at their source, %,d at their destination, %,d ids%n",
        report.number("vertexVersions"),
        report.number("outEntries"),
        report.number("inEntries"),
        report.number("ids"));
    if (report.number("intents") > 0) {
      out.printf(
          Locale.ROOT,
          "%,d parts of transactions kept until all shards have noted their outcome%n",
          report.number("intents"));
    }
    if (report.number("laterVersions") > 0) {
      out.printf(
          Locale.ROOT,
          "%,d versions left out, committed after the check began%n",
          report.number("laterVersions"));
    }
    if (report.number("keptRows") > 0) {
      out.printf(
          Locale.ROOT,
          "%,d rows of split vertices kept where they were, for older snapshots%n",
          report.number("keptRows"));
    }
    report.list("examples").forEach(fault -> out.println("fault: " + fault));
    report.list("away").forEach(shard -> out.println("not looked at: " + shard));
    out.println(verdict(report));
  }

  private static String verdict(Answer report) {
    if (isClean(report)) {
      return "clean";
    }
    return report.number("faults") == 0
        ? "no faults in what was looked at"
        : String.format(Locale.ROOT, "%,d faults", report.number("faults"));
  }

  private static boolean isClean(Answer report) {
    return Boolean.TRUE.equals(report.fields().get("clean"));
  }
}
