package io.graphmeta.server.cli;

import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.GraphDatabase;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Verifies a database. */
@Command(
    name = "check",
    description =
        "Verifies that what is stored agrees with itself: every edge stands at both its ends, no edge is without a"
            + " vertex, ids and labels agree, every row lies with its server, no transaction is there in part."
            + " Exit code 1 if anything is wrong.",
    footer = {"%nExample:%n  graphmeta check --db graph%n"})
final class CheckCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private DatabaseOption db = new DatabaseOption();

  @Option(names = "--json", description = "The report as one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    CheckReport report;
    try (GraphDatabase database = db.open();
        Terminal.Progress progress =
            Terminal.detect().progress(line.getErr(), "Rows checked:", 0)) {
      report = database.check(progress::update);
    }
    PrintWriter out = line.getOut();
    if (json) {
      new JsonLines.Line()
          .put("clean", report.isClean())
          .put("vertices", report.livingVertices())
          .put("edges", report.livingEdges())
          .put("vertexVersions", report.vertexVersions())
          .put("outEntries", report.outEntries())
          .put("inEntries", report.inEntries())
          .put("ids", report.ids())
          .put("intents", report.intents())
          .put("laterVersions", report.laterVersions())
          .put("keptRows", report.keptRows())
          .put("faults", report.faults())
          .put("examples", report.examples())
          .print(out);
    } else {
      out.printf(
          Locale.ROOT,
          "%,d vertices and %,d edges now%n",
          report.livingVertices(),
          report.livingEdges());
      out.printf(
          Locale.ROOT,
          "%,d versions of vertices, %,d of edges at their source, %,d at their destination, %,d ids%n",
          report.vertexVersions(),
          report.outEntries(),
          report.inEntries(),
          report.ids());
      if (report.intents() > 0) {
        out.printf(
            Locale.ROOT,
            "%,d parts of transactions kept until all servers have noted their outcome%n",
            report.intents());
      }
      if (report.laterVersions() > 0) {
        out.printf(
            Locale.ROOT,
            "%,d versions left out, committed after the check began%n",
            report.laterVersions());
      }
      if (report.keptRows() > 0) {
        out.printf(
            Locale.ROOT,
            "%,d rows of split vertices kept where they were, for older snapshots%n",
            report.keptRows());
      }
      report.examples().forEach(fault -> out.println("fault: " + fault));
      out.println(
          report.isClean() ? "clean" : String.format(Locale.ROOT, "%,d faults", report.faults()));
    }
    return report.isClean() ? 0 : 1;
  }
}
