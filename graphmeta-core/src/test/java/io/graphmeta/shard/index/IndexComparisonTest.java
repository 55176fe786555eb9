package io.graphmeta.shard.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.IndexRows;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.IndexedVersion;
import io.graphmeta.shard.LoneShard;
import io.graphmeta.shard.Shard;
import io.graphmeta.shard.ShardSettings;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.memory.MemoryStorage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each way in which an index can differ from its store is told, of the right vertex. */
class IndexComparisonTest {
  private static final int NAME = 1;
  private static final int VERTICES = 5;

  private final MemoryStorage storage = new MemoryStorage();
  private final FakeIndex.Disk disk = new FakeIndex.Disk();
  private Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private final Shard shard =
      new Shard(0, storage, new LocalLog(storage, "log-of-test"), () -> now, settings());
  private long transactions;
  private long millis;
  private IndexDefinition definition =
      new IndexDefinition(7, "file.name", ElementKind.VERTEX, 1, NAME, Set.of(IndexKind.EXACT));

  private static ShardSettings settings() {
    return LoneShard.settings(Durability.BACKGROUND, Durability.BACKGROUND, 1 << 9, 1000);
  }

  private Response ask(Request request) {
    return shard.handle(new Call(1, 1000, request)).join();
  }

  private long snapshot() {
    return ((Response.Stamped) ask(new Request.Snapshot(0))).stamp();
  }

  private long commit(Family family, byte[] slot, long valid, byte[] value, int length) {
    now = now.plusMillis(1);
    StagedRows rows = new StagedRows(64);
    rows.add(family, slot, valid, value, length);
    long[] none = {};
    ask(new Request.Commit(rows, ++transactions, snapshot(), 0, none, none));
    return snapshot();
  }

  private static long vertex(int number) {
    return VertexKeys.pack(1, number, 0);
  }

  private long name(int vertex, long valid, String text) {
    ByteWriter value = new ByteWriter(32);
    value.putByte(0);
    ValueCodec.write(value, text);
    byte[] slot = RowKeys.attributeSlot(vertex(vertex), NAME, 0);
    return commit(Family.ATTRIBUTES, slot, valid, value.array(), value.size());
  }

  /** Each vertex has three names, of which the second was learned of last. */
  @BeforeEach
  void store() {
    for (int vertex = 0; vertex < VERTICES; vertex++) {
      ByteWriter body = new ByteWriter(8);
      RowValues.writeBodyHeader(body, null);
      body.putVarInt(0);
      byte[] slot = RowKeys.vertexBodySlot(vertex(vertex));
      commit(Family.ATTRIBUTES, slot, 0, body.array(), body.size());
      long first = name(vertex, 0, "first");
      name(vertex, 0, "third");
      name(vertex, first + 1, "second");
    }
  }

  private List<IndexedVersion> stored() {
    List<IndexedVersion> versions = new ArrayList<>();
    try (ElementVersions reader =
        new ElementVersions(storage, ElementKind.VERTEX, snapshot(), versions::add)) {
      for (int vertex = 0; vertex < VERTICES; vertex++) {
        reader.read(ElementWalk.key(vertex(vertex)), List.of(definition), 0);
      }
    }
    assertThat(versions).hasSize(3 * VERTICES);
    return versions;
  }

  /** An index of what the store has, in which one version is another, or is not there. */
  private AttributeIndex planted(String value, UnaryOperator<IndexedVersion> change) {
    AttributeIndex index = disk.open();
    for (IndexedVersion version : stored()) {
      boolean isPlanted =
          BigEndian.getLong(version.element(), 0) == vertex(3) && version.value().equals(value);
      IndexedVersion put = isPlanted ? change.apply(version) : version;
      if (put != null) {
        index.put(put);
      }
    }
    index.publish(snapshot());
    return index;
  }

  private static IndexedVersion ended(IndexedVersion version, long valid, long committed) {
    return new IndexedVersion(
        version.definition(),
        version.element(),
        version.valueId(),
        version.valid(),
        version.committed(),
        version.value(),
        valid,
        committed);
  }

  /** What all pages of an index come to. */
  private String compared(AttributeIndex index, int most) {
    long missing = 0;
    long wider = 0;
    long surplus = 0;
    long versions = 0;
    List<String> examples = new ArrayList<>();
    byte[] from = {};
    while (from != null) {
      Response.ComparedIndex page =
          IndexComparison.page(
              storage,
              SplitTable.ofOneShard(storage),
              index,
              definition,
              this::snapshot,
              from,
              most);
      assertThat(page.built()).isTrue();
      missing += page.missing();
      wider += page.wider();
      surplus += page.surplus();
      versions += page.versions();
      examples.addAll(page.examples());
      from = page.next() == null ? null : page.next().key();
    }
    assertThat(examples)
        .hasSize((int) (missing + wider + surplus))
        .allMatch(example -> example.contains(GeneratedIds.ofVertex(vertex(3))));
    return versions + " " + missing + " " + wider + " " + surplus;
  }

