/**
 * Gremlin typed by a person: {@code query} for one traversal and the forms of its results, {@code
 * console} for many. Called by the root command alone, on one thread.
 */
@NullMarked
package io.graphmeta.server.cli.query;

import org.jspecify.annotations.NullMarked;
