package io.graphmeta.protocol;

/**
 * How many entries of a vertex in one direction there are.
 *
 * @param vertex its key
 * @param entries at least one
 */
public record SideSize(long vertex, long entries) {}
