/**
 * The {@code graphmeta} command: each sub-command parses its options, calls the engine, the
 * provider or the ingest, and prints results to standard output and all else to standard error. The
 * one package that prints, and the one that knows picocli. Entered by {@link
 * io.graphmeta.server.cli.GraphMetaCommand#main}, on one thread.
 */
@NullMarked
package io.graphmeta.server.cli;

import org.jspecify.annotations.NullMarked;
