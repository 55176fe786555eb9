package io.graphmeta.server.ingest;

import io.graphmeta.server.ingest.trace.TracedRun;

/**
 * A run that another tool wrote down. Immutable.
 *
 * @param run what it tells
 */
public record RunTrace(TracedRun run) implements LoadRecord {}
