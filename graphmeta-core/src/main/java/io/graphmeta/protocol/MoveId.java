package io.graphmeta.protocol;

/**
 * One attempt to split a partition off.
 *
 * @param vertex whose entries they are
 * @param outgoing whether those that leave it
 * @param partition the new partition
 * @param attempt tells attempts apart
 */
public record MoveId(long vertex, boolean outgoing, int partition, long attempt) {}
