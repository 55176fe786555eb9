/**
 * Backups: {@code backup}, with what lists, verifies and expires them, and {@code restore}. Called
 * by the root command alone, on one thread.
 */
@NullMarked
package io.graphmeta.server.cli.backup;

import org.jspecify.annotations.NullMarked;
