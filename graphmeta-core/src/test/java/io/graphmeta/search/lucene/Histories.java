package io.graphmeta.search.lucene;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTests;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.AttributeIndex.StoredVersion;
import io.graphmeta.search.AttributeIndex.VersionPage;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexedVersion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The oracle: all statements about slots in the order in which they were learned of, and what a
 * view sees of them by looking at each.
 */
final class Histories {
  /** One property of an element, or one value of it. Elements are told apart by numbers. */
  record Slot(IndexDefinition definition, long vertex, long valueId) {}

  /** The key of an element. The order of the keys is that of the numbers, unsigned. */
  static byte[] key(IndexDefinition definition, long number) {
    boolean ofEdges = definition.element() == ElementKind.EDGE;
    ByteBuffer key = ByteBuffer.allocate(ofEdges ? RowKeys.EDGE_KEY_BYTES : Long.BYTES);
    key.putLong(number);
    if (ofEdges) {
      key.putLong(number * 0x9e3779b97f4a7c15L);
    }
    return key.array();
  }

  /** What was said of a slot; null for that it is gone. */
  record Statement(long valid, long committed, @Nullable Object value) {
    boolean isHiddenBy(Statement other) {
      return other.valid > valid || other.valid == valid && other.committed > committed;
    }
  }

  private final Map<Slot, List<Statement>> statements = new HashMap<>();

  /** Which slot was changed at which stamp. */
  private final TreeMap<Long, Slot> changes = new TreeMap<>();

  void add(Slot slot, Statement statement) {
    statements.computeIfAbsent(slot, any -> new ArrayList<>()).add(statement);
    changes.put(statement.committed(), slot);
  }

  /** All that was said of an element is gone. */
  void remove(IndexDefinition definition, long vertex) {
    statements
        .keySet()
        .removeIf(slot -> slot.definition().equals(definition) && slot.vertex() == vertex);
    changes
        .values()
        .removeIf(slot -> slot.definition().equals(definition) && slot.vertex() == vertex);
  }

  void remove(IndexDefinition definition) {
    statements.keySet().removeIf(slot -> slot.definition().equals(definition));
    changes.values().removeIf(slot -> slot.definition().equals(definition));
  }

  Set<Slot> changedAfter(long stamp) {
    return Set.copyOf(changes.tailMap(stamp, false).values());
  }

  /** Puts all versions of a slot, as a follower that reads it from the store does. */
  void put(Slot slot, AttributeIndex index) {
    versions(slot).forEach(index::put);
  }

  /** As {@link #put}, where the index was told of nothing that is committed above a stamp. */
  void putAbove(long stamp, Slot slot, AttributeIndex index) {
    for (IndexedVersion version : versions(slot)) {
      if (version.committed() > stamp) {
        index.add(version);
      } else {
        index.put(version);
      }
    }
  }

  /** The versions of a slot, each ended by the statement that follows it in valid time. */
  List<IndexedVersion> versions(Slot slot) {
    List<Statement> all = statements.getOrDefault(slot, List.of());
    List<IndexedVersion> versions = new ArrayList<>();
    for (Statement each : all) {
      if (each.value() == null) {
        continue;
      }
      Statement next = null;
      for (Statement other : all) {
        if (each.isHiddenBy(other) && (next == null || other.isHiddenBy(next))) {
          next = other;
        }
      }
      versions.add(
          new IndexedVersion(
              slot.definition(),
              key(slot.definition(), slot.vertex()),
              slot.valueId(),
              each.valid(),
              each.committed(),
              each.value(),
              next == null ? IndexedVersion.OPEN : next.valid(),
              next == null ? IndexedVersion.OPEN : next.committed()));
    }
    return versions;
  }

  /** All versions of a definition, in a form that can be compared. */
  Set<String> versions(IndexDefinition definition) {
    Set<String> all = new TreeSet<>();
    for (Slot slot : statements.keySet()) {
      if (slot.definition().equals(definition)) {
        for (IndexedVersion each : versions(slot)) {
          all.add(
              text(
                  each.element(),
                  each.valueId(),
                  each.valid(),
                  each.committed(),
                  each.endValid(),
                  each.endCommitted()));
        }
      }
    }
    return all;
  }

  static Set<String> versions(AttributeIndex index, IndexDefinition definition) {
    Set<String> all = new TreeSet<>();
    byte[] from = {};
    long page = 0;
    while (from != null) {
      // Small pages first, so that many begin and end somewhere.
      VersionPage versions = index.versions(definition.number(), from, (int) Math.min(page++, 500));
      for (StoredVersion each : versions.versions()) {
        long vertex = ByteBuffer.wrap(each.element()).getLong();
        if (from.length > 0 && Long.compareUnsigned(vertex, ByteBuffer.wrap(from).getLong()) < 0) {
          throw new AssertionError("Of a page before: " + vertex);
        }
        String text =
            text(
                each.element(),
                each.valueId(),
                each.valid(),
                each.committed(),
                each.endValid(),
                each.endCommitted());
        if (!all.add(text)) {
          throw new AssertionError("Twice: " + text);
        }
      }
      from = versions.next();
    }
    return all;
  }

