/**
 * Old versions: {@code retention}, which drops them into archives, and {@code archive}, which
 * lists, verifies, reads and restores these. Called by the root command alone, on one thread.
 */
@NullMarked
package io.graphmeta.server.cli.retention;

import org.jspecify.annotations.NullMarked;
