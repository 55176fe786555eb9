package io.graphmeta.server.cli;

import picocli.CommandLine.Mixin;

/** A command that asks a graph as it was, or as it was known, at a time. */
abstract class ViewQuestion extends GraphQuestion {
  @Mixin ViewOptions view = new ViewOptions();
}
