package io.graphmeta.shard.index;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.AttributeIndex.StoredVersion;
import io.graphmeta.search.AttributeIndex.VersionPage;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexedVersion;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/*
 * What a difference is
 *
 * An index that was published with the stamp P holds all versions committed at or below P, and
 * perhaps some above it. All that it holds was read at stamps that were resolved by then. So the
 * store is read at a resolved stamp R that is taken after the index was read: it has each version
 * that the index has, and the index has each that it has up to P.
 *
 * A version (v, c) of the index that ends with (v', c') is not found in views from there on. That is
 * right if another statement hides it in all of them: one behind it, with a valid stamp up to v' and
 * a committed stamp up to the greater of c and c', since views before c do not see the version. Of
 * the statements committed up to there the next one has the least valid stamp. So the vertex is read
 * at that stamp, and the next statement compared.
 *
 * The version is found too often if its next statement at R is another one. If that was committed
 * above P the index may not have taken it in yet.
 *
 * Which edges belong here changes with splits. One that came here or went away above P the index may
 * have taken in or not, so edges are compared that belong here at both stamps, or at neither, when
 * none of their versions may be in the index.
 */

/**
 * Compares the index of a shard with its store, some elements at a time. What the index holds of
 * them is read as of one moment. Safe for use by many threads.
 */
public final class IndexComparison {
  private static final int VERSIONS_IN_PAGE = 10_000;
  private static final int STEPS_IN_PAGE = 100_000;
  private static final int MOST_EXAMPLES = 5;

  private final StorageEngine storage;
  private final SplitTable splits;
  private final IndexFollower follower;
  private final LongSupplier resolvedStamp;

  /** A comparison of a store and the index that follows it. */
  public IndexComparison(
      StorageEngine storage,
      SplitTable splits,
      IndexFollower follower,
      LongSupplier resolvedStamp) {
    this.storage = storage;
    this.splits = splits;
    this.follower = follower;
    this.resolvedStamp = resolvedStamp;
  }

  /**
   * Compares some elements.
   *
   * @param number of the index
   * @param from where to go on
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for a position that is none, and as the
   *     index and the store do
   */
  public Response.ComparedIndex compare(long number, Position from) {
    ServedIndexes served = follower.served();
    AttributeIndex index = served.index();
    IndexDefinition definition = served.numbered(number);
    if (index == null || definition == null) {
      return notBuilt();
    }
    requireKey(definition, from.key());
    Response.ComparedIndex compared;
    try {
      compared =
          page(storage, splits, index, definition, resolvedStamp, from.key(), VERSIONS_IN_PAGE);
    } catch (GraphMetaException e) {
      if (e.code() == ErrorCode.CLOSED && follower.served().index() != index) {
        return notBuilt();
      }
      throw e;
    }
    ServedIndexes now = follower.served();
    return now.index() == index && now.numbered(number) != null ? compared : notBuilt();
  }

  private static void requireKey(IndexDefinition definition, byte[] key) {
    boolean ofEdges = definition.element() == ElementKind.EDGE;
    // Where edges are looked for, a page can end on the way to one.
    boolean isKey = ofEdges ? key.length <= RowKeys.EDGE_KEY_BYTES : key.length == Long.BYTES;
    if (key.length != 0 && !isKey) {
      throw GraphMetaException.invalid(
          "The comparison of index "
              + definition.name()
              + " is to go on at a key of "
              + key.length
              + " bytes; expected "
              + (ofEdges ? "those of an edge, 23 or less" : "the 8 of a vertex")
              + ", or none to begin");
    }
  }

  private static Response.ComparedIndex notBuilt() {
    return new Response.ComparedIndex(false, 0, 0, 0, 0, 0, List.of(), null);
  }

  /**
   * Compares the elements from a key on.
   *
   * @param resolvedStamp asked after the index was read
   * @param from the key to begin with; empty for the first
   * @param most the number of versions behind which no other element is begun
   */
  static Response.ComparedIndex page(
      StorageEngine storage,
      SplitTable splits,
      AttributeIndex index,
      IndexDefinition definition,
      LongSupplier resolvedStamp,
      byte[] from,
      int most) {
    VersionPage held = index.versions(definition.number(), from, most);
    Page page =
        new Page(storage, splits, definition, held.publishedStamp(), resolvedStamp.getAsLong());
    byte[] next = page.compare(held, from, most);
    return new Response.ComparedIndex(
        true,
        held.publishedStamp(),
        page.compared,
        page.missing,
        page.wider,
        page.surplus,
        page.examples,
        next == null ? null : new Position(0, next));
  }

  /** What tells versions of an element apart. */
  private record Key(long valueId, long valid, long committed) {}

  /** The comparison of some elements. Belongs to one thread. */
  private static final class Page {
    private final StorageEngine storage;
    private final SplitTable splits;
    private final IndexDefinition definition;
    private final long published;
    private final long resolved;
    private final List<String> examples = new ArrayList<>();
    private final List<IndexedVersion> stored = new ArrayList<>();
    private long compared;
    private long missing;
    private long wider;
    private long surplus;

    Page(
        StorageEngine storage,
        SplitTable splits,
        IndexDefinition definition,
        long published,
        long resolved) {
      this.storage = storage;
      this.splits = splits;
      this.definition = definition;
      this.published = published;
      this.resolved = resolved;
    }

