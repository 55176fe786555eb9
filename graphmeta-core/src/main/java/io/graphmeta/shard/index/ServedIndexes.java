package io.graphmeta.shard.index;

import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.ElementLabel;
import io.graphmeta.search.IndexDefinition;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked at a moment. Immutable.
 *
 * @param index null if there is none
 * @param byLabel the definitions of which the index holds everything
 */
record ServedIndexes(
    @Nullable AttributeIndex index, Map<ElementLabel, List<IndexDefinition>> byLabel) {
  static final ServedIndexes NONE = new ServedIndexes(null, Map.of());

  List<IndexDefinition> ofLabel(ElementLabel label) {
    return byLabel.getOrDefault(label, List.of());
  }

  /** The definition with a number, if the index holds everything of it. */
  @Nullable IndexDefinition numbered(long number) {
    for (List<IndexDefinition> ofLabel : byLabel.values()) {
      for (IndexDefinition definition : ofLabel) {
        if (definition.number() == number) {
          return definition;
        }
      }
    }
    return null;
  }
}
