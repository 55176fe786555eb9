/**
 * The storage port on RocksDB, one database in one directory, and the only package that knows
 * RocksDB. Created by the composition root of a shard. Safe for use by many threads, with one
 * daemon thread of its own for background syncs and for letting go of idle iterators.
 *
 * <p>What the log of a store claims to have synced, and what that decides when it is opened, is in
 * {@link io.graphmeta.storage.rocksdb.SyncClaims} and {@link
 * io.graphmeta.storage.rocksdb.LogRecovery}. How the logs of several stores go back to one moment
 * is in {@link io.graphmeta.storage.rocksdb.LogCuts}.
 *
 * <p>Entry: {@link io.graphmeta.storage.rocksdb.RocksDbStorage}. Each {@link
 * io.graphmeta.storage.Family} is a column family of the same name in lower case; the default
 * column family stays empty.
 */
@NullMarked
package io.graphmeta.storage.rocksdb;

import org.jspecify.annotations.NullMarked;
