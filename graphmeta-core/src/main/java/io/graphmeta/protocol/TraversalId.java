package io.graphmeta.protocol;

/**
 * Tells a traversal from all others.
 *
 * @param client a number that no other client has
 * @param number counts the traversals of the client
 */
public record TraversalId(long client, long number) {}
