package io.graphmeta.search;

import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ValueTest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What indexes can be asked to narrow a condition down. Clients and shards decide alike, each by
 * the definitions that it knows. Pure.
 */
public final class IndexClauses {
  private IndexClauses() {}

  /**
   * The clause that is true of every element of a label that a condition is true of.
   *
   * @param definitions those that may be asked, of the label
   * @param keyId the id of a property key by its name; 0 for a key that has none
   * @return null if no index narrows the condition down
   */
  public static @Nullable IndexClause of(
      Condition condition, Collection<IndexDefinition> definitions, ToIntFunction<String> keyId) {
    if (condition instanceof Condition.Property property) {
      int key = keyId.applyAsInt(property.key());
      return key == 0 ? null : test(key, property.test(), definitions);
    }
    if (condition instanceof Condition.Id id) {
      return test(IndexDefinition.ID, id.test(), definitions);
    }
    if (condition instanceof Condition.And and) {
      List<IndexClause> parts = new ArrayList<>();
      for (Condition each : flat(and)) {
        IndexClause part = of(each, definitions, keyId);
        if (part != null) {
          parts.add(part);
        }
        if (canFail(each) && !(part instanceof IndexClause.Test)) {
          break; // an element that a later part leaves out may be one that this is an error of
        }
      }
      return parts.size() < 2
          ? parts.stream().findFirst().orElse(null)
          : new IndexClause.And(parts);
    }
    return condition instanceof Condition.Or or ? or(or, definitions, keyId) : null;
  }

  /**
   * The clause that is true of the elements that a condition is true of, and of no others, as far
   * as definitions tell. A condition that is always true has none.
   *
   * @return null if indexes do not tell all of the condition
   */
  public static @Nullable IndexClause whole(
      Condition condition, Collection<IndexDefinition> definitions, ToIntFunction<String> keyId) {
    if (condition instanceof Condition.And || condition instanceof Condition.Or) {
      boolean isAnd = condition instanceof Condition.And;
      List<Condition> of =
          isAnd ? flat((Condition.And) condition) : ((Condition.Or) condition).of();
      List<IndexClause> parts = new ArrayList<>();
      for (Condition each : of) {
        IndexClause part = whole(each, definitions, keyId);
        if (part == null) {
          return null;
        }
        parts.add(part);
      }
      if (parts.size() < 2) {
        return parts.stream().findFirst().orElse(null);
      }
      return isAnd ? new IndexClause.And(parts) : new IndexClause.Or(parts);
    }
    return of(condition, definitions, keyId);
  }

  /**
   * Whether another clause may narrow down further what {@link #of} makes of a condition. It may
   * not where that would leave out elements that the condition is an error of.
   */
  public static boolean canBeNarrowed(
      Condition condition, Collection<IndexDefinition> definitions, ToIntFunction<String> keyId) {
    List<Condition> parts = condition instanceof Condition.And and ? flat(and) : List.of(condition);
    return parts.stream()
        .allMatch(
            each -> !canFail(each) || of(each, definitions, keyId) instanceof IndexClause.Test);
  }

  /** The parts of a conjunction in their order, those of conjunctions among them taken apart. */
  private static List<Condition> flat(Condition.And and) {
    return and.of().stream()
        .flatMap(
            each -> each instanceof Condition.And inner ? flat(inner).stream() : Stream.of(each))
        .toList();
  }

  /** Whether there could be indexes that narrow a condition down. */
  public static boolean canBe(Condition condition) {
    if (condition instanceof Condition.Property property) {
      return IndexKinds.serve(EnumSet.allOf(IndexKind.class), property.test());
    }
    if (condition instanceof Condition.Id id) {
      return IndexKinds.serve(EnumSet.allOf(IndexKind.class), id.test());
    }
    if (condition instanceof Condition.And and) {
      return and.of().stream().anyMatch(IndexClauses::canBe);
    }
    return condition instanceof Condition.Or or
        && !or.of().isEmpty()
        && or.of().stream().allMatch(IndexClauses::canBe);
  }

  /** Whether a condition is an error of some elements: text is asked for of values of any type. */
  static boolean canFail(Condition condition) {
    if (condition instanceof Condition.Property property) {
      return canFail(property.test());
    } else if (condition instanceof Condition.And and) {
      return and.of().stream().anyMatch(IndexClauses::canFail);
    } else if (condition instanceof Condition.Or or) {
      return or.of().stream().anyMatch(IndexClauses::canFail);
    }
    return condition instanceof Condition.Not not && canFail(not.of());
  }

  private static boolean canFail(ValueTest test) {
    if (test instanceof ValueTest.And and) {
      return and.of().stream().anyMatch(IndexClauses::canFail);
    } else if (test instanceof ValueTest.Or or) {
      return or.of().stream().anyMatch(IndexClauses::canFail);
    }
    return test instanceof ValueTest.Text || test instanceof ValueTest.Not not && canFail(not.of());
  }

  private static @Nullable IndexClause test(
      int key, ValueTest test, Collection<IndexDefinition> definitions) {
    for (IndexDefinition definition : definitions) {
      if (definition.keyId() == key && IndexKinds.serve(definition.kinds(), test)) {
        return new IndexClause.Test(definition, test);
      }
    }
    return null;
  }

  /** Each part has to be narrowed down: what one of them leaves out, another may be true of. */
  private static @Nullable IndexClause or(
      Condition.Or or, Collection<IndexDefinition> definitions, ToIntFunction<String> keyId) {
    List<IndexClause> parts = new ArrayList<>();
    for (Condition each : or.of()) {
      IndexClause part = of(each, definitions, keyId);
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    return parts.isEmpty() ? null : new IndexClause.Or(parts);
  }
}
