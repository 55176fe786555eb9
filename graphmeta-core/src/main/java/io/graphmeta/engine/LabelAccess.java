package io.graphmeta.engine;

import io.graphmeta.search.IndexClause;
import org.jspecify.annotations.Nullable;

/**
 * How the elements of a label are found that a condition is true of.
 *
 * @param label the label
 * @param asked what indexes of the label are asked; null if all of its elements are read
 */
public record LabelAccess(String label, @Nullable IndexClause asked) {}
