package io.graphmeta.search;

import io.graphmeta.plan.ElementKind;
import java.util.Set;

/**
 * An index over one property of the elements of one label.
 *
 * @param number tells it from all others, those of the same name before it included: the stamp of
 *     the transaction that created it
 * @param name as users write it: {@code file.name}
 * @param element vertices or edges
 * @param labelId the label of the elements
 * @param keyId the key of the property; {@link #ID} for the id of the element
 * @param kinds what it can be asked; at least one
 */
public record IndexDefinition(
    long number, String name, ElementKind element, int labelId, int keyId, Set<IndexKind> kinds) {
  /** In the place of a property key: the id of the element. */
  public static final int ID = 0;

  /** Copies the kinds. */
  public IndexDefinition {
    kinds = Set.copyOf(kinds);
  }

  /** The label of the elements. */
  public ElementLabel label() {
    return new ElementLabel(element, labelId);
  }
}
