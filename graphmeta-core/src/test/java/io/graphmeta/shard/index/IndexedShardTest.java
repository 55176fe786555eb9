package io.graphmeta.shard.index;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.IndexRows;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.plan.ValueTests;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.IndexState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.shard.LoneShard;
import io.graphmeta.shard.Shard;
import io.graphmeta.shard.ShardSettings;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.Stamp;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A shard with indexes finds the vertices and edges that one without finds: at each view of a
 * random history, with live writes, values learned of later, deletions, lists, parts of
 * transactions that are undone, indexes that are defined and dropped, a follower that lags, an
 * index that fails, and stores and indexes that are taken back to earlier states. {@code
 * -Dgraphmeta.index-runs=N} plays N runs, {@code -Dgraphmeta.seed=S} one of them again.
 */
class IndexedShardTest {
  private static final int RUNS = Integer.getInteger("graphmeta.index-runs", 150);
  private static final int STEPS = 250;
  private static final int FIRST_INDEXES = 8;
  private static final int VERTICES = 12;
  private static final byte[] NOTE = "reached-by-index".getBytes(StandardCharsets.US_ASCII);
  private static final int NAME = 1;
  private static final int SIZE = 2;
  private static final int TAGS = 3;
  private static final int OTHER = 4;
  private static final PlanNames NAMES =
      new PlanNames(
          Map.of("file", 1, "job", 2),
          Map.of("read", 1, "wrote", 2),
          Map.of("name", NAME, "size", SIZE, "tags", TAGS, "other", OTHER));
  private static final List<Object> VALUES =
      List.of("alpha", "alphabet", "beta", "gamma ray", 1, 2L, 3.5, 17, "");

  @Test
  void whatIsFoundDoesNotDependOnIndexes() {
    Long one = Long.getLong("graphmeta.seed");
    long first = one == null ? 1 : one;
    long end = one == null ? RUNS : one;
    int asked = 0;
    int queries = 0;
    int rebuilt = 0;
    long compared = 0;
    for (long seed = first; seed <= end; seed++) {
      Run run = new Run(seed);
      run.play();
      asked += run.disk.asked;
      queries += run.queries;
      rebuilt += run.disk.removed;
      compared += run.compared;
    }
    if (one == null) {
      assertThat(asked)
          .as("queries of %d that asked the index", queries)
          .isGreaterThan(queries / 8);
      assertThat(compared).as("versions compared").isGreaterThan(RUNS * 20L);
      assertThat(rebuilt).as("indexes that were built anew").isGreaterThan(RUNS / 10);
    }
  }

  /** Whatever fails while an index is opened, of what was dropped before nothing is left. */
  @Test
  void whatFailsHalfwayIsDoneAgainFromItsBeginning() {
    for (int calls = 0; calls < 20; calls++) {
      for (boolean ofStore : new boolean[] {false, true}) {
        new Run(1 + calls).failOnOpening(calls, ofStore);
      }
    }
  }

  /** One history. */
  private static final class Run {
    private final String name;
    private final Random random;
    final FakeIndex.Disk disk = new FakeIndex.Disk();
    private final Set<Object> deleted = new HashSet<>();
    private final Set<Object> created = new HashSet<>();
    private final List<TransactionId> held = new ArrayList<>();
    private final Map<TransactionId, Boolean> outcomes = new LinkedHashMap<>();
    private final Map<Object, Long> latestBodies = new HashMap<>();
    private final List<Long> stamps = new ArrayList<>();
    private Instant now = Instant.parse("2026-03-01T10:00:00Z");
    private long millis;
    private boolean isOpened;
    private SyncedRows storage = new SyncedRows();
    private Shard shard = open();
    private StorageEngine earlierStore = new MemoryStorage();
    private FakeIndex.State earlierIndex = FakeIndex.State.NONE;
    private long number;
    int queries;
    long compared;

    Run(long seed) {
      name = "-Dgraphmeta.seed=" + seed;
      random = new Random(seed);
      disk.committing = this::requireNotedAndSynced;
    }