    /** Compares what an index holds; returns where to go on, or null at the end. */
    byte @Nullable [] compare(VersionPage held, byte[] from, int most) {
      List<StoredVersion> versions = held.versions();
      int at = 0;
      long begun = 0;
      try (ElementWalk walk = new ElementWalk(storage, splits, resolved, definition.label());
          ElementVersions reader =
              new ElementVersions(storage, definition.element(), resolved, stored::add)) {
        byte[] place = walk.step(from);
        for (int steps = 0; ; steps++) {
          byte[] indexed = at < versions.size() ? versions.get(at).element() : null;
          byte[] least = least(isWithin(place, held.next()) ? place : null, indexed);
          if (least == null) {
            return held.next();
          }
          if (begun > 0 && compared + begun >= most || steps == STEPS_IN_PAGE) {
            return least;
          }
          boolean isPlace = Arrays.equals(least, place);
          if (isPlace && !walk.isAtElement()) {
            place = walk.step(least);
            continue;
          }
          Map<Key, StoredVersion> ofIndex = new HashMap<>();
          for (; at < versions.size() && Arrays.equals(versions.get(at).element(), least); at++) {
            StoredVersion version = versions.get(at);
            if (ofIndex.put(key(version), version) != null) {
              tellSurplus(version, "is there twice");
            }
          }
          stored.clear();
          if (isPlace) {
            reader.read(least, List.of(definition), 0);
            byte[] after = ElementWalk.after(least);
            place = after == null ? null : walk.step(after);
          }
          begun++;
          if (!hasMoved(least)) {
            compareElement(ofIndex);
          }
        }
      }
    }

    private static boolean isWithin(byte @Nullable [] place, byte @Nullable [] end) {
      return place != null && (end == null || Arrays.compareUnsigned(place, end) < 0);
    }

    private static byte @Nullable [] least(byte @Nullable [] one, byte @Nullable [] other) {
      if (one == null || other == null) {
        return one == null ? other : one;
      }
      return Arrays.compareUnsigned(one, other) <= 0 ? one : other;
    }

    /** Whether an edge has come here, or gone away, since the index was published. */
    private boolean hasMoved(byte[] element) {
      if (definition.element() == ElementKind.VERTEX) {
        return false;
      }
      long out = BigEndian.getLong(element, 0);
      long in = BigEndian.getLong(element, RowKeys.OTHER_AT);
      return splits.isHere(out, true, in, published) != splits.isHere(out, true, in, resolved);
    }

    private void compareElement(Map<Key, StoredVersion> ofIndex) {
      for (IndexedVersion version : List.copyOf(stored)) {
        compared++;
        StoredVersion held =
            ofIndex.remove(new Key(version.valueId(), version.valid(), version.committed()));
        if (held != null) {
          compareEnds(version, held);
        } else if (version.committed() <= published) {
          missing++;
          tell("missing", version.element(), "from " + range(version) + " is not in the index");
        }
      }
      for (StoredVersion version : ofIndex.values()) {
        compared++;
        tellSurplus(version, "is not in the store");
      }
    }

    private void compareEnds(IndexedVersion version, StoredVersion held) {
      if (held.endValid() == version.endValid() && held.endCommitted() == version.endCommitted()) {
        return;
      }
      if (held.endValid() != IndexedVersion.OPEN && !isHidden(version, held)) {
        missing++;
        tell(
            "missing",
            version.element(),
            "from " + range(version) + " ends in the index with " + end(held));
      } else if (!version.isOpen() && version.endCommitted() <= published) {
        wider++;
        tell(
            "wider",
            version.element(),
            "from " + range(version) + " ends in the index with " + end(held));
      }
    }

    /** Whether another statement hides a version in all views from its end in the index on. */
    private boolean isHidden(IndexedVersion version, StoredVersion held) {
      long known = Math.max(version.committed(), held.endCommitted());
      List<IndexedVersion> then = new ArrayList<>();
      try (ElementVersions reader =
          new ElementVersions(
              storage, definition.element(), Math.min(known, resolved), then::add)) {
        reader.read(version.element(), List.of(definition), 0);
      }
      return then.stream()
          .anyMatch(
              each ->
                  each.valueId() == version.valueId()
                      && each.valid() == version.valid()
                      && each.committed() == version.committed()
                      && each.endValid() <= held.endValid());
    }

    private void tellSurplus(StoredVersion version, String what) {
      surplus++;
      tell(
          "surplus",
          version.element(),
          "from " + stamps(version.valid(), version.committed()) + " " + what);
    }

    private void tell(String kind, byte[] element, String what) {
      if (examples.size() < MOST_EXAMPLES) {
        String of =
            definition.element() == ElementKind.VERTEX
                ? "vertex " + GeneratedIds.ofVertex(BigEndian.getLong(element, 0))
                : "edge " + GeneratedIds.ofEdge(RowKeys.edgeKey(element, 0));
        examples.add(kind + ": a version of " + of + " " + what);
      }
    }

    private static String range(IndexedVersion version) {
      String from = stamps(version.valid(), version.committed());
      return version.isOpen()
          ? from + " on"
          : from + " to " + stamps(version.endValid(), version.endCommitted());
    }

    private static String end(StoredVersion held) {
      return held.endValid() == IndexedVersion.OPEN
          ? "nothing"
          : stamps(held.endValid(), held.endCommitted());
    }

    private static String stamps(long valid, long committed) {
      return valid == committed
          ? Stamp.format(valid)
          : Stamp.format(valid) + " (learned " + Stamp.format(committed) + ")";
    }

    private static Key key(StoredVersion version) {
      return new Key(version.valueId(), version.valid(), version.committed());
    }
  }
}
