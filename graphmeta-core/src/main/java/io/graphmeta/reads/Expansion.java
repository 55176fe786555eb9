package io.graphmeta.reads;

import io.graphmeta.model.Direction;
import java.util.Set;

/**
 * What to expand: the edges of every vertex of a frontier.
 *
 * @param frontier vertex keys, in any order; a key may come more than once
 * @param direction which edges
 * @param labels edge labels; empty for all
 * @param withProperties whether edges are wanted with their properties
 */
public record Expansion(
    long[] frontier, Direction direction, Set<String> labels, boolean withProperties) {}
