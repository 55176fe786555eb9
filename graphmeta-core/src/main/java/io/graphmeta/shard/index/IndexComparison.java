package io.graphmeta.shard.index;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.AttributeIndex.StoredVersion;
import io.graphmeta.search.AttributeIndex.VersionPage;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexedVersion;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
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
 */

/**
 * Compares the index of a shard with its store, some vertices at a time. What the index holds of
 * them is read as of one moment. Safe for use by many threads.
 */
public final class IndexComparison {
  private static final int VERSIONS_IN_PAGE = 10_000;
  private static final int MOST_EXAMPLES = 5;

  private final StorageEngine storage;
  private final IndexFollower follower;
  private final LongSupplier resolvedStamp;

  /** A comparison of a store and the index that follows it. */
  public IndexComparison(
      StorageEngine storage, IndexFollower follower, LongSupplier resolvedStamp) {
    this.storage = storage;
    this.follower = follower;
    this.resolvedStamp = resolvedStamp;
  }

  /**
   * Compares some vertices.
   *
   * @param number of the index
   * @param from where to go on
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for a position that is none, and as the
   *     index and the store do
   */
  public Response.ComparedIndex compare(long number, Position from) {
    if (from.key().length != 0 && from.key().length != Long.BYTES) {
      throw GraphMetaException.invalid(
          "The comparison of an index is to go on at a key of "
              + from.key().length
              + " bytes; expected the 8 of a vertex, or none to begin");
    }
    ServedIndexes served = follower.served();
    AttributeIndex index = served.index();
    IndexDefinition definition = served.numbered(number);
    if (index == null || definition == null) {
      return notBuilt();
    }
    Response.ComparedIndex compared;
    try {
      compared = page(storage, index, definition, resolvedStamp, from.key(), VERSIONS_IN_PAGE);
    } catch (GraphMetaException e) {
      if (e.code() == ErrorCode.CLOSED && follower.served().index() != index) {
        return notBuilt();
      }
      throw e;
    }
    ServedIndexes now = follower.served();
    return now.index() == index && now.numbered(number) != null ? compared : notBuilt();
  }

  private static Response.ComparedIndex notBuilt() {
    return new Response.ComparedIndex(false, 0, 0, 0, 0, 0, List.of(), null);
  }

  /**
   * Compares the vertices from a key on.
   *
   * @param resolvedStamp asked after the index was read
   * @param from the key to begin with; empty for the first
   * @param most the number of versions behind which no other vertex is begun
   */
  static Response.ComparedIndex page(
      StorageEngine storage,
      AttributeIndex index,
      IndexDefinition definition,
      LongSupplier resolvedStamp,
      byte[] from,
      int most) {
    VersionPage held = index.versions(definition.number(), from, most);
    Page page = new Page(storage, definition, held.publishedStamp(), resolvedStamp.getAsLong());
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

  /** What tells versions of a vertex apart. */
  private record Key(long valueId, long valid, long committed) {}

  /** The comparison of some vertices. Belongs to one thread. */
  private static final class Page {
    private final StorageEngine storage;
    private final IndexDefinition definition;
    private final long published;
    private final long resolved;
    private final List<String> examples = new ArrayList<>();
    private final List<IndexedVersion> stored = new ArrayList<>();
    private long compared;
    private long missing;
    private long wider;
    private long surplus;

    Page(StorageEngine storage, IndexDefinition definition, long published, long resolved) {
      this.storage = storage;
      this.definition = definition;
      this.published = published;
      this.resolved = resolved;
    }

    /** Compares what an index holds; returns where to go on, or null at the end. */
    byte @Nullable [] compare(VersionPage held, byte[] from, int most) {
      int at = 0;
      List<StoredVersion> versions = held.versions();
      try (RowCursor vertices = storage.cursor(Family.ATTRIBUTES, Scope.FAMILY);
          VertexVersions reader = new VertexVersions(storage, resolved, stored::add)) {
        Long vertex = firstStored(vertices, from);
        for (long read = 0; at < versions.size() || isWithin(vertex, held.next()); read++) {
          if (compared + read >= most && read > 0) {
            return key(lesser(vertex, at < versions.size() ? versions.get(at) : null));
          }
          long least = lesser(vertex, at < versions.size() ? versions.get(at) : null);
          Map<Key, StoredVersion> ofIndex = new HashMap<>();
          for (; at < versions.size() && vertex(versions.get(at)) == least; at++) {
            StoredVersion version = versions.get(at);
            if (ofIndex.put(key(version), version) != null) {
              tellSurplus(version, "is there twice");
            }
          }
          stored.clear();
          if (vertex != null && vertex == least) {
            reader.read(least, List.of(definition), 0);
            vertex = least == -1 ? null : firstStored(vertices, key(least + 1));
          }
          compareVertex(ofIndex);
        }
        return held.next();
      }
    }

    /** The first vertex of the label in the store from a key on. */
    private @Nullable Long firstStored(RowCursor vertices, byte[] from) {
      long first = VertexKeys.firstOfLabel(definition.labelId());
      long asked = from.length == 0 ? 0 : BigEndian.getLong(from, 0);
      byte[] target = key(Long.compareUnsigned(asked, first) < 0 ? first : asked);
      if (!vertices.seek(target, target.length)) {
        return null;
      }
      long vertex = BigEndian.getLong(vertices.key(), 0);
      return VertexKeys.labelId(vertex) == definition.labelId() ? vertex : null;
    }

    private static boolean isWithin(@Nullable Long vertex, byte @Nullable [] end) {
      return vertex != null
          && (end == null || Long.compareUnsigned(vertex, BigEndian.getLong(end, 0)) < 0);
    }

    /** The first of what the store and the index have next, of which one is there. */
    private static long lesser(@Nullable Long stored, @Nullable StoredVersion held) {
      if (held == null) {
        return stored == null ? -1 : stored;
      }
      long indexed = vertex(held);
      return stored != null && Long.compareUnsigned(stored, indexed) < 0 ? stored : indexed;
    }

    private void compareVertex(Map<Key, StoredVersion> ofIndex) {
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
      try (VertexVersions reader =
          new VertexVersions(storage, Math.min(known, resolved), then::add)) {
        reader.read(BigEndian.getLong(version.element(), 0), List.of(definition), 0);
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
        examples.add(
            kind
                + ": a version of vertex "
                + GeneratedIds.ofVertex(BigEndian.getLong(element, 0))
                + " "
                + what);
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

    private static long vertex(StoredVersion version) {
      return BigEndian.getLong(version.element(), 0);
    }

    private static Key key(StoredVersion version) {
      return new Key(version.valueId(), version.valid(), version.committed());
    }

    private static byte[] key(long vertex) {
      byte[] key = new byte[Long.BYTES];
      BigEndian.putLong(key, 0, vertex);
      return key;
    }
  }
}
