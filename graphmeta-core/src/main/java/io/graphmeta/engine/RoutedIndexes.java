package io.graphmeta.engine;

import static java.util.stream.Collectors.joining;

import io.graphmeta.codec.IndexRows;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.protocol.IndexState;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.Scope;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.router.CommitPart;
import io.graphmeta.router.CommitResult;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.search.ElementLabel;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.MissingIndexes;
import io.graphmeta.storage.Family;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes of the graph behind a router. A definition is a row on every shard, and a change of
 * it a transaction with a part on each, which conflicts with other changes of the same name on the
 * shard that the definitions are read from. So a change rests on what it has read, and of two that
 * create one index the second finds that of the first. Safe for use by many threads.
 */
final class RoutedIndexes implements Indexes {
  private static final Logger LOG = LoggerFactory.getLogger(RoutedIndexes.class);
  private static final int MAX_ATTEMPTS = 16;
  private static final long FIRST_PAUSE_MICROS = 100;
  private static final long MAX_PAUSE_MICROS = 50_000;
  private static final int ASKED_SHARD = 0;
  private static final long[] NO_SCOPES = {};

  private final Router router;
  private final Runnable requireOpen;

  /**
   * @param requireOpen fails once the database is closed
   */
  RoutedIndexes(Router router, Runnable requireOpen) {
    this.router = router;
    this.requireOpen = requireOpen;
  }

