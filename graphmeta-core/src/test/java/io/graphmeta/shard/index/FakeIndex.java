package io.graphmeta.shard.index;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.ValueTests;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexedVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An index that is a list of versions, each of which is looked at by each who asks. */
public final class FakeIndex implements AttributeIndex {
  /** A disk with an index, on which each commit is a state. */
  public static final class Disk implements IndexSource {
    public State committed = State.NONE;
    public int asked;
    public int opened;
    public int removed;
    public @Nullable GraphMetaException nextFailure;

    @Override
    public AttributeIndex open() {
      opened++;
      return new FakeIndex(this);
    }

    @Override
    public void remove() {
      removed++;
      committed = State.NONE;
    }

    private void mayFail() {
      GraphMetaException failure = nextFailure;
      nextFailure = null;
      if (failure != null) {
        throw failure;
      }
    }
  }

  /** What is on disk. */
  public record State(Map<Key, IndexedVersion> versions, List<IndexProgress> progress, long stamp) {
    static final State NONE = new State(Map.of(), List.of(), 0);
  }

  /** What tells versions apart. */
  record Key(long definition, long element, long valueId, long valid, long committed) {}

  private final Disk disk;
  private final Map<Key, IndexedVersion> versions;
  private Collection<IndexedVersion> published;
  private State committed;
  private long publishedStamp;
  private boolean closed;

  private FakeIndex(Disk disk) {
    this.disk = disk;
    committed = disk.committed;
    versions = new LinkedHashMap<>(committed.versions);
    published = List.copyOf(versions.values());
    publishedStamp = committed.stamp;
  }

  private void requireOpen() {
    if (closed) {
      throw new GraphMetaException(ErrorCode.CLOSED, "The index is closed");
    }
    disk.mayFail();
  }

  @Override
  public long committedStamp() {
    return committed.stamp;
  }

  @Override
  public List<IndexProgress> committedProgress() {
    return committed.progress;
  }

  @Override
  public synchronized void put(IndexedVersion version) {
    requireOpen();
    Key key =
        new Key(
            version.definition().number(),
            BigEndian.getLong(version.element(), 0),
            version.valueId(),
            version.valid(),
            version.committed());
    versions.put(key, version);
  }

  @Override
  public synchronized void drop(long definition) {
    requireOpen();
    versions.keySet().removeIf(key -> key.definition == definition);
  }

  @Override
  public synchronized void publish(long stamp) {
    requireOpen();
    if (stamp < publishedStamp) {
      throw new AssertionError("published " + stamp + " behind " + publishedStamp);
    }
    published = List.copyOf(versions.values());
    publishedStamp = stamp;
  }

  @Override
  public synchronized long publishedStamp() {
    return publishedStamp;
  }

  @Override
  public synchronized void commit(List<IndexProgress> progress) {
    requireOpen();
    committed = new State(Map.copyOf(versions), List.copyOf(progress), publishedStamp);
    disk.committed = committed;
  }

  @Override
  public synchronized @Nullable Candidates find(IndexClause clause, ViewSpan views, int most) {
    requireOpen();
    disk.asked++;
    TreeSet<Long> found = new TreeSet<>(Long::compareUnsigned);
    Found all = find(clause, views);
    found.addAll(all.passing);
    found.addAll(all.failing);
    return found.size() > most
        ? null
        : new Candidates(found.stream().mapToLong(Long::longValue).toArray(), publishedStamp);
  }

  /** Those of which a clause may be true, and those of which it is an error. */
  private record Found(Set<Long> passing, Set<Long> failing) {
    Found() {
      this(new HashSet<>(), new HashSet<>());
    }
  }

  private Found find(IndexClause clause, ViewSpan views) {
    Found found = new Found();
    if (clause instanceof IndexClause.Test test) {
      for (IndexedVersion version : published) {
        if (version.definition().equals(test.definition()) && mayCount(version, views)) {
          long element = BigEndian.getLong(version.element(), 0);
          try {
            if (ValueTests.passes(test.test(), version.value())) {
              found.passing.add(element);
            }
          } catch (GraphMetaException e) {
            found.failing.add(element);
          }
        }
      }
    } else if (clause instanceof IndexClause.And and) {
      Set<Long> passing = null;
      for (IndexClause each : and.of()) {
        Found part = find(each, views);
        for (long element : part.failing) {
          if (passing == null || passing.contains(element)) {
            found.failing.add(element);
          }
        }
        Set<Long> both = new HashSet<>(part.passing);
        both.addAll(part.failing);
        if (passing != null) {
          both.retainAll(passing);
        }
        passing = both;
      }
      found.passing.addAll(passing == null ? Set.of() : passing);
    } else {
      for (IndexClause each : ((IndexClause.Or) clause).of()) {
        Found part = find(each, views);
        found.passing.addAll(part.passing);
        found.failing.addAll(part.failing);
      }
    }
    return found;
  }

  private static boolean mayCount(IndexedVersion version, ViewSpan views) {
    return views.last().sees(version.valid(), version.committed())
        && (version.isOpen()
            || version.endValid() > views.validFrom()
            || version.endCommitted() > views.last().knownAt());
  }

  @Override
  public synchronized VersionPage versions(long definition, byte[] from, int most) {
    long first = from.length == 0 ? 0 : BigEndian.getLong(from, 0);
    List<IndexedVersion> found =
        published.stream()
            .filter(version -> version.definition().number() == definition)
            .filter(version -> Long.compareUnsigned(vertex(version), first) >= 0)
            .sorted((a, b) -> Long.compareUnsigned(vertex(a), vertex(b)))
            .toList();
    List<StoredVersion> page = new ArrayList<>();
    for (IndexedVersion version : found) {
      if (page.size() >= Math.max(1, most)
          && vertex(version) != BigEndian.getLong(page.get(page.size() - 1).element(), 0)) {
        return new VersionPage(page, version.element(), publishedStamp);
      }
      page.add(
          new StoredVersion(
              version.element(),
              version.valueId(),
              version.valid(),
              version.committed(),
              version.endValid(),
              version.endCommitted()));
    }
    return new VersionPage(page, null, publishedStamp);
  }

  private static long vertex(IndexedVersion version) {
    return BigEndian.getLong(version.element(), 0);
  }

  @Override
  public synchronized IndexSizes sizes() {
    Set<Long> definitions = new HashSet<>();
    published.forEach(version -> definitions.add(version.definition().number()));
    long current = published.stream().filter(IndexedVersion::isOpen).count();
    return new IndexSizes(current, published.size() - current, 0, definitions);
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
