package io.graphmeta.server.cli.index;

import io.graphmeta.server.cli.connection.Answer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Rebuilds an index. */
@Command(
    name = "rebuild",
    description =
        "Drops an index and creates it again, with the same kinds and in one transaction, so that all shards build it"
            + " anew.",
    footer = {"%nExamples:%n  graphmeta index rebuild file.name --db graph --wait%n"})
final class IndexRebuildCommand extends IndexChange {
  @Option(names = "--wait", description = "Waits until all shards have built it, with progress.")
  private boolean waits;

  @Override
  String action() {
    return "rebuild";
  }

  @Override
  boolean waits() {
    return waits;
  }

  @Override
  String done(Answer index) {
    return "index " + index.text("name") + " is built anew; " + howFar(index);
  }
}
