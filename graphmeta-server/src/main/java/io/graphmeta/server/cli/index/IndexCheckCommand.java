package io.graphmeta.server.cli.index;

import io.graphmeta.server.cli.connection.Answer;
import io.graphmeta.server.cli.connection.AskedGraph;
import io.graphmeta.server.cli.connection.GraphQuestion;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares indexes with what is stored. */
@Command(
    name = "check",
    description =
        "Compares what indexes name with what is stored. 'missing' are versions that queries do not find, 'surplus' those of"
            + " the index that are not stored; 'wider' are versions that are named too often, which costs time only,"
            + " and which 'graphmeta index rebuild' narrows. Exit code 1 if anything is missing or surplus, or a shard was not"
            + " compared: its node is away, or it has not built the index. A server is asked within its time for a"
            + " request (server.evaluation-timeout-millis).",
    footer = {
      "%nExamples:%n  graphmeta index check --db graph%n  graphmeta index check file.name --db graph%n"
    })
final class IndexCheckCommand extends GraphQuestion {
  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "The index: LABEL.KEY, such as file.name. Default: all.")
  private @Nullable String name;

  @Option(
      names = "--json",
      description =
          "One JSON object for each index on a line, with the fields of the service graphmeta.index.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    List<Map<String, Object>> checks;
    try (AskedGraph graph = open();
        Progress progress = Terminal.detect(spec).progress(err(), "Versions compared:", 0)) {
      checks = graph.checkIndexes(name, progress::update);
    }
    PrintWriter out = out();
    if (json) {
      checks.forEach(check -> JsonLines.printAnswer(out, check));
    } else if (checks.isEmpty()) {
      err().println("There is no index; 'graphmeta index create LABEL.KEY' makes one");
    } else {
      checks.forEach(check -> print(new Answer(check), out));
    }
    return checks.stream().allMatch(check -> isClean(new Answer(check))) ? 0 : 1;
  }

  private static void print(Answer check, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%-24s %,d versions compared: %,d missing, %,d wider, %,d surplus; %s%n",
        check.text("name"),
        sum(check, "versions"),
        sum(check, "missing"),
        sum(check, "wider"),
        sum(check, "surplus"),
        verdict(check));
    for (Answer shard : check.maps("shards")) {
      long number = shard.number("shard");
      shard
          .list("examples")
          .forEach(example -> out.printf(Locale.ROOT, "  shard %d: %s%n", number, example));
      if (!shard.text("notCompared").isEmpty()) {
        out.printf(
            Locale.ROOT, "  shard %d: not compared: %s%n", number, shard.text("notCompared"));
      }
    }
  }

  private static long sum(Answer check, String field) {
    return check.maps("shards").stream().mapToLong(shard -> shard.number(field)).sum();
  }

  private static String verdict(Answer check) {
    if (isClean(check)) {
      return "clean";
    }
    return sum(check, "missing") + sum(check, "surplus") == 0
        ? "no faults in what was compared"
        : "'graphmeta index rebuild " + check.text("name") + "' builds it anew";
  }

  private static boolean isClean(Answer check) {
    return Boolean.TRUE.equals(check.fields().get("clean"));
  }
}
