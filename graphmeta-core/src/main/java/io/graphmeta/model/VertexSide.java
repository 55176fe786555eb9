package io.graphmeta.model;

/**
 * The entries of a vertex in one direction.
 *
 * @param vertex key of the vertex
 * @param outgoing whether the entries of the edges that leave it, or of those that enter it
 */
public record VertexSide(long vertex, boolean outgoing) {}
