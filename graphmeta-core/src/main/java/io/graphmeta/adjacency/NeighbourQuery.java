package io.graphmeta.adjacency;

import io.graphmeta.model.ReadView;

/**
 * Which neighbours of a vertex are wanted. The array is not changed by anyone.
 *
 * @param outgoing along the edges, or against them
 * @param labelIds labels of edges, rising; none for all
 * @param view sees nothing whose outcome is open: its committed stamp is one that a snapshot can
 *     have
 */
public record NeighbourQuery(boolean outgoing, int[] labelIds, ReadView view) {}
