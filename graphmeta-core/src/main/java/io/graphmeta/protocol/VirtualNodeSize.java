package io.graphmeta.protocol;

/**
 * How much of a family belongs to the vertices of a virtual node.
 *
 * @param elements vertices or edges that a view sees
 * @param rows of all versions
 * @param bytes keys and values of the rows, before compression
 */
public record VirtualNodeSize(int virtualNode, long elements, long rows, long bytes) {}
