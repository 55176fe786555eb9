package io.graphmeta.server.cli.connection;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** A command that asks a graph: that of a database, or of a server. */
public abstract class GraphQuestion implements Callable<Integer> {
  @CommandLine.Spec protected CommandLine.Model.CommandSpec spec;
  @Mixin private GraphOptions graph = new GraphOptions();

  /** The graph that the options name, to be read. */
  protected final AskedGraph open() throws IOException {
    return graph.open();
  }

  /** As {@link #open()}, to be written too if that is asked for. */
  protected final AskedGraph open(boolean write) throws IOException {
    return graph.open(write);
  }

  /** Where answers go. */
  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Where all else goes. */
  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