    /** So that no loss of power leaves an index that cannot go on with its store. */
    private void requireNotedAndSynced(long stamp) {
      byte[] note = storage.get(Family.META, NOTE);
      assertThat(note).as(name).isNotNull();
      assertThat(BigEndian.getLong(note, 0)).as(name).isGreaterThanOrEqualTo(stamp);
      assertThat(storage.isSynced()).as(name + ", before the index is committed").isTrue();
    }

    private Shard open() {
      ShardSettings settings =
          LoneShard.settings(Durability.BACKGROUND, Durability.BACKGROUND, 1 << 9, 1000);
      return new Shard(0, storage, new LocalLog(storage, "log-of-test"), () -> now, settings);
    }

    private Response ask(Request request) {
      return shard.handle(new Call(1, 1000, request)).join();
    }

    private long snapshot() {
      return ((Response.Stamped) ask(new Request.Snapshot(0))).stamp();
    }

    void play() {
      for (int step = 0; step < STEPS; step++) {
        now = now.plus(1 + random.nextInt(2000), ChronoUnit.MICROS);
        switch (step < FIRST_INDEXES ? 0 : random.nextInt(40)) {
          case 0 -> define(step < FIRST_INDEXES);
          case 1, 2, 3, 4, 5, 6 -> decide();
          case 7 -> copyOrRestart();
          case 8, 9, 10, 11, 12, 13, 14, 15 -> follow();
          case 16, 17, 18, 19, 20, 21, 22, 23 -> query();
          case 24, 25 -> during();
          case 26, 27, 28 -> prepare(rows());
          default -> commit(rows());
        }
      }
      while (!held.isEmpty()) {
        decide();
      }
      for (int i = 0; i < 20; i++) {
        query();
        follow();
      }
      settled();
    }

    void failOnOpening(int calls, boolean ofStore) {
      define(ElementKind.VERTEX, 1, NAME, true);
      define(ElementKind.VERTEX, 2, SIZE, true);
      for (int i = 0; i < 30; i++) {
        commit(rows());
      }
      settled();
      define(ElementKind.VERTEX, 1, NAME, false);
      reopen();
      if (ofStore) {
        storage.failAfter(calls, planted(new OutOfMemoryError("planted")));
      } else {
        disk.failAfter(calls, planted(new OutOfMemoryError("planted")));
      }
      shard.follower().step(disk, millis);
      storage.failAfter(0, null);
      settled();
    }

    private void define(ElementKind element, int label, int key, boolean isDefined) {
      StagedRows rows = new StagedRows(64);
      byte[] value =
          isDefined
              ? IndexRows.value(element, label, key, Set.of(IndexKind.EXACT))
              : IndexRows.tombstone();
      rows.add(
          Family.META, IndexRows.slot(element + " " + label + "." + key), 0, value, value.length);
      commit(rows);
    }

    private void commit(StagedRows rows) {
      long[] none = {};
      ask(new Request.Commit(rows, ++number, snapshot(), 0, none, none));
    }

    /**
     * A part of a transaction that is to be decided later, with a stamp that may be in the future.
     */
    private void prepare(StagedRows rows) {
      long before = snapshot();
      long[] none = {};
      long stamp = Stamp.plusMicros(before, 1 + random.nextInt(3000));
      TransactionId id = new TransactionId(stamp, 7, ++number);
      Response answer =
          ask(new Request.Prepare(id, new int[] {0, 1}, rows, before, none, none, null));
      if (answer instanceof Response.Prepared) {
        held.add(id);
        outcomes.put(id, random.nextInt(3) > 0);
      }
    }

    private void decide() {
      if (!held.isEmpty()) {
        TransactionId id = held.remove(random.nextInt(held.size()));
        ask(new Request.Resolve(id, outcomes.getOrDefault(id, false)));
      }
    }

    private void define(boolean atOnce) {
      StagedRows rows = new StagedRows(64);
      int label = 1 + random.nextInt(2);
      ElementKind element = random.nextBoolean() ? ElementKind.VERTEX : ElementKind.EDGE;
      int key = Math.min(TAGS, random.nextInt(5));
      byte[] value =
          !atOnce && random.nextInt(3) == 0
              ? IndexRows.tombstone()
              : IndexRows.value(
                  element,
                  label,
                  key,
                  Set.of(IndexKind.EXACT, IndexKind.RANGE, IndexKind.FRAGMENT));
      rows.add(
          Family.META, IndexRows.slot(element + " " + label + "." + key), 0, value, value.length);
      if (atOnce || random.nextBoolean()) {
        commit(rows);
      } else {
        prepare(rows);
      }
    }

