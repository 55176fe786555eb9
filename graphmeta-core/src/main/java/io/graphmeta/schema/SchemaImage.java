package io.graphmeta.schema;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All names with their ids at one moment. An id is never that of another name; a property key can
 * become multi-valued and then stays so. So of two images of a graph one has all that the other
 * has. Ids may be left out: a name that was never committed had them. Immutable.
 */
public final class SchemaImage {
  /** An image without names. */
  public static final SchemaImage EMPTY = new SchemaImage(List.of());

  private final List<SchemaName> entries;
  private final int changes;
  private final EnumMap<NameKind, Map<String, SchemaName>> byName = new EnumMap<>(NameKind.class);
  private final EnumMap<NameKind, List<@Nullable SchemaName>> byId = new EnumMap<>(NameKind.class);

  private SchemaImage(List<SchemaName> entries) {
    this.entries = entries;
    for (NameKind kind : NameKind.values()) {
      byName.put(kind, new HashMap<>());
      byId.put(kind, new ArrayList<>());
    }
    int multiValued = 0;
    for (SchemaName entry : entries) {
      add(entry);
      multiValued += entry.multiValued() ? 1 : 0;
    }
    this.changes = entries.size() + multiValued;
  }

  private void add(SchemaName entry) {
    NameKind kind = entry.kind();
    List<@Nullable SchemaName> ids = of(kind);
    boolean isTaken = has(kind, entry.id()) || entry.id() < 1 || entry.id() > kind.maxId();
    if (isTaken || byName(kind).put(entry.name(), entry) != null) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "Name '"
              + entry.name()
              + "' has id "
              + entry.id()
              + " among the "
              + kind.plural()
              + "; expected one from 1 to "
              + kind.maxId()
              + " that no other has, and each name once");
    }
    while (ids.size() < entry.id()) {
      ids.add(null);
    }
    ids.set(entry.id() - 1, entry);
  }

  /**
   * The image of these names.
   *
   * @throws GraphMetaException {@code CORRUPTION} if two have one id, or an id is none
   */
  public static SchemaImage of(List<SchemaName> entries) {
    return new SchemaImage(List.copyOf(entries));
  }

  /** All names. */
  public List<SchemaName> entries() {
    return entries;
  }

  /** The names of a kind, in the order of their ids. */
  public List<SchemaName> names(NameKind kind) {
    return of(kind).stream().flatMap(Stream::ofNullable).toList();
  }

  /** Number of names of a kind. */
  public int count(NameKind kind) {
    return byName(kind).size();
  }

  /** Whether another image of the same graph is newer. */
  public boolean isOlderThan(SchemaImage other) {
    return changes < other.changes;
  }

  /** The id of a name, or 0 if it is not defined. */
  public int id(NameKind kind, String name) {
    SchemaName entry = byName(kind).get(name);
    return entry == null ? 0 : entry.id();
  }

  /** True if a property key ever had several values on a vertex. */
  public boolean isMultiValued(String propertyKey) {
    SchemaName entry = byName(NameKind.PROPERTY_KEY).get(propertyKey);
    return entry != null && entry.multiValued();
  }

  /** True if this image has the id. */
  public boolean has(NameKind kind, int id) {
    return id >= 1 && id <= of(kind).size() && of(kind).get(id - 1) != null;
  }

  /**
   * The name of an id.
   *
   * @throws GraphMetaException {@code CORRUPTION} if there is none
   */
  public String name(NameKind kind, int id) {
    SchemaName entry = has(kind, id) ? of(kind).get(id - 1) : null;
    if (entry == null) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION, "Id " + id + " is in no row of the " + kind.plural());
    }
    return entry.name();
  }

  private Map<String, SchemaName> byName(NameKind kind) {
    return Objects.requireNonNull(byName.get(kind));
  }

  private List<@Nullable SchemaName> of(NameKind kind) {
    return Objects.requireNonNull(byId.get(kind));
  }
}
