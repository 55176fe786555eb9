package io.graphmeta.shard.index;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.ValueTests;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexedVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
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
  record Key(long definition, Element element, long valueId, long valid, long committed) {}

  /** The key of an element, in unsigned order. */
  record Element(String hex) implements Comparable<Element> {
    static Element of(byte[] key) {
      return new Element(HexFormat.of().formatHex(key));
    }

    byte[] key() {
      return HexFormat.of().parseHex(hex);
    }

    @Override
    public int compareTo(Element other) {
      return hex.compareTo(other.hex);
    }
  }

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
            Element.of(version.element()),
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
  public synchronized void remove(long definition, byte[] keyPrefix) {
    requireOpen();
    String prefix = Element.of(keyPrefix).hex;
    versions
        .keySet()
        .removeIf(key -> key.definition == definition && key.element.hex.startsWith(prefix));
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
    TreeSet<Element> found = all(clause, views);
    return found.size() > most
        ? null
        : new Candidates(
            found.stream().mapToLong(each -> BigEndian.getLong(each.key(), 0)).toArray(),
            publishedStamp);
  }

  @Override
  public synchronized @Nullable EdgeCandidates findEdges(
      IndexClause clause, ReadView view, int most) {
    TreeSet<Element> found = all(clause, ViewSpan.of(view));
    return found.size() > most
        ? null
        : new EdgeCandidates(
            found.stream().map(Element::key).toArray(byte[][]::new), publishedStamp);
  }

  private TreeSet<Element> all(IndexClause clause, ViewSpan views) {
    requireOpen();
    disk.asked++;
    Found all = find(clause, views);
    TreeSet<Element> found = new TreeSet<>(all.passing);
    found.addAll(all.failing);
    return found;
  }

  /** Those of which a clause may be true, and those of which it is an error. */
  private record Found(Set<Element> passing, Set<Element> failing) {
    Found() {
      this(new HashSet<>(), new HashSet<>());
    }
  }

  private Found find(IndexClause clause, ViewSpan views) {
    Found found = new Found();
    if (clause instanceof IndexClause.Test test) {
      for (IndexedVersion version : published) {
        if (version.definition().equals(test.definition()) && mayCount(version, views)) {
          Element element = Element.of(version.element());
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
      Set<Element> passing = null;
      for (IndexClause each : and.of()) {
        Found part = find(each, views);
        for (Element element : part.failing) {
          if (passing == null || passing.contains(element)) {
            found.failing.add(element);
          }
        }
        Set<Element> both = new HashSet<>(part.passing);
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
    List<IndexedVersion> found =
        published.stream()
            .filter(version -> version.definition().number() == definition)
            .filter(version -> Arrays.compareUnsigned(version.element(), from) >= 0)
            .sorted(Comparator.comparing(IndexedVersion::element, Arrays::compareUnsigned))
            .toList();
    List<StoredVersion> page = new ArrayList<>();
    for (IndexedVersion version : found) {
      if (page.size() >= Math.max(1, most)
          && !Arrays.equals(version.element(), page.get(page.size() - 1).element())) {
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
