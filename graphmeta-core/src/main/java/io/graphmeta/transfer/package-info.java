/**
 * How files of a store come from another process: over a small port, range by range, so that a
 * connection that breaks costs a range, and nothing that arrives damaged, twice or at the wrong
 * place is taken. Knows no messages and no store; the engine and tests are behind the port.
 *
 * <p>{@link io.graphmeta.transfer.RangeReader} reads one file in order; {@link
 * io.graphmeta.transfer.StoreCopier} makes a directory of all files of a checkpoint. Each belongs
 * to one thread.
 */
@NullMarked
package io.graphmeta.transfer;

import org.jspecify.annotations.NullMarked;
