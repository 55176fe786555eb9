/**
 * The client side of the cluster: finds the server of a vertex, splits batches over servers, sends,
 * waits and puts answers together. Transactions use it; it knows servers by the transport only.
 * Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.router;

import org.jspecify.annotations.NullMarked;