    /** What a transaction writes: some rows of some vertices and edges. */
    private StagedRows rows() {
      StagedRows rows = new StagedRows(256);
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        boolean ofEdge = random.nextBoolean();
        Object element = ofEdge ? edge() : (Object) vertex(VERTICES);
        Family family = ofEdge ? Family.OUT : Family.ATTRIBUTES;
        byte[] body =
            ofEdge
                ? RowKeys.outBodySlot((EdgeKey) element)
                : RowKeys.vertexBodySlot((Long) element);
        long valid = random.nextInt(3) == 0 ? past() : 0;
        int kind = random.nextInt(8);
        if (!created.contains(element) || kind == 0 && !deleted.contains(element)) {
          body(rows, family, body, valid);
          created.add(element);
          long atLatest = valid == 0 ? Stamp.plusMicros(snapshot(), 10_000) : valid;
          latestBodies.merge(element, atLatest, Math::max);
        } else if (kind == 1 && deleted.add(element)) {
          // No body comes behind a tombstone.
          long end = valid > latestBodies.getOrDefault(element, 0L) ? valid : 0;
          rows.add(family, body, end, RowValues.tombstone(), 1);
        } else {
          property(rows, element, valid);
        }
      }
      return rows;
    }

    private long vertex(int most) {
      return VertexKeys.pack(1 + random.nextInt(2), random.nextInt(most), 0);
    }

    private EdgeKey edge() {
      return new EdgeKey(vertex(2), 1 + random.nextInt(2), vertex(3), random.nextInt(2));
    }

    private long past() {
      return stamps.isEmpty()
          ? Stamp.startOfMicros(1_000_000)
          : stamps.get(random.nextInt(stamps.size())) - random.nextInt(3);
    }

    private void body(StagedRows rows, Family family, byte[] slot, long valid) {
      ByteWriter body = new ByteWriter(64);
      RowValues.writeBodyHeader(body, random.nextBoolean() ? "id" + slot[7] : null);
      List<Integer> keys = new ArrayList<>();
      for (int key = NAME; key <= OTHER; key++) {
        if (random.nextInt(3) > 0) {
          keys.add(key);
        }
      }
      body.putVarInt(keys.size());
      for (int key : keys) {
        ByteWriter value = new ByteWriter(16);
        ValueCodec.write(value, value());
        body.putVarInt(key).putVarInt(value.size()).putBytes(value.array(), 0, value.size());
      }
      rows.add(family, slot, valid, body.array(), body.size());
    }

    private void property(StagedRows rows, Object element, long valid) {
      int key = 1 + random.nextInt(4);
      long valueId = key == TAGS ? random.nextInt(3) : 0;
      ByteWriter value = new ByteWriter(32);
      if (random.nextInt(4) == 0) {
        value.putByte(RowValues.TOMBSTONE);
      } else {
        Map<Integer, Object> meta = random.nextInt(4) == 0 ? Map.of(9, "meta") : Map.of();
        RowValues.writeProperty(value, random.nextInt(4) == 0 ? "pid" : null, value(), meta, false);
      }
      if (element instanceof EdgeKey edge) {
        rows.add(Family.OUT, RowKeys.outSlot(edge, key), valid, value.array(), value.size());
      } else {
        byte[] slot = RowKeys.attributeSlot((Long) element, key, valueId);
        rows.add(Family.ATTRIBUTES, slot, valid, value.array(), value.size());
      }
    }

    private Object value() {
      return VALUES.get(random.nextInt(VALUES.size()));
    }