  private static String text(byte[] element, long... numbers) {
    StringBuilder text = new StringBuilder().append(ByteBuffer.wrap(element).getLong());
    for (long number : numbers) {
      text.append(' ').append(number);
    }
    return text.toString();
  }

  /** What may come of a clause for a vertex whose values are tested in any order. */
  record Outcome(boolean mayBeTrue, boolean mayBeError) {
    boolean isCandidate() {
      return mayBeTrue || mayBeError;
    }
  }

  /** The vertices that must be candidates, by what was learned up to a stamp. */
  TreeSet<Long> candidates(IndexClause clause, ReadView view, long upTo) {
    TreeSet<Long> vertices = new TreeSet<>(Long::compareUnsigned);
    Map<Long, Map<IndexDefinition, List<Object>>> values = values(view, upTo);
    values.forEach(
        (vertex, properties) -> {
          if (outcome(clause, properties).isCandidate()) {
            vertices.add(vertex);
          }
        });
    return vertices;
  }

  /** The vertices that a clause is true of, by what was learned up to a stamp. */
  TreeSet<Long> matching(IndexClause clause, ReadView view, long upTo) {
    TreeSet<Long> vertices = new TreeSet<>(Long::compareUnsigned);
    values(view, upTo)
        .forEach(
            (vertex, properties) -> {
              if (outcome(clause, properties).mayBeTrue()) {
                vertices.add(vertex);
              }
            });
    return vertices;
  }

  /** The values that vertices have, those that a clause is true of or all. */
  Map<Long, List<Object>> values(
      IndexDefinition definition, @Nullable IndexClause clause, ReadView view, long upTo) {
    Map<Long, List<Object>> found = new HashMap<>();
    values(view, upTo)
        .forEach(
            (vertex, properties) -> {
              if (clause == null || outcome(clause, properties).mayBeTrue()) {
                found.put(vertex, properties.getOrDefault(definition, List.of()));
              }
            });
    return found;
  }

  private Map<Long, Map<IndexDefinition, List<Object>>> values(ReadView view, long upTo) {
    Map<Long, Map<IndexDefinition, List<Object>>> values = new HashMap<>();
    statements.forEach(
        (slot, all) -> {
          Statement seen = null;
          for (Statement each : all) {
            if (each.committed() <= upTo
                && view.sees(each.valid(), each.committed())
                && (seen == null || seen.isHiddenBy(each))) {
              seen = each;
            }
          }
          if (seen != null && seen.value() != null) {
            values
                .computeIfAbsent(slot.vertex(), any -> new HashMap<>())
                .computeIfAbsent(slot.definition(), any -> new ArrayList<>())
                .add(seen.value());
          }
        });
    return values;
  }

  private static Outcome outcome(
      IndexClause clause, Map<IndexDefinition, List<Object>> properties) {
    if (clause instanceof IndexClause.Test test) {
      boolean isTrue = false;
      boolean isError = false;
      for (Object value : properties.getOrDefault(test.definition(), List.of())) {
        try {
          isTrue |= ValueTests.passes(test.test(), value);
        } catch (GraphMetaException e) {
          isError = true;
        }
      }
      return new Outcome(isTrue, isError);
    }
    boolean all = true;
    boolean any = false;
    boolean error = false;
    for (IndexClause each : parts(clause)) {
      Outcome outcome = outcome(each, properties);
      error |= outcome.mayBeError() && (all || clause instanceof IndexClause.Or);
      all &= outcome.mayBeTrue();
      any |= outcome.mayBeTrue();
    }
    return new Outcome(clause instanceof IndexClause.Or ? any : all, error);
  }

  private static List<IndexClause> parts(IndexClause clause) {
    return clause instanceof IndexClause.And and ? and.of() : ((IndexClause.Or) clause).of();
  }

  /** An open version of a vertex that became true and known at once. */
  static IndexedVersion version(IndexDefinition definition, long vertex, long stamp, Object value) {
    return new IndexedVersion(
        definition,
        ByteBuffer.allocate(Long.BYTES).putLong(vertex).array(),
        0,
        stamp,
        stamp,
        value,
        IndexedVersion.OPEN,
        IndexedVersion.OPEN);
  }

  /** A test of a definition, for clauses. */
  static IndexClause clause(IndexDefinition definition, ValueTest test) {
    return new IndexClause.Test(definition, test);
  }
}
