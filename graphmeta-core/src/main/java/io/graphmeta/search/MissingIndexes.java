package io.graphmeta.search;

import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ValueTest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which indexes would narrow a condition down. Pure. */
public final class MissingIndexes {
  private static final IndexKind[] KINDS = IndexKind.values();

  private MissingIndexes() {}

  /**
   * An index over a property.
   *
   * @param key of the property; {@link SearchConditions#ID} for the ids
   * @param kinds what it has to be asked, and no more than that
   */
  public record Missing(String key, Set<IndexKind> kinds) {}

  /**
   * Indexes of a label that narrow a condition down together where they are the only ones; none if
   * no index could.
   */
  public static List<Missing> of(Condition condition) {
    List<Missing> missing = new ArrayList<>();
    kindsByKey(condition).forEach((key, kinds) -> missing.add(new Missing(key, kinds)));
    return missing;
  }

  private static Map<String, Set<IndexKind>> kindsByKey(Condition condition) {
    if (condition instanceof Condition.Property property) {
      // A property with the name of the ids cannot be indexed.
      return property.key().equals(SearchConditions.ID)
          ? Map.of()
          : kindsByKey(property.key(), property.test());
    } else if (condition instanceof Condition.Id id) {
      return kindsByKey(SearchConditions.ID, id.test());
    } else if (condition instanceof Condition.And and) {
      return ofFirst(and.of());
    }
    return condition instanceof Condition.Or or ? ofAll(or.of()) : Map.of();
  }

  private static Map<String, Set<IndexKind>> kindsByKey(String key, ValueTest test) {
    Set<IndexKind> kinds = EnumSet.allOf(IndexKind.class);
    if (!IndexKinds.serve(kinds, test)) {
      return Map.of();
    }
    for (int i = KINDS.length - 1; i >= 0; i--) {
      kinds.remove(KINDS[i]);
      if (!IndexKinds.serve(kinds, test)) {
        kinds.add(KINDS[i]);
      }
    }
    return Map.of(key, kinds);
  }

  /** Of a conjunction one part is enough, unless one before it keeps indexes from it. */
  private static Map<String, Set<IndexKind>> ofFirst(List<Condition> parts) {
    for (Condition part : parts) {
      Map<String, Set<IndexKind>> ofPart = kindsByKey(part);
      if (!ofPart.isEmpty()) {
        return ofPart;
      }
      if (IndexClauses.canFail(part)) {
        break;
      }
    }
    return Map.of();
  }

  private static Map<String, Set<IndexKind>> ofAll(List<Condition> parts) {
    Map<String, Set<IndexKind>> all = new TreeMap<>();
    for (Condition part : parts) {
      Map<String, Set<IndexKind>> ofPart = kindsByKey(part);
      if (ofPart.isEmpty()) {
        return Map.of();
      }
      ofPart.forEach(
          (key, kinds) ->
              all.computeIfAbsent(key, each -> EnumSet.noneOf(IndexKind.class)).addAll(kinds));
    }
    return all;
  }
}
