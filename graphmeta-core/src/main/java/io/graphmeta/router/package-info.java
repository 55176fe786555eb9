/**
 * The client side of the cluster: finds the shard of a vertex, leases numbers, sends, waits, and
 * commits transactions over several shards. Transactions use it; it knows shards by the transport
 * only. Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.router;

import org.jspecify.annotations.NullMarked;
