/**
 * Entries of vertices that go from this server to another, or come: which ones are due, what of
 * them is handed over, what is removed behind them. A move is driven from outside, message by
 * message; shards hand the messages on, and commits ask here whether an entry can be changed. Safe
 * for use by many threads, without threads of its own.
 */
@NullMarked
package io.graphmeta.shard.moves;

import org.jspecify.annotations.NullMarked;
