package io.graphmeta.server.cli.connection;

import picocli.CommandLine.Mixin;

/** A command that asks a graph as it was, or as it was known, at a time. */
public abstract class ViewQuestion extends GraphQuestion {
  @Mixin protected ViewOptions view = new ViewOptions();
}
