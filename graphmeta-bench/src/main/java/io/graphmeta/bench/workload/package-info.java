/**
 * Inputs of benchmarks, the same for every subject: graphs, ids and payloads from a seed. Pure;
 * immutable or for one thread, as each type says.
 */
@NullMarked
package io.graphmeta.bench.workload;

import org.jspecify.annotations.NullMarked;
