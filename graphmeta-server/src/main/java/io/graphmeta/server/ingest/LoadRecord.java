package io.graphmeta.server.ingest;

/** What the reader of a source makes of it, before anything is known of the graph. Immutable. */
public sealed interface LoadRecord permits JobAccount, ProgramRun, RunTrace {}
