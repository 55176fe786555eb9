/**
 * The storage port in memory: for graphs that need not outlive their process, and as the second
 * implementation that keeps the contract of the port honest. Created by the composition root of a
 * shard. Safe for use by many threads: writers and single reads exclude one another, moves of a
 * cursor never wait.
 */
@NullMarked
package io.graphmeta.storage.memory;

import org.jspecify.annotations.NullMarked;
