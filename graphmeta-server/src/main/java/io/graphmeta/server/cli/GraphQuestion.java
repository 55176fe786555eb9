package io.graphmeta.server.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** A command that asks a graph: that of a database, or of a server. */
abstract class GraphQuestion implements Callable<Integer> {
  @CommandLine.Spec CommandLine.Model.CommandSpec spec;
  @Mixin DatabaseOption db = new DatabaseOption();
  @Mixin ServerOption connection = new ServerOption();

  /** The graph that the options name, to be read. */
  final AskedGraph open() throws IOException {
    return AskedGraph.of(db, connection);
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
