package io.graphmeta.gremlin.process.step;

import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Direction;

/**
 * One hop from a frontier.
 *
 * @param direction which edges
 * @param labels edge labels; empty for all
 * @param toEdges whether it ends at the edges or at the vertices behind them
 * @param withProperties whether the edges' properties will be wanted; they can be read later if
 *     this was wrong
 * @param detached whether all is read before the first element is handed out, so that writes may
 *     follow
 */
public record Hop(
    Direction direction,
    Set<String> labels,
    boolean toEdges,
    boolean withProperties,
    boolean detached) {}
