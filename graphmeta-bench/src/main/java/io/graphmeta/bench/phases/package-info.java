/**
 * What the shards do in each phase of a traversal, under the three engines: the measurement of the
 * paper's sections 6.3.1 and 6.3.2 in small, with several shards in one process, late messages, and
 * a store whose seeks take as long as those of a disk. A program of its own: {@link
 * io.graphmeta.bench.phases.PhasesBenchmark}.
 */
@NullMarked
package io.graphmeta.bench.phases;

import org.jspecify.annotations.NullMarked;
