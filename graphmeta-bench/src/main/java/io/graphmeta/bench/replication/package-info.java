/**
 * What replicas cost. {@link io.graphmeta.bench.replication.ReplicationBenchmark} measures the log
 * of a shard on several machines: processes on this machine, each with a replica of each group,
 * beside the log of a store alone; it starts {@link io.graphmeta.bench.replication.LogProcess} and
 * tells it what to do. {@link io.graphmeta.bench.replication.MovesBenchmark} moves the replicas of
 * a running cluster, and {@link io.graphmeta.bench.replication.BackupBenchmark} backs one up; both
 * load it and write to it as {@link io.graphmeta.bench.replication.LoadedCluster} does. Each
 * belongs to one thread.
 */
@NullMarked
package io.graphmeta.bench.replication;

import org.jspecify.annotations.NullMarked;
