package io.graphmeta.server.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** Runs the command and keeps what it prints. */
public record Cli(int exitCode, String out, String err) {
  /** Runs it with these words. */
  public static Cli run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = GraphMetaCommand.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    return new Cli(exitCode, out.toString(), err.toString());
  }

  /** What it printed, line by line. */
  public List<String> lines() {
    return out.lines().toList();
  }
}
