package io.graphmeta.gremlin.structure;

import org.jspecify.annotations.Nullable;

/**
 * A record of the present as one transaction read it.
 *
 * @param owner the transaction
 * @param readAt its count of writes at that moment
 * @param read the record; null if there was none
 */
record Loaded<R>(OpenTransaction owner, long readAt, @Nullable R read) {}
