package io.graphmeta.server.cli.demo;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.model.ReadView;
import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.FileEvent;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.provenance.folding.Overlay;
import io.graphmeta.server.cli.lineage.HistoryAnswer;
import io.graphmeta.server.cli.lineage.LineageText;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Asks the sample campaign what a scientist would ask, and prints the answers with the Gremlin for
 * each. Used once.
 */
final class Demonstration {
  private static final int WIDTH = 88;
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";
  private static final String CONFIG = "/proj/hx01/config/model.cfg";
  private static final String MESH = "/proj/hx01/mesh/mesh_C.msh";
  private static final String BJORNS_TRY = "job:184267";

  /**
   * Follows the newest version of a file back through programs, in the versions that they can have
   * read.
   */
  private static final String REST_ON =
      """
      V('%s').
        inE('wrote').order().by('start', desc).limit(1).
        outV().outE('read','exe').as('t').inV().optional(out('storedIn')).
        emit().
        repeat(
          local(inE('wrote').where(lte('t')).by('start').order().by('start', desc).limit(1)).
          outV().outE('read','exe').as('t').inV().optional(out('storedIn')).
          simplePath()).
        hasLabel('file').id().dedup()""";

  private static final String CHANGES =
      """
      g.V('%s').inE('wrote').order().by('start').
        project('when','who','job','bytes').
          by('start').
          by(outV().in('contains').in('ran').values('name')).
          by(outV().in('contains').id()).
          by('bytes')""";

  private static final String AFFECTED =
      """
      g.V('%s').out('contains').outE('wrote').where(inV().hasId('%s')).as('w').
        repeat(
          inV().inE('read').as('r').where(gte('w')).by('start').
          not(inV().inE('wrote').where(gt('w')).by('start').where(lte('r')).by('start')).
          outV().union(outE('wrote'), in('contains').outE('redirected')).
          as('w').where(gte('r')).by('end').by('start').simplePath()).
        emit().inV().id().dedup()""";

  private final PrintWriter out;
  private final Terminal terminal;
  private final GraphTransaction tx;
  private final Provenance now;
  private final List<DemoQuestion> questions = new ArrayList<>();

  private Demonstration(PrintWriter out, Terminal terminal, GraphTransaction tx) {
    this.out = out;
    this.terminal = terminal;
    this.tx = tx;
    this.now = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
  }

  /** Prints all questions with their answers and returns them. */
  static List<DemoQuestion> run(GraphDatabase database, PrintWriter out, Terminal terminal) {
    try (GraphTransaction tx = database.begin()) {
      Demonstration demonstration = new Demonstration(out, terminal, tx);
      demonstration.figureNow();
      demonstration.figureBefore();
      demonstration.changes("3. Who changed the shared configuration?", CONFIG);
      demonstration.affected();
      demonstration.changes("5. The history of an overwritten file: mesh C", MESH);
      return demonstration.questions;
    }
  }

  private void figureNow() {
    Lineage lineage = now.backward(FIGURE);
    heading("1. What does the final figure rest on?");
    print(lineage);
    out.println(terminal.dim("How the programs were built: graphmeta lineage --db DIR " + FIGURE));
    ask(
        "1. What does the final figure rest on?",
        "g." + REST_ON.formatted(FIGURE),
        inputs(lineage));
  }

  private void print(Lineage lineage) {
    FoldedLineage folded = new Folding(Folding.DEFAULT_BUDGET).fold(Overlay.of(lineage, false));
    new LineageText(folded, terminal, WIDTH).print(out);
  }

  private void figureBefore() {
    FileEvent mended = newest(now.changes(FIGURE));
    long before = Stamp.startOfMicros(mended.startMicros()) - 1;
    String time = Stamp.format(before);
    ReadView view = tx.view(Stamp.viewpoint(time), null);
    Lineage lineage = new Provenance(tx, view, LineageLimits.DEFAULT).backward(FIGURE);
    String title =
        "2. And before it was mended, at " + LineageText.time(Stamp.micros(before)) + "?";
    heading(title);
    long runs = runsOnBjornsTry(lineage);
    out.println(
        terminal.dim(
            runs + " programs below read the configuration as " + BJORNS_TRY + " left it."));
    out.println();
    print(lineage);
    ask(title, "g.with('asOf', '" + time + "').\n  " + REST_ON.formatted(FIGURE), inputs(lineage));
  }

