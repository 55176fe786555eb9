package io.graphmeta.shard.index;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.ValueOrder;
import io.graphmeta.plan.ValueTests;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexedVersion;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** An index that is a list of versions, each of which is looked at by each who asks. */
public final class FakeIndex implements AttributeIndex {
  /** A disk with an index, on which each commit is a state. */
  public static final class Disk implements IndexSource {
    public State committed = State.NONE;
    public int asked;

    /** How often a part of an order was found. */
    public int ordered;

    /** How often elements or their values were counted. */
    public int counted;

    public int opened;
    public int removed;
    private @Nullable Throwable nextFailure;
    private int callsBeforeFailure;

    /** Is told of the stamp of each commit, before it. */
    LongConsumer committing = stamp -> {};

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

    /**
     * Fails once, after some more calls.
     *
     * @param failure an error or an unchecked exception; null for none
     */
    public void failAfter(int calls, @Nullable Throwable failure) {
      callsBeforeFailure = calls;
      nextFailure = failure;
    }

    private void mayFail() {
      Throwable failure = nextFailure;
      if (failure == null || callsBeforeFailure-- > 0) {
        return;
      }
      nextFailure = null;
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
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
    versions.put(key(version), version);
  }

  @Override
  public synchronized void add(IndexedVersion version) {
    requireOpen();
    if (versions.putIfAbsent(key(version), version) != null) {
      throw new AssertionError("Added, but there already: " + version);
    }
  }

  private static Key key(IndexedVersion version) {
    return new Key(
        version.definition().number(),
        Element.of(version.element()),
        version.valueId(),
        version.valid(),
        version.committed());
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
    disk.committing.accept(publishedStamp);
    committed = new State(Map.copyOf(versions), List.copyOf(progress), publishedStamp);
    disk.committed = committed;
  }

  @Override
  public synchronized @Nullable Candidates find(IndexClause clause, ViewSpan views, int most) {
    TreeSet<Element> found = all(clause, views);
    return found.size() > most ? null : new Candidates(keys(found), publishedStamp);
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

  @Override
  public synchronized @Nullable InOrder<Candidates> findInOrder(
      @Nullable IndexClause clause, OrderedPart part, ViewSpan views, int most) {
    Bounded bounded = bounded(clause, part, views);
    Candidates found = bounded == null ? null : find(bounded.clause, views, most);
    return bounded == null || found == null ? null : inOrder(found, bounded.last);
  }

  private <T> InOrder<T> inOrder(T found, @Nullable Object last) {
    disk.ordered++;
    return new InOrder<>(found, last);
  }

  @Override
  public synchronized @Nullable InOrder<EdgeCandidates> findEdgesInOrder(
      @Nullable IndexClause clause, OrderedPart part, ReadView view, int most) {
    Bounded bounded = bounded(clause, part, ViewSpan.of(view));
    EdgeCandidates found = bounded == null ? null : findEdges(bounded.clause, view, most);
    return bounded == null || found == null ? null : inOrder(found, bounded.last);
  }

  private record Bounded(IndexClause clause, @Nullable Object last) {}

  private @Nullable Bounded bounded(
      @Nullable IndexClause clause, OrderedPart part, ViewSpan views) {
    requireOpen();
    List<Object> values = new ArrayList<>();
    for (IndexedVersion version : published) {
      if (version.definition().equals(part.definition()) && mayCount(version, views)) {
        values.add(ValueTests.plain(version.value()));
      }
    }
    boolean areNumbers = values.stream().allMatch(FakeIndex::isNumber);
    boolean areDates = values.stream().allMatch(OffsetDateTime.class::isInstance);
    boolean areOfOneType = values.stream().map(Object::getClass).distinct().count() < 2;
    boolean areTexts = values.stream().allMatch(String.class::isInstance);
    if (!areNumbers && !areDates && !areTexts || part.ofOneType() && !areOfOneType) {
      return null;
    }
    values.removeIf(value -> !ValueTests.passes(part.test(null), value));
    values.sort(part.falling() ? ValueOrder.INSTANCE.reversed() : ValueOrder.INSTANCE);
    Object last = values.size() < part.about() ? null : values.get(part.about() - 1);
    List<IndexClause> all = new ArrayList<>();
    if (clause instanceof IndexClause.And and) {
      all.addAll(and.of());
    } else if (clause != null) {
      all.add(clause);
    }
    all.add(new IndexClause.Test(part.definition(), part.test(last)));
    return new Bounded(new IndexClause.And(all), last);
  }

  private static boolean isNumber(Object value) {
    return value instanceof Number number && !Double.isNaN(number.doubleValue());
  }

  @Override
  public synchronized @Nullable Candidates findExactly(
      IndexClause clause, ReadView view, int most) {
    requireOpen();
    Found all = find(clause, ViewSpan.of(view));
    if (!isWhole(view) || !all.failing.isEmpty() || all.passing.size() > most) {
      return null;
    }
    disk.counted++;
    return new Candidates(keys(new TreeSet<>(all.passing)), publishedStamp);
  }

  private boolean isWhole(ReadView view) {
    return published.stream()
        .allMatch(
            version ->
                view.sees(version.valid(), version.committed())
                    && (version.isOpen() || view.sees(version.endValid(), version.endCommitted())));
  }

  private static long[] keys(TreeSet<Element> elements) {
    return elements.stream().mapToLong(each -> BigEndian.getLong(each.key(), 0)).toArray();
  }

  @Override
  public synchronized @Nullable ValueCounts countValues(
      IndexDefinition definition,
      @Nullable IndexClause clause,
      ReadView view,
      LongFunction<long @Nullable []> without,
      int most) {
    requireOpen();
    List<IndexedVersion> open =
        published.stream()
            .filter(version -> version.definition().equals(definition) && version.isOpen())
            .toList();
    boolean areTexts =
        open.stream()
            .allMatch(version -> version.value() instanceof String && version.valueId() == 0);
    Candidates of = clause == null ? null : findExactly(clause, view, most);
    long[] uncounted = without.apply(publishedStamp);
    if (!areTexts || !isWhole(view) || clause != null && of == null || uncounted == null) {
      return null;
    }
    Set<Long> counted = new HashSet<>();
    open.forEach(version -> counted.add(BigEndian.getLong(version.element(), 0)));
    if (of != null) {
      counted.retainAll(Arrays.stream(of.vertices()).boxed().toList());
    }
    Arrays.stream(uncounted).forEach(counted::remove);
    Map<String, Long> counts = new HashMap<>();
    for (IndexedVersion version : open) {
      if (counted.contains(BigEndian.getLong(version.element(), 0))) {
        counts.merge((String) version.value(), 1L, Long::sum);
      }
    }
    disk.counted++;
    return new ValueCounts(counts, uncounted);
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
