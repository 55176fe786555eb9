package io.graphmeta.tx;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names that a transaction writes with. One that is new has its id from its first use on, since
 * keys are made of it, but is defined only when the transaction commits, before its rows are sent;
 * so a transaction that is rolled back leaves no name. If another client has defined the name with
 * another id meanwhile, or the id for another name, the transaction is refused and can be run
 * again. Belongs to the thread of its transaction.
 */
final class TransactionNames {
  private static final int MAX_NEW_NAMES = 1000;

  private final Router router;
  private final Map<Name, Integer> fresh = new HashMap<>();
  private final Map<Id, String> byId = new HashMap<>();
  private final Set<String> multiValued = new LinkedHashSet<>();
  private final Set<Name> used = new LinkedHashSet<>();

  private record Name(NameKind kind, String name) {}

  private record Id(NameKind kind, int id) {}

  TransactionNames(Router router) {
    this.router = router;
  }

  /** The id of a name, of its own if it is new. Never 0. */
  int id(NameKind kind, String name) {
    Integer own = fresh.isEmpty() ? null : fresh.get(new Name(kind, name));
    int id = own != null ? own : router.schema().id(kind, name);
    return id != 0 ? id : newId(kind, name);
  }

  private int newId(NameKind kind, String name) {
    kind.check(name);
    if (fresh.size() >= MAX_NEW_NAMES) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "'"
              + name
              + "' would be one more than the limit of "
              + MAX_NEW_NAMES
              + " new labels and property keys in one transaction; commit in smaller transactions,"
              + " or put what differs from element to element into values");
    }
    int id = router.newNameId(kind, name);
    fresh.put(new Name(kind, name), id);
    byId.put(new Id(kind, id), name);
    return id;
  }

  /** As {@link #id}, for a name that is written: it will be defined. */
  int write(NameKind kind, String name) {
    int id = id(kind, name);
    if (!fresh.isEmpty()) {
      used.add(new Name(kind, name));
    }
    return id;
  }

  private @Nullable String nameOfNew(NameKind kind, int id) {
    return byId.isEmpty() ? null : byId.get(new Id(kind, id));
  }

  /** The label of a vertex, which its key tells. */
  String vertexLabel(long vertex) {
    int id = VertexKeys.labelId(vertex);
    String fresh = nameOfNew(NameKind.VERTEX_LABEL, id);
    return fresh != null
        ? fresh
        : router.schemaWith(NameKind.VERTEX_LABEL, id).name(NameKind.VERTEX_LABEL, id);
  }

  /** Lets a property key have several values on one vertex. */
  void becomesMultiValued(String propertyKey) {
    if (!router.schema().isMultiValued(propertyKey)) {
      multiValued.add(propertyKey);
    }
  }

  /** True if a property key ever had several values on a vertex. */
  boolean isMultiValued(String propertyKey) {
    return multiValued.contains(propertyKey) || router.schema().isMultiValued(propertyKey);
  }

  /**
   * Defines what is new of the names that are written.
   *
   * @throws GraphMetaException {@code CONFLICT} if another client was first; {@code LIMIT_EXCEEDED}
   *     if there are too many names
   */
  void define() {
    List<SchemaName> names = new ArrayList<>();
    for (Name name : used) {
      Integer id = fresh.get(name);
      boolean several = name.kind() == NameKind.PROPERTY_KEY && multiValued.contains(name.name());
      if (id != null && !(isDefined(name, id) && (!several || isDefinedMultiValued(name)))) {
        names.add(new SchemaName(name.kind(), id, name.name(), several));
      }
    }
    for (String key : multiValued) {
      Name name = new Name(NameKind.PROPERTY_KEY, key);
      int id = router.schema().id(NameKind.PROPERTY_KEY, key);
      if (id != 0 && !fresh.containsKey(name) && !isDefinedMultiValued(name)) {
        names.add(new SchemaName(NameKind.PROPERTY_KEY, id, key, true));
      }
    }
    if (!names.isEmpty()) {
      router.define(SchemaImage.of(names));
    }
  }

  private boolean isDefined(Name name, int id) {
    return router.schema().id(name.kind(), name.name()) == id;
  }

  private boolean isDefinedMultiValued(Name name) {
    return router.schema().isMultiValued(name.name());
  }
}
