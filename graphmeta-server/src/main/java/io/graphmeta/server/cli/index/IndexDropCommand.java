package io.graphmeta.server.cli.index;

import io.graphmeta.server.cli.connection.Answer;
import picocli.CommandLine.Command;

/** Drops an index. */
@Command(
    name = "drop",
    description = "Drops an index. Queries that it served read all that has the label again.",
    footer = {"%nExamples:%n  graphmeta index drop file.name --db graph%n"})
final class IndexDropCommand extends IndexChange {
  @Override
  String action() {
    return "drop";
  }

  @Override
  String done(Answer index) {
    return "index " + index.text("name") + " dropped";
  }
}
