/**
 * How a database is doing: {@code status} and {@code check}. Called by the root command alone, on
 * one thread.
 */
@NullMarked
package io.graphmeta.server.cli.health;

import org.jspecify.annotations.NullMarked;