  private void assertTold(AttributeIndex index, String expected) {
    for (int most : new int[] {0, 1, 4, 100}) {
      assertThat(compared(index, most)).as("pages of %d", most).isEqualTo(expected);
    }
  }

  @Test
  void nothingIsToldOfAnIndexThatHoldsWhatTheStoreHas() {
    assertTold(planted("first", version -> version), "15 0 0 0");
  }

  @Test
  void aVersionThatIsNotInTheIndexIsMissing() {
    assertTold(planted("first", version -> null), "15 1 0 0");
    assertTold(planted("third", version -> null), "15 1 0 0");
  }

  @Test
  void whatWasCommittedBehindTheIndexIsNotMissing() {
    AttributeIndex index = planted("first", version -> version);
    name(3, 0, "fourth");
    assertTold(index, "16 0 0 0");
    index.publish(snapshot());
    // The new version is missing, and the one before it has no end.
    assertTold(index, "16 1 1 0");
  }

  @Test
  void aVersionThatEndsTooEarlyIsMissing() {
    assertTold(
        planted("third", version -> ended(version, version.valid() + 1, version.committed() + 1)),
        "15 1 0 0");
    assertTold(
        planted("first", version -> ended(version, version.endValid(), version.committed())),
        "15 1 0 0");
    assertTold(
        planted("first", version -> ended(version, version.valid(), version.endCommitted())),
        "15 1 0 0");
  }

  @Test
  void aVersionThatEndsTooLateIsWider() {
    assertTold(
        planted("first", version -> ended(version, Long.MAX_VALUE, Long.MAX_VALUE)), "15 0 1 0");
    assertTold(
        planted("first", version -> ended(version, version.endValid(), version.endCommitted() + 1)),
        "15 0 1 0");
  }

  @Test
  void anEndThatTheBackfillOfAnotherCameBeforeIsWider() {
    long third =
        stored().stream()
            .filter(version -> version.value().equals("third"))
            .filter(version -> BigEndian.getLong(version.element(), 0) == vertex(3))
            .findFirst()
            .orElseThrow()
            .valid();
    assertTold(planted("first", version -> ended(version, third, third)), "15 0 1 0");
  }

  @Test
  void aVersionThatTheStoreDoesNotHaveIsSurplus() {
    AttributeIndex index = planted("first", version -> version);
    IndexedVersion one = stored().get(0);
    byte[] element = new byte[8];
    BigEndian.putLong(element, 0, vertex(3));
    index.put(
        new IndexedVersion(
            definition,
            element,
            5,
            one.valid(),
            one.committed(),
            "x",
            Long.MAX_VALUE,
            Long.MAX_VALUE));
    index.publish(snapshot());
    assertTold(index, "16 0 0 1");
  }

  @Test
  void theShardComparesWhatItHasBuilt() {
    byte[] row = IndexRows.value(ElementKind.VERTEX, 1, NAME, Set.of(IndexKind.EXACT));
    commit(Family.META, IndexRows.slot("file.name"), 0, row, row.length);
    Response.Indexes indexes = (Response.Indexes) ask(new Request.ReadIndexes());
    definition = indexes.states().get(0).definition();
    Request compare = new Request.CompareIndex(definition.number(), Position.START);
    assertThat(((Response.ComparedIndex) ask(compare)).built()).isFalse();
    for (int step = 0; step < 10; step++) {
      now = now.plusMillis(10);
      snapshot();
      shard.follower().step(disk, millis += 10_000);
    }
    Response.ComparedIndex compared = (Response.ComparedIndex) ask(compare);
    assertThat(compared.built()).isTrue();
    assertThat(compared.versions()).isEqualTo(15);
    assertThat(compared.missing() + compared.wider() + compared.surplus()).isZero();
    assertThat(compared.stamp()).isPositive();
    Request other = new Request.CompareIndex(definition.number() + 1, Position.START);
    assertThat(((Response.ComparedIndex) ask(other)).built()).isFalse();
    assertThatThrownBy(
            () -> ask(new Request.CompareIndex(definition.number(), new Position(0, new byte[3]))))
        .rootCause()
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining("3 bytes")
        .hasMessageContaining("expected the 8");
  }
}
