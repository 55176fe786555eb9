/**
 * Benchmarks of the engine: key formats on raw RocksDB, the engine's own interface beside raw
 * RocksDB, the Gremlin interface beside TinkerGraph. Each has a main class; {@code
 * docs/internals/HACKING.md} says how to run them.
 */
@NullMarked
package io.graphmeta.bench.engine;

import org.jspecify.annotations.NullMarked;
