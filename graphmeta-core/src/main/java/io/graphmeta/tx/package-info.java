/**
 * Transactions: writes are buffered at the client, read by the transaction itself, and committed
 * together with one stamp; reads are batches over a snapshot, and plans. The engine hands
 * transactions out; everything above the core reads and writes through them. A transaction belongs
 * to one thread at a time.
 */
@NullMarked
package io.graphmeta.tx;

import org.jspecify.annotations.NullMarked;
