/**
 * What it costs to keep the log of a shard on several machines: processes on this machine, each
 * with a replica of each group, beside the log of a store alone. {@link
 * io.graphmeta.bench.replication.ReplicationBenchmark} starts {@link
 * io.graphmeta.bench.replication.LogProcess} and tells it what to do; each belongs to one thread.
 */
@NullMarked
package io.graphmeta.bench.replication;

import org.jspecify.annotations.NullMarked;