  private static long runsOnBjornsTry(Lineage lineage) {
    return lineage.links().stream()
        .filter(link -> link.relation().equals(Vocabulary.READ))
        .map(link -> lineage.nodes().get(link.to()))
        .filter(node -> node.id().equals(CONFIG))
        .filter(node -> String.valueOf(node.writer()).startsWith(BJORNS_TRY + "/"))
        .count();
  }

  /** What programs read or ran, without what renames add. */
  private static List<String> inputs(Lineage lineage) {
    TreeSet<String> inputs = new TreeSet<>();
    for (Lineage.Link link : lineage.links()) {
      LineageNode target = lineage.nodes().get(link.to());
      if (link.relation().equals(Vocabulary.READ) || link.relation().equals(Vocabulary.STORED_IN)) {
        inputs.add(target.id());
      }
    }
    return List.copyOf(inputs);
  }

  private static FileEvent newest(List<FileEvent> changes) {
    return changes.get(changes.size() - 1);
  }

  private void changes(String title, String file) {
    heading(title);
    List<String> lines = new ArrayList<>();
    for (FileEvent change : now.changes(file)) {
      out.println(HistoryAnswer.line(change, terminal));
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("when", Stamp.instant(Stamp.startOfMicros(change.startMicros())));
      line.put("who", change.user());
      line.put("job", change.job());
      line.put("bytes", change.bytes());
      lines.add(line.toString());
    }
    ask(title, CHANGES.formatted(file), lines);
  }

  private void affected() {
    String title = "4. Which results were affected by job 184267's try?";
    heading(title);
    long wrong =
        now.changes(CONFIG).stream()
            .filter(change -> change.job().equals(BJORNS_TRY))
            .mapToLong(change -> Stamp.endOfMicros(change.startMicros()))
            .findFirst()
            .orElse(tx.snapshot().validAt());
    Lineage lineage = now.forward(CONFIG, wrong);
    Map<String, List<String>> filesOfJob = new TreeMap<>();
    TreeSet<String> ids = new TreeSet<>();
    for (LineageNode node : lineage.nodes()) {
      if (node.fate() != null && node.depth() > 0) {
        String job = node.writer() == null ? "" : node.writer().replaceFirst("/.*", "");
        String stars =
            node.doubts().contains(Doubt.SHELL_REDIRECTION)
                    || node.doubts().contains(Doubt.CREATED_ONLY)
                ? " *"
                : "";
        filesOfJob.computeIfAbsent(job, key -> new ArrayList<>()).add(node.id() + stars);
        ids.add(node.id());
      }
    }
    Map<String, LineageNode> jobs = new LinkedHashMap<>();
    lineage.nodes().stream()
        .filter(node -> node.label().equals(Vocabulary.JOB))
        .forEach(node -> jobs.put(node.id(), node));
    filesOfJob.forEach(
        (job, files) -> {
          LineageNode node = jobs.get(job);
          String name = node == null ? "" : " " + node.description();
          out.println(terminal.bold(job.replace(':', ' ') + name));
          files.stream().sorted().forEach(file -> out.println("  " + file));
        });
    int pairs = filesOfJob.values().stream().mapToInt(List::size).sum();
    out.println(
        terminal.dim(
            String.format(
                Locale.ROOT,
                "%d files of %d jobs; * the log shows no bytes: taken as written",
                pairs,
                filesOfJob.size())));
    ask(title, AFFECTED.formatted(BJORNS_TRY, CONFIG), List.copyOf(ids));
  }

  private void heading(String title) {
    out.println();
    out.println(terminal.bold(title));
    out.println(terminal.dim("─".repeat(WIDTH)));
  }

  private void ask(String title, String gremlin, List<String> lines) {
    questions.add(new DemoQuestion(title, gremlin, lines));
    out.println();
    out.println(terminal.dim("In Gremlin:"));
    gremlin.lines().forEach(line -> out.println("  " + terminal.highlight(line)));
  }
}
