package io.graphmeta.schema;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * All names with their ids at one moment. Ids are given in order from 1 on and never change; a
 * property key can become multi-valued and then stays so. Immutable.
 */
public final class SchemaImage {
  /** An image without names. */
  public static final SchemaImage EMPTY = new SchemaImage(List.of());

  private final List<SchemaName> entries;
  private final EnumMap<NameKind, Map<String, SchemaName>> byName = new EnumMap<>(NameKind.class);
  private final EnumMap<NameKind, List<SchemaName>> byId = new EnumMap<>(NameKind.class);

  private SchemaImage(List<SchemaName> entries) {
    this.entries = entries;
    for (NameKind kind : NameKind.values()) {
      byName.put(kind, new HashMap<>());
      byId.put(kind, new ArrayList<>());
    }
    for (SchemaName entry : entries) {
      List<SchemaName> ids = of(entry.kind());
      if (entry.id() != ids.size() + 1) {
        throw new GraphMetaException(
            ErrorCode.CORRUPTION,
            "Schema name '"
                + entry.name()
                + "' has id "
                + entry.id()
                + ", expected "
                + (ids.size() + 1));
      }
      ids.add(entry);
      names(entry.kind()).put(entry.name(), entry);
    }
  }

  /** The image of these names, which come in the order of their ids within each kind. */
  public static SchemaImage of(List<SchemaName> entries) {
    return new SchemaImage(List.copyOf(entries));
  }

  /** All names, in the order in which they were defined within each kind. */
  public List<SchemaName> entries() {
    return entries;
  }

  /** The names of a kind, in the order of their ids. */
  public List<SchemaName> names(NameKind kind, int fromId) {
    List<SchemaName> all = of(kind);
    return Collections.unmodifiableList(all.subList(Math.min(fromId - 1, all.size()), all.size()));
  }

  /** The id of a name, or 0 if it is not defined. */
  public int id(NameKind kind, String name) {
    SchemaName entry = names(kind).get(name);
    return entry == null ? 0 : entry.id();
  }

  /** True if a property key ever had several values on a vertex. */
  public boolean isMultiValued(String propertyKey) {
    SchemaName entry = names(NameKind.PROPERTY_KEY).get(propertyKey);
    return entry != null && entry.multiValued();
  }

  /** True if this image has the id. */
  public boolean has(NameKind kind, int id) {
    return id >= 1 && id <= of(kind).size();
  }

  /**
   * The name of an id.
   *
   * @throws GraphMetaException {@code CORRUPTION} if there is none
   */
  public String name(NameKind kind, int id) {
    if (!has(kind, id)) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION, "Id " + id + " is in no row of the " + kind.plural());
    }
    return of(kind).get(id - 1).name();
  }

  private Map<String, SchemaName> names(NameKind kind) {
    return Objects.requireNonNull(byName.get(kind));
  }

  private List<SchemaName> of(NameKind kind) {
    return Objects.requireNonNull(byId.get(kind));
  }
}
