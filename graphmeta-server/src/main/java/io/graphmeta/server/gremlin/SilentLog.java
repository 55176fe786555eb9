package io.graphmeta.server.gremlin;

import org.jspecify.annotations.Nullable;

/** Keeps nothing. */
final class SilentLog implements QueryLog {
  @Override
  public void ended(QueryRun run, @Nullable Failure failure) {}

  @Override
  public void refused(Caller caller, String request, Failure failure) {}
}
