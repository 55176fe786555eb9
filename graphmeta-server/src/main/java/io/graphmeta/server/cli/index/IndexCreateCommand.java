package io.graphmeta.server.cli.index;

import io.graphmeta.server.cli.connection.Answer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Creates an index. */
@Command(
    name = "create",
    description =
        "Creates an index over one property of the vertices, or edges, with one label. It is there when the command returns, and"
            + " built by the shards from then on; queries do without it on a shard that has not built it.",
    footer = {
      "%nExamples:%n  graphmeta index create file.name --kind exact,fragment --db graph --wait%n"
          + "  graphmeta index create job.start --kind range --connect localhost:8182%n"
          + "  graphmeta index create wrote.bytes --kind range --element edge --db graph%n"
    })
final class IndexCreateCommand extends IndexChange {
  @Option(
      names = "--kind",
      paramLabel = "KINDS",
      defaultValue = "exact",
      description =
          "What it can be asked, separated by commas (${DEFAULT-VALUE} by default): exact for equality and beginnings of"
              + " texts, range for numbers and dates that are less or greater, fragment for parts of texts of three"
              + " characters or more; path, command and words for searches by the words of paths, command lines and"
              + " other texts.")
  private String kinds;

  @Option(
      names = "--element",
      paramLabel = "ELEMENT",
      description =
          "What it is over: vertex or edge. By default what has the label, and vertices if nothing has it yet.")
  private @Nullable String element;

  @Option(names = "--wait", description = "Waits until all shards have built it, with progress.")
  private boolean waits;

  @Override
  String action() {
    return "create";
  }

  @Override
  String kinds() {
    return kinds;
  }

  @Override
  @Nullable String element() {
    return element;
  }

  @Override
  boolean waits() {
    return waits;
  }

  @Override
  String done(Answer index) {
    return "index "
        + index.text("name")
        + " ("
        + IndexText.kinds(index)
        + ") created; "
        + howFar(index);
  }
}
