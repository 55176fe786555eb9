/**
 * Several shards in one process whose messages and stores take time without taking a processor, so
 * that a machine with two of them shows how many shards would work side by side. Used by the
 * benchmarks of traversals and placements; safe for use by many threads.
 */
@NullMarked
package io.graphmeta.bench.cluster;

import org.jspecify.annotations.NullMarked;
