package io.graphmeta.engine;

import io.graphmeta.plan.Condition;

/**
 * What a query means for the vertices of a label.
 *
 * @param label the label
 * @param where a condition on their ids and properties
 */
public record LabelSearch(String label, Condition where) {}
