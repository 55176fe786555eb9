package io.graphmeta.simulation;

import static io.graphmeta.simulation.Violation.Invariant.CONSISTENT_INDEXES;
import static io.graphmeta.simulation.Violation.Invariant.PAST_NEVER_CHANGES;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_READS;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.ChangeRows;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexedVersion;
import io.graphmeta.shard.index.IndexSource;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** What can be done wrong when an index follows a store, and is asked. */
final class IndexBugs {
  private static final Set<Invariant> CAUGHT_BY =
      EnumSet.of(SNAPSHOT_READS, PAST_NEVER_CHANGES, CONSISTENT_INDEXES);
  private static final int INTENT_KEY_BYTES = 25;

  private IndexBugs() {}

  static List<PlantedBug> all() {
    return List.of(
        bug("changes of a part that is decided later and not listed", IndexBugs::unlistedParts),
        bug(
            "changes of edges that are not listed",
            () -> changing((key, value) -> key.length == ChangeRows.EDGE_ROW_BYTES ? null : value)),
        bug(
            "a split that is not listed",
            () ->
                changing(
                    (key, value) -> key.length == ChangeRows.ENTRIES_ROW_BYTES ? null : value)),
        bug(
            "changes of the past that are listed as of now",
            () -> changing((key, value) -> new byte[0])),
        bug(
            "an index that is asked without the list of changes",
            () -> new InIndexes(log -> log, Ahead::new)),
        bug(
            "what is said behind the end of an element and not ended by it",
            () -> new InIndexes(log -> log, Endless::new)),
        bug(
            "an index that was committed ahead of its store, which was taken back",
            () -> new InPowerLosses(noting(true, false), index -> index)),
        bug(
            "changes that are no longer listed when the index is committed",
            () -> new InPowerLosses(noting(false, true), Uncommitted::new)));
  }

  private static PlantedBug bug(String name, Supplier<Sabotage> sabotage) {
    return new PlantedBug(name, sabotage, CAUGHT_BY);
  }

  /** A world with indexes and many splits; without a defect if it is given none. */
  static class InIndexes extends Sabotage {
    private final UnaryOperator<ReplicationLog> log;
    private final UnaryOperator<AttributeIndex> index;

    InIndexes() {
      this(log -> log, index -> index);
    }

    InIndexes(UnaryOperator<ReplicationLog> log, UnaryOperator<AttributeIndex> index) {
      this.log = log;
      this.index = index;
    }

    @Override
    boolean isIndexed(boolean drawn) {
      return true;
    }

    @Override
    Options world(Options drawn) {
      return drawn.withManySplits().withBusyClients().twiceAsLong();
    }

    @Override
    ReplicationLog log(int shard, ReplicationLog to) {
      return log.apply(to);
    }

    @Override
    IndexSource index(int shard, IndexSource source) {
      return SabotagedIndex.of(source, index);
    }
  }

  /** A world with indexes in which stores are often taken back to what was synced. */
  static class InPowerLosses extends InIndexes {
    InPowerLosses() {}

    InPowerLosses(UnaryOperator<ReplicationLog> log, UnaryOperator<AttributeIndex> index) {
      super(log, index);
    }

    @Override
    Options world(Options drawn) {
      return drawn.withCuts();
    }
  }

  // The list

  /** What is listed. */
  private interface ListRule {
    /** Null to list nothing; else the value of the row. */
    byte[] value(byte[] key, byte[] value);
  }

  private static Sabotage changing(ListRule rule) {
    return in(
        PlantedBug.puts(
            (family, key, value) -> family == Family.CHANGED ? rule.value(key, value) : value));
  }

  private static Sabotage in(Sabotage bug) {
    return new InIndexes(log -> bug.log(0, log), index -> index);
  }

  private static Sabotage unlistedParts() {
    Sabotage unlisted =
        PlantedBug.puts((family, key, value) -> family == Family.CHANGED ? null : value);
    return in(
        PlantedBug.log(
            (entry, durability, log) ->
                (hasIntent(entry) ? unlisted.log(0, log) : log).append(entry, durability)));
  }

  private static boolean hasIntent(RowBatch entry) {
    boolean[] found = {false};
    entry.forEach(
        (family, buffer, keyAt, keyLength, valueAt, valueLength) ->
            found[0] |=
                family == Family.META
                    && keyLength == INTENT_KEY_BYTES
                    && buffer[keyAt] == 'i'
                    && valueLength != RowBatch.DELETED);
    return found[0];
  }

  // What is noted

  /** A log whose note of the index does not tell that the index is of another state. */
  private static UnaryOperator<ReplicationLog> noting(boolean farthest, boolean listedFromFirst) {
    Sabotage notes =
        PlantedBug.puts(
            (family, key, value) -> {
              if (family == Family.META && isNote(key)) {
                BigEndian.putLong(
                    value, 0, farthest ? Long.MAX_VALUE : BigEndian.getLong(value, 0));
                BigEndian.putLong(value, 8, listedFromFirst ? 0 : BigEndian.getLong(value, 8));
              }
              return value;
            });
    return log -> notes.log(0, log);
  }

  private static boolean isNote(byte[] key) {
    return new String(key, StandardCharsets.US_ASCII).equals("reached-by-index");
  }

  // The index

  /** Tells with each answer that it knows of all changes. */
  private static final class Ahead extends SabotagedIndex {
    Ahead(AttributeIndex index) {
      super(index);
    }

    @Override
    public Candidates find(IndexClause clause, ViewSpan views, int most) {
      Candidates found = super.find(clause, views, most);
      return found == null ? null : new Candidates(found.vertices(), Long.MAX_VALUE - 1);
    }

    @Override
    public EdgeCandidates findEdges(IndexClause clause, ReadView view, int most) {
      EdgeCandidates found = super.findEdges(clause, view, most);
      return found == null ? null : new EdgeCandidates(found.edges(), Long.MAX_VALUE - 1);
    }
  }

  /** Takes ends only that lie behind what they end. */
  private static final class Endless extends SabotagedIndex {
    Endless(AttributeIndex index) {
      super(index);
    }

    @Override
    public void put(IndexedVersion version) {
      super.put(opened(version));
    }

    @Override
    public void add(IndexedVersion version) {
      super.add(opened(version));
    }

    private static IndexedVersion opened(IndexedVersion version) {
      return version.endValid() >= version.valid()
          ? version
          : new IndexedVersion(
              version.definition(),
              version.element(),
              version.valueId(),
              version.valid(),
              version.committed(),
              version.value(),
              IndexedVersion.OPEN,
              IndexedVersion.OPEN);
    }
  }

  /** Tells that it is on disk what is not yet. */
  private static final class Uncommitted extends SabotagedIndex {
    Uncommitted(AttributeIndex index) {
      super(index);
    }

    @Override
    public long committedStamp() {
      return publishedStamp();
    }
  }
}
