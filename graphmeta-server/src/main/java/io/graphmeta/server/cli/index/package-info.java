/**
 * {@code graphmeta search}: finds vertices, through the service {@code graphmeta.search}. {@code
 * graphmeta index}: creates, lists, checks, drops and rebuilds the indexes of a graph, through the
 * service {@code graphmeta.index}. Called by the root command alone, on one thread.
 */
@NullMarked
package io.graphmeta.server.cli.index;

import org.jspecify.annotations.NullMarked;
