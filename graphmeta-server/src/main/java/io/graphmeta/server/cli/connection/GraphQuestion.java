package io.graphmeta.server.cli.connection;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** A command that asks a graph: that of a database, or of a server. */
public abstract class GraphQuestion implements Callable<Integer> {
  @CommandLine.Spec protected CommandLine.Model.CommandSpec spec;
  @Mixin protected DatabaseOption db = new DatabaseOption();
  @Mixin protected ServerOption connection = new ServerOption();

  /** The graph that the options name, to be read. */
  protected final AskedGraph open() throws IOException {
    return AskedGraph.of(db, connection);
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
