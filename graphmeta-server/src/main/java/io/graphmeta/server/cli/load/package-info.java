/**
 * The command {@code load} with a sub-command for each source: each reads records by a package of
 * {@code ingest} and hands them to a {@link io.graphmeta.server.cli.load.Loading}, which takes them
 * into a database or to a server. Called by the root command alone. One thread loads; the one that
 * ends the process tells {@code --follow} to stop.
 */
@NullMarked
package io.graphmeta.server.cli.load;

import org.jspecify.annotations.NullMarked;