  @Override
  public IndexStatus create(String name, @Nullable ElementKind element, Set<IndexKind> kinds) {
    requireOpen.run();
    requireKinds(kinds);
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      pauseBefore(attempt);
      long snapshot = router.snapshot();
      List<IndexDefinition> known = definitions();
      IndexDefinition existing = find(known, name);
      if (existing != null) {
        throw exists(existing);
      }
      if (known.size() >= MOST) {
        throw new GraphMetaException(
            ErrorCode.LIMIT_EXCEEDED,
            "There are " + known.size() + " indexes, and may be no more; drop one first");
      }
      IndexName parsed = IndexName.parse(name, element, router.schema());
      List<SchemaName> fresh = new ArrayList<>();
      int labelId = id(labelKind(parsed.element()), parsed.label(), fresh);
      int keyId =
          parsed.isOfIds() ? IndexDefinition.ID : id(NameKind.PROPERTY_KEY, parsed.key(), fresh);
      if (!define(fresh)) {
        continue;
      }
      byte[] row = IndexRows.value(parsed.element(), labelId, keyId, kinds);
      Long number = commit(name, row, snapshot);
      if (number != null) {
        return new IndexStatus(
            new IndexDefinition(number, name, parsed.element(), labelId, keyId, kinds),
            parsed.label(),
            parsed.key(),
            fresh.stream().map(SchemaName::name).toList(),
            List.of());
      }
    }
    throw conflict(name);
  }

  private static NameKind labelKind(ElementKind element) {
    return element == ElementKind.VERTEX ? NameKind.VERTEX_LABEL : NameKind.EDGE_LABEL;
  }

  /** Who was first with the name is done before long. */
  private void pauseBefore(int attempt) {
    if (attempt > 0) {
      router.pause(Math.min(MAX_PAUSE_MICROS, FIRST_PAUSE_MICROS << attempt));
    }
  }

  private static void requireKinds(Set<IndexKind> kinds) {
    if (kinds.isEmpty()) {
      throw GraphMetaException.invalid(
          "An index of no kind cannot be asked; expected one or more of "
              + Arrays.stream(IndexKind.values()).map(IndexKind::text).collect(joining(", ")));
    }
  }

  private static GraphMetaException exists(IndexDefinition existing) {
    return new GraphMetaException(
        ErrorCode.ALREADY_EXISTS,
        "Index '"
            + existing.name()
            + "' is there since "
            + Stamp.format(existing.number())
            + ", of the kinds "
            + existing.kinds().stream().sorted().map(IndexKind::text).collect(joining(","))
            + "; rebuild it to build it anew, or drop it first to create it with other kinds");
  }

  /** The id of a name, which is to be defined if it is not. */
  private int id(NameKind kind, String name, List<SchemaName> fresh) {
    int known = router.schema().id(kind, name);
    if (known != 0) {
      return known;
    }
    kind.check(name);
    int id = router.newNameId(kind, name);
    fresh.add(new SchemaName(kind, id, name, false));
    return id;
  }

  /** Defines new names; false if another client was first with one of them. */
  private boolean define(List<SchemaName> fresh) {
    try {
      if (!fresh.isEmpty()) {
        router.define(SchemaImage.of(fresh));
      }
      return true;
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.CONFLICT) {
        throw e;
      }
      return false;
    }
  }

  @Override
  public IndexStatus drop(String name) {
    return change(name, true);
  }

  @Override
  public IndexStatus rebuild(String name) {
    return change(name, false);
  }

  /** A row with a later stamp stands for a new index, in place of the one before it. */
  private IndexStatus change(String name, boolean drop) {
    requireOpen.run();
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      pauseBefore(attempt);
      long snapshot = router.snapshot();
      List<IndexDefinition> known = definitions();
      IndexDefinition existing = find(known, name);
      if (existing == null) {
        throw notFound(name, known);
      }
      byte[] row =
          drop
              ? IndexRows.tombstone()
              : IndexRows.value(
                  existing.element(), existing.labelId(), existing.keyId(), existing.kinds());
      Long number = commit(name, row, snapshot);
      if (number != null) {
        return status(drop ? existing : renumbered(existing, number), List.of());
      }
    }
    throw conflict(name);
  }

  private static IndexDefinition renumbered(IndexDefinition definition, long number) {
    return new IndexDefinition(
        number,
        definition.name(),
        definition.element(),
        definition.labelId(),
        definition.keyId(),
        definition.kinds());
  }

  private static GraphMetaException notFound(String name, List<IndexDefinition> known) {
    String there =
        known.isEmpty()
            ? "there is none; create it first"
            : "expected one of "
                + known.stream().map(IndexDefinition::name).sorted().collect(joining(", "));
    return new GraphMetaException(
        ErrorCode.NOT_FOUND, "There is no index '" + name + "'; " + there);
  }

  private static GraphMetaException conflict(String name) {
    return new GraphMetaException(
        ErrorCode.CONFLICT,
        "Other clients changed the index '"
            + name
            + "' "
            + MAX_ATTEMPTS
            + " times meanwhile; list the indexes, and try again");
  }

  private List<IndexDefinition> definitions() {
    return router.readIndexes(ASKED_SHARD).states().stream().map(IndexState::definition).toList();
  }

  private static @Nullable IndexDefinition find(List<IndexDefinition> known, String name) {
    return known.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
  }

  /**
   * Commits a row of a definition on all shards.
   *
   * @param snapshot at and below which all changes of the definition were read
   * @return the stamp; null if there are others since
   */
  private @Nullable Long commit(String name, byte[] row, long snapshot) {
    byte[] slot = IndexRows.slot(name);
    long[] scope = {Scope.index(name).hash()};
    List<CommitPart> parts =
        IntStream.range(0, router.shards())
            .mapToObj(
                shard -> {
                  StagedRows rows = new StagedRows(slot.length + row.length + 32);
                  rows.add(Family.META, slot, Stamp.AT_COMMIT, row, row.length);
                  long[] scopes = shard == ASKED_SHARD ? scope : NO_SCOPES;
                  return new CommitPart(shard, rows, scopes, scopes);
                })
            .toList();
    if (!(router.commit(parts, snapshot) instanceof CommitResult.Committed committed)) {
      return null;
    }
    learn();
    return committed.stamp();
  }

  /** Lets the next query of this client know of what was committed. */
  private void learn() {
    try {
      router.snapshot(); // shards tell what they have resolved
      router.readIndexes(ASKED_SHARD);
    } catch (GraphMetaException e) {
      LOG.debug("An index was changed, and cannot be read yet", e);
    }
  }

  @Override
  public List<IndexStatus> list() {
    requireOpen.run();
    long snapshot = router.snapshot();
    List<IndexDefinition> known = definitions();
    List<List<IndexStatus.OnShard>> onShards = new ArrayList<>();
    known.forEach(each -> onShards.add(new ArrayList<>()));
    for (int shard = 0; shard < router.shards() && !known.isEmpty(); shard++) {
      Told told = told(shard);
      for (int i = 0; i < known.size(); i++) {
        onShards.get(i).add(told.of(known.get(i), snapshot));
      }
    }
    return IntStream.range(0, known.size())
        .mapToObj(i -> status(known.get(i), onShards.get(i)))
        .sorted(Comparator.comparing(each -> each.definition().name()))
        .toList();
  }

  @Override
  public List<IndexCheck> check(@Nullable String name, LongConsumer progress) {
    requireOpen.run();
    router.snapshot(); // what was committed before is known
    List<IndexDefinition> known = definitions();
    if (name != null && find(known, name) == null) {
      throw notFound(name, known);
    }
    IndexComparisons comparisons = new IndexComparisons(router, progress);
    return known.stream()
        .filter(each -> name == null || each.name().equals(name))
        .sorted(Comparator.comparing(IndexDefinition::name))
        .map(comparisons::of)
        .toList();
  }

  @Override
  public @Nullable IndexClause asked(ElementKind element, String label, Condition where) {
    int labelId = router.schema().id(labelKind(element), label);
    return labelId == 0 ? null : router.indexClause(new ElementLabel(element, labelId), where);
  }

  @Override
  public List<LabelAccess> access(ElementKind element, Collection<String> labels, Condition where) {
    if (element == ElementKind.EDGE) {
      return edgeAccess(labels, where);
    }
    SchemaImage schema = router.schema();
    Stream<String> read =
        labels.isEmpty()
            ? schema.names(NameKind.VERTEX_LABEL).stream()
                .map(SchemaName::name)
                .filter(label -> !GeneratedIds.isReserved(label))
            : labels.stream()
                .filter(label -> schema.id(NameKind.VERTEX_LABEL, label) != 0)
                .sorted(Comparator.comparing(label -> schema.id(NameKind.VERTEX_LABEL, label)));
    return read.map(label -> new LabelAccess(label, asked(element, label, where))).toList();
  }

  /**
   * One scan reads the edges of all labels, so that indexes are asked for all labels or for none.
   */
  private List<LabelAccess> edgeAccess(Collection<String> labels, Condition where) {
    SchemaImage schema = router.schema();
    List<String> read =
        labels.isEmpty()
            ? schema.names(NameKind.EDGE_LABEL).stream().map(SchemaName::name).toList()
            : labels.stream().filter(label -> schema.id(NameKind.EDGE_LABEL, label) != 0).toList();
    List<LabelAccess> access =
        read.stream()
            .map(label -> new LabelAccess(label, asked(ElementKind.EDGE, label, where)))
            .toList();
    return access.stream().allMatch(each -> each.asked() != null)
        ? access
        : read.stream().map(label -> new LabelAccess(label, null)).toList();
  }

  @Override
  public List<String> commandsFor(ElementKind element, String label, Condition where) {
    List<MissingIndexes.Missing> missing =
        asked(element, label, where) == null ? MissingIndexes.of(where) : List.of();
    if (missing.isEmpty()) {
      return List.of();
    }
    List<IndexDefinition> known = definitions();
    if (asked(element, label, where) != null) {
      return List.of(); // another client has created it
    }
    List<String> commands = new ArrayList<>();
    for (MissingIndexes.Missing each : missing) {
      String command = command(known, new IndexName(element, label, each.key()), each.kinds());
      if (command == null) {
        return List.of();
      }
      commands.add(command);
    }
    return commands;
  }

  /** The command that makes an index; null if there is one over other elements with its name. */
  private @Nullable String command(
      List<IndexDefinition> known, IndexName index, Set<IndexKind> missing) {
    Set<IndexKind> kinds = EnumSet.copyOf(missing);
    IndexDefinition there = find(known, index.text());
    if (there != null && there.element() != index.element()) {
      return null;
    }
    if (there != null) {
      kinds.addAll(there.kinds());
    }
    String name = index.inCommand();
    boolean isOfEdges = index.element() == ElementKind.EDGE;
    NameKind other = isOfEdges ? NameKind.VERTEX_LABEL : NameKind.EDGE_LABEL;
    boolean isOfBoth = router.schema().id(other, index.label()) != 0;
    return (there == null ? "" : "graphmeta index drop " + name + " && ")
        + "graphmeta index create "
        + name
        + " --kind "
        + kinds.stream().map(IndexKind::text).collect(joining(","))
        + (isOfBoth ? (isOfEdges ? " --element edge" : " --element vertex") : "");
  }

  @Override
  public List<LabelSearch> searches(
      String query, Collection<String> labels, Collection<String> in) {
    requireOpen.run();
    List<IndexStatus> defined =
        definitions().stream()
            .filter(each -> each.element() == ElementKind.VERTEX)
            .map(each -> status(each, List.of()))
            .toList();
    SchemaImage schema = router.schema();
    return new LabelSearches(
            defined, (label, where) -> asked(ElementKind.VERTEX, label, where) != null)
        .of(query, labels, in).stream()
            .sorted(Comparator.comparing(each -> schema.id(NameKind.VERTEX_LABEL, each.label())))
            .toList();
  }

  /** What a shard tells of its indexes, or why it does not. */
  private record Told(int shard, Response.@Nullable Indexes answer, String away) {
    IndexStatus.OnShard of(IndexDefinition definition, long snapshot) {
      if (answer == null) {
        return new IndexStatus.OnShard(shard, false, 0, 0, 0, "", away);
      }
      for (IndexState state : answer.states()) {
        if (state.definition().number() == definition.number()) {
          long behind = Stamp.micros(snapshot) - Stamp.micros(state.reachedStamp());
          return new IndexStatus.OnShard(
              shard,
              state.built(),
              state.elements(),
              state.built() ? Math.max(0, behind / 1000) : 0,
              state.bytesOnDisk(),
              answer.fault(),
              "");
        }
      }
      return new IndexStatus.OnShard(shard, false, 0, 0, 0, answer.fault(), "");
    }
  }

  private Told told(int shard) {
    try {
      return new Told(shard, router.readIndexes(shard), "");
    } catch (GraphMetaException e) {
      if (!e.code().isAway() && e.code() != ErrorCode.TIMEOUT) {
        throw e;
      }
      return new Told(shard, null, String.valueOf(e.getMessage()));
    }
  }

  private IndexStatus status(IndexDefinition definition, List<IndexStatus.OnShard> shards) {
    NameKind kind = labelKind(definition.element());
    SchemaImage schema = router.schemaWith(kind, definition.labelId());
    String label = schema.name(kind, definition.labelId());
    String key =
        definition.keyId() == IndexDefinition.ID
            ? IndexName.ID
            : router
                .schemaWith(NameKind.PROPERTY_KEY, definition.keyId())
                .name(NameKind.PROPERTY_KEY, definition.keyId());
    return new IndexStatus(definition, label, key, List.of(), shards);
  }
}