    private void follow() {
      Throwable failure = null;
      switch (random.nextInt(isOpened ? 60 : 6)) {
        case 0 -> {
          failure = failure();
          disk.failAfter(random.nextInt(20), failure);
        }
        case 1 -> storage.failAfter(random.nextInt(10), planted(new OutOfMemoryError("planted")));
        default -> {}
      }
      isOpened = true;
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        millis += random.nextInt(3000);
        shard.follower().step(disk, millis);
        assertThat(shard.follower().fault()).as(name).matches("|.*planted");
      }
      storage.failAfter(0, null);
      if (!(failure instanceof GraphMetaException)) {
        disk.failAfter(0, null); // else who asks the index meets it
      }
    }

    /** Without a trace, which would be logged. */
    private static <T extends Throwable> T planted(T failure) {
      failure.setStackTrace(new StackTraceElement[0]);
      return failure;
    }

    private Throwable failure() {
      return switch (random.nextInt(4)) {
        case 0 -> planted(new OutOfMemoryError("planted"));
        case 1 -> planted(new IllegalStateException("planted"));
        case 2 -> new GraphMetaException(ErrorCode.CORRUPTION, "planted");
        default -> new GraphMetaException(ErrorCode.STORAGE_FAILURE, "planted");
      };
    }

    private void copyOrRestart() {
      switch (random.nextInt(4)) {
        case 0 -> {
          earlierStore = copy(storage);
          if (random.nextBoolean()) {
            earlierIndex = disk.committed;
          }
        }
        case 1 -> {
          if (random.nextInt(3) == 0) { // what was not brought to disk is lost
            storage = copy(earlierStore);
            earlierIndex = FakeIndex.State.NONE; // what was lost is in nobody's copy
            stamps.clear();
          } else if (random.nextInt(3) == 0) { // somebody has put a copy of the index back
            disk.committed = earlierIndex;
          }
          reopen();
        }
        case 2 -> {
          shard.follower().close(millis);
          reopen();
        }
        default -> reopen();
      }
    }

    private void reopen() {
      isOpened = false;
      disk.failAfter(0, null);
      now = now.plus(Shard.aheadMicros(storage, () -> now), ChronoUnit.MICROS);
      shard = open();
      held.clear();
      held.addAll(outcomes.keySet()); // it does not know any outcome any more
    }

    private static SyncedRows copy(StorageEngine from) {
      SyncedRows copy = new SyncedRows();
      RowBatch all = new RowBatch(1 << 12);
      for (Family family : Family.values()) {
        try (RowCursor cursor = from.cursor(family, StorageEngine.Scope.FAMILY)) {
          for (boolean more = cursor.seek(new byte[0], 0); more; more = cursor.next()) {
            all.put(
                family,
                Arrays.copyOf(cursor.key(), cursor.keyLength()),
                Arrays.copyOf(cursor.value(), cursor.valueLength()));
          }
        }
      }
      copy.write(all, Durability.SYNC);
      return copy;
    }

    private void query() {
      long stamp = snapshot();
      stamps.add(stamp);
      long known = random.nextInt(3) == 0 ? stamps.get(random.nextInt(stamps.size())) : stamp;
      long valid = random.nextInt(3) == 0 ? past() : known;
      ReadView view = new ReadView(valid, Math.min(known, stamp), stamp);
      Set<Integer> labels = random.nextInt(3) == 0 ? Set.of(1, 2) : Set.of(1 + random.nextInt(2));
      boolean ofEdges = random.nextBoolean();
      Condition where = condition(0);
      List<String> expected = outcome(ofEdges, labels, where, view, false);
      List<String> found = outcome(ofEdges, labels, where, view, true);
      assertThat(found).as("%s: %s at %s of %d", name, where, view, stamp).isEqualTo(expected);
      queries++;
    }

    /**
     * A vertex that a condition is true or an error of at a moment is found in a span that has the
     * moment, and its versions tell of each moment what a view from then shows.
     */
    private void during() {
      long stamp = snapshot();
      stamps.add(stamp);
      long known = random.nextInt(3) == 0 ? stamps.get(random.nextInt(stamps.size())) : stamp;
      long valid = random.nextInt(3) == 0 ? past() : known;
      long from = random.nextInt(3) == 0 ? valid : Math.min(valid, past());
      ViewSpan views = new ViewSpan(from, new ReadView(valid, known, stamp));
      int label = 1 + random.nextInt(2);
      Condition where = condition(0);
      Map<Long, Found> found = new HashMap<>();
      Position next = Position.START;
      while (next != null) {
        Request search = new Request.SearchDuring(label, where, NAMES, views, next);
        ElementPage page = ((Response.Elements) ask(search)).page();
        for (int e = 0; e < page.elements(); e++) {
          assertThat(found.put(page.owner(e), new Found(page, e))).as(name).isNull();
        }
        next = page.next();
      }
      for (long moment : moments(from, valid)) {
        String at = name + ": " + where + " in " + views + " at " + moment;
        Map<Long, Map<Integer, List<Object>>> there =
            scanned(label, new ReadView(moment, known, stamp));
        there.forEach(
            (vertex, values) -> {
              if (!found.containsKey(vertex)) {
                assertThat(mayBeTrue(where, values)).as("%s: %x %s", at, vertex, values).isFalse();
              }
            });
        found.forEach(
            (vertex, each) ->
                assertThat(values(each.page, each.element, moment))
                    .as("%s: %x", at, vertex)
                    .isEqualTo(there.get(vertex)));
      }
    }

    private record Found(ElementPage page, int element) {}

    private static boolean mayBeTrue(Condition where, Map<Integer, List<Object>> values) {
      try {
        return isTrue(where, values);
      } catch (GraphMetaException e) {
        return true;
      }
    }

    /** Some of the moments at which something changes, and the first and the last. */
    private Set<Long> moments(long from, long to) {
      TreeSet<Long> all = new TreeSet<>();
      try (RowCursor cursor = storage.cursor(Family.ATTRIBUTES, StorageEngine.Scope.FAMILY)) {
        for (boolean more = cursor.seek(new byte[0], 0); more; more = cursor.next()) {
          all.add(ElementLayout.VERTEX.valid(cursor.key()));
        }
      }
      all.removeIf(each -> each <= from || each >= to);
      List<Long> some = new ArrayList<>(all);
      Collections.shuffle(some, random);
      Set<Long> moments = new HashSet<>(some.subList(0, Math.min(12, some.size())));
      moments.addAll(List.of(from, to));
      return moments;
    }

    private Map<Long, Map<Integer, List<Object>>> scanned(int label, ReadView view) {
      Map<Long, Map<Integer, List<Object>>> all = new HashMap<>();
      for (Position from = Position.START; from != null; ) {
        Request scan = new Request.ScanVertices(label, view, Detail.PROPERTIES, from);
        ElementPage page = ((Response.Elements) ask(scan)).page();
        for (int e = 0; e < page.elements(); e++) {
          all.put(page.owner(e), values(page, e));
        }
        from = page.next();
      }
      return all;
    }

    private Request read(
        boolean ofEdges,
        Set<Integer> labels,
        Condition where,
        ReadView view,
        boolean searched,
        Position from) {
      Detail detail = Detail.PROPERTIES;
      if (ofEdges) {
        return searched
            ? new Request.SearchEdges(labels, where, NAMES, view, detail, from)
            : new Request.ScanEdges(labels, view, detail, from);
      }
      int label = Collections.min(labels);
      return searched
          ? new Request.SearchVertices(label, where, NAMES, view, detail, from)
          : new Request.ScanVertices(label, view, detail, from);
    }

    /** The elements that a condition is true of, up to an error. */
    private List<String> outcome(
        boolean ofEdges, Set<Integer> labels, Condition where, ReadView view, boolean searched) {
      List<String> found = new ArrayList<>();
      Position from = Position.START;
      while (from != null) {
        Request read = read(ofEdges, labels, where, view, searched, from);
        ElementPage page = ((Response.Elements) ask(read)).page();
        for (int e = 0; e < page.elements(); e++) {
          try {
            Map<Integer, List<Object>> values = values(page, e);
            if (isTrue(where, values)) {
              found.add(element(ofEdges, page, e) + " " + values);
            }
          } catch (GraphMetaException error) {
            found.add(element(ofEdges, page, e) + " " + error.getMessage());
            return found;
          }
        }
        from = page.next();
      }
      return found;
    }

    private static Object element(boolean ofEdges, ElementPage page, int e) {
      return ofEdges ? RecordDecoder.edgeKey(page, e, true) : (Object) page.owner(e);
    }

    /** The values that a page shows of an element, by property key. */
    private static Map<Integer, List<Object>> values(ElementPage page, int e) {
      return requireNonNull(values(page, e, Long.MAX_VALUE));
    }

    /** As they are at a valid stamp; null if the element is not there then. */
    private static @Nullable Map<Integer, List<Object>> values(
        ElementPage page, int e, long validAt) {
      record Slot(int key, long valueId) {}
      Map<Slot, long[]> stampsOf = new HashMap<>();
      Map<Slot, Object> valueOf = new HashMap<>();
      Object none = new Object();
      Map<Long, Integer> bodies = bodies(page, e, validAt);
      Long newest = bodies.keySet().stream().max(Long::compare).orElse(null);
      if (newest == null || isTombstone(page, bodies.get(newest))) {
        return null;
      }
      for (int row = page.firstRow(e); row < page.firstRow(e + 1); row++) {
        Map<Slot, Object> said = new HashMap<>();
        boolean isBody = page.propertyKey(row) == RowKeys.BODY;
        if (page.valid(row) > validAt
            || isBody && (bodies.get(page.valid(row)) != row || isTombstone(page, row))) {
          continue;
        }
        int at = page.valueStart(row);
        ByteReader in = new ByteReader(page.data(), at, page.valueEnd(row) - at);
        int flags = in.getByte();
        if ((flags & RowValues.HAS_ID) != 0) {
          in.getText();
        }
        if (isBody) {
          for (int count = in.getVarInt(); count > 0; count--) {
            int key = in.getVarInt();
            in.getVarInt();
            said.put(new Slot(key, 0), ValueCodec.read(in));
          }
        } else {
          Slot slot = new Slot(page.propertyKey(row), page.valueId(row));
          said.put(slot, (flags & RowValues.TOMBSTONE) != 0 ? none : ValueCodec.read(in));
        }
        long[] stamps = {page.valid(row), page.committed(row)};
        said.forEach(
            (slot, value) -> {
              long[] held = stampsOf.get(slot);
              if (held == null || Arrays.compare(stamps, held) >= 0) {
                stampsOf.put(slot, stamps);
                valueOf.put(slot, value);
              }
            });
      }
      Map<Integer, List<Object>> values = new TreeMap<>();
      valueOf.entrySet().stream()
          .filter(entry -> entry.getValue() != none)
          .sorted(java.util.Comparator.comparingLong(entry -> entry.getKey().valueId))
          .forEach(
              entry ->
                  values
                      .computeIfAbsent(entry.getKey().key, key -> new ArrayList<>())
                      .add(entry.getValue()));
      return values;
    }

    /** The rows of bodies by valid stamp: of several the one learned of last. */
    private static Map<Long, Integer> bodies(ElementPage page, int e, long validAt) {
      Map<Long, Integer> bodies = new HashMap<>();
      for (int row = page.firstRow(e); row < page.firstRow(e + 1); row++) {
        if (page.propertyKey(row) == RowKeys.BODY && page.valid(row) <= validAt) {
          bodies.merge(
              page.valid(row),
              row,
              (one, other) -> page.committed(one) > page.committed(other) ? one : other);
        }
      }
      return bodies;
    }

    private static boolean isTombstone(ElementPage page, int row) {
      return RowValues.isTombstone(page.data(), page.valueStart(row));
    }

    private static boolean isTrue(Condition where, Map<Integer, List<Object>> values) {
      if (where instanceof Condition.Property property) {
        int key = NAMES.propertyKeys().getOrDefault(property.key(), 0);
        return values.getOrDefault(key, List.of()).stream()
            .anyMatch(value -> ValueTests.passes(property.test(), value));
      } else if (where instanceof Condition.HasKey has) {
        return values.containsKey(NAMES.propertyKeys().getOrDefault(has.key(), 0));
      } else if (where instanceof Condition.And and) {
        return and.of().stream().allMatch(each -> isTrue(each, values));
      } else if (where instanceof Condition.Or or) {
        return or.of().stream().anyMatch(each -> isTrue(each, values));
      }
      return !isTrue(((Condition.Not) where).of(), values);
    }

    private Condition condition(int depth) {
      String key =
          random.nextInt(5) == 0
              ? List.of("other", "absent").get(random.nextInt(2))
              : List.of("name", "size", "tags").get(random.nextInt(3));
      return switch (random.nextInt(depth < 2 ? 16 : 7)) {
        case 7, 8 -> new Condition.And(conditions(depth));
        case 9, 10 -> new Condition.Or(conditions(depth));
        case 11 -> new Condition.Not(condition(depth + 1));
        case 6 -> new Condition.HasKey(key);
        default -> new Condition.Property(key, test(0));
      };
    }

    private List<Condition> conditions(int depth) {
      List<Condition> conditions = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        conditions.add(condition(depth + 1));
      }
      return conditions;
    }

    private ValueTest test(int depth) {
      return switch (random.nextInt(depth == 0 ? 10 : 6)) {
        case 0, 1 -> new ValueTest.Compare(Comparison.EQUAL, value());
        case 2 -> {
          Comparison[] comparisons = Comparison.values();
          yield new ValueTest.Compare(comparisons[random.nextInt(comparisons.length)], value());
        }
        case 3 -> new ValueTest.Within(List.of(value(), value()));
        case 4 -> new ValueTest.Text(TextRelation.CONTAINS, "pha");
        case 5 -> {
          TextRelation[] relations = TextRelation.values();
          yield new ValueTest.Text(relations[random.nextInt(relations.length)], "bet");
        }
        case 6 -> new ValueTest.And(List.of(test(1), test(1)));
        case 7 -> new ValueTest.Or(List.of(test(1), test(1)));
        case 8 -> new ValueTest.Not(test(1));
        default -> new ValueTest.Compare(Comparison.GREATER, 2);
      };
    }

    /** With nothing more to do, all indexes are built, and the list is short. */
    private void settled() {
      disk.failAfter(0, null);
      for (int i = 0; i < 30; i++) {
        millis += 70_000;
        shard.follower().step(disk, millis);
        now = now.plusMillis(10);
        snapshot();
      }
      Response.Indexes indexes = (Response.Indexes) ask(new Request.ReadIndexes());
      assertThat(indexes.fault()).as(name).isEmpty();
      assertThat(indexes.states()).as(name).allMatch(IndexState::built);
      Response.Rows list =
          (Response.Rows) ask(new Request.ScanRows(Family.CHANGED, Position.START));
      if (disk.opened > 0) {
        assertThat(list.keys()).as("%s: list", name).isEmpty();
      }
      query();
      indexes.states().forEach(state -> compare(state.definition()));
      if (!indexes.states().isEmpty()) {
        assertThat(requireNonNull(shard.follower().served().index()).sizes().definitions())
            .as("%s: of what is not defined nothing is left", name)
            .isSubsetOf(indexes.states().stream().map(each -> each.definition().number()).toList());
      }
    }

    /** The index holds what the store has; pages begin and end anywhere. */
    private void compare(IndexDefinition definition) {
      ServedIndexes served = shard.follower().served();
      assertThat(served.numbered(definition.number())).as(name).isEqualTo(definition);
      Position from = Position.START;
      long versions = 0;
      while (from != null) {
        Response.ComparedIndex page =
            IndexComparison.page(
                storage,
                SplitTable.ofOneShard(storage),
                requireNonNull(served.index()),
                definition,
                this::snapshot,
                from.key(),
                random.nextInt(20));
        assertThat(List.of(page.missing(), page.wider(), page.surplus()))
            .as("%s: %s from %s: %s", name, definition, from, page.examples())
            .containsOnly(0L);
        versions += page.versions();
        from = page.next();
      }
      Response.ComparedIndex all =
          (Response.ComparedIndex)
              ask(new Request.CompareIndex(definition.number(), Position.START));
      assertThat(all)
          .as(name)
          .isEqualTo(
              new Response.ComparedIndex(true, all.stamp(), versions, 0, 0, 0, List.of(), null));
      compared += versions;
    }
  }
}
