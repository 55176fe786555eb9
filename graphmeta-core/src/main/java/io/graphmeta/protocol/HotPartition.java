package io.graphmeta.protocol;

/**
 * A partition with many entries.
 *
 * @param vertex whose entries they are
 * @param outgoing whether those that leave it
 * @param entries about how many there are
 */
public record HotPartition(long vertex, boolean outgoing, long entries) {}
