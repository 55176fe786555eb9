/**
 * Transactions: writes are buffered at the client, read by the transaction itself, and committed
 * together with one stamp; reads are batches over a snapshot, and plans. The engine hands
 * transactions out; everything above the core reads and writes through them.
 *
 * <p>{@link BufferedTransaction} puts the parts together, none of which knows it:
 *
 * <pre>
 *   reads                                 writes
 *   SnapshotReads                         ElementWrites: VertexWrites, VertexPropertyWrites,
 *     Views    which view is sent           EdgeWrites, VariableStore
 *     Overlay  own writes laid over           LifetimeRules, GivenIds, ValueSlots, WriteGate: checks
 *        \                                      |
 *         +------------ WriteBuffer ------------+
 *                           |
 *                   TransactionCommit: SplitAhead, CommitBuilder, then the router
 * </pre>
 *
 * <p>A transaction belongs to one thread at a time, and so does every object of it; {@link
 * Transactions} may be used by many.
 */
@NullMarked
package io.graphmeta.tx;

import org.jspecify.annotations.NullMarked;
