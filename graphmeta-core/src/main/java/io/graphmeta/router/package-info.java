/**
 * The client side of the cluster: finds the server of a vertex, leases numbers, sends, waits, and
 * commits transactions over several servers. Transactions use it; it knows servers by the transport
 * only. Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.router;

import org.jspecify.annotations.NullMarked;
