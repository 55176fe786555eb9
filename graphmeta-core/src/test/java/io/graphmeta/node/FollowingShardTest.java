package io.graphmeta.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.shard.retention.DroppedHistory;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a replica answers while another one leads, entry by entry. */
class FollowingShardTest {
  private static final int LABEL = 3;
  private static final long FIRST = VertexKeys.firstOfLabel(LABEL) + 1;
  private static final long SECOND = FIRST + 1;

  private static final long THIRD = FIRST + 2;
  private static final TraversalId ID = new TraversalId(1, 2);

  private final StorageEngine store = new MemoryStorage();
  private final FollowedLog log = new FollowedLog(0);
  private final HostSettings settings =
      new HostSettings(
          GraphMetaConfig.inMemory().with(Setting.SHARDS, 2),
          Hosting.ofReplicas("cluster", List.of(0), 1));
  private FollowingShard shard;

  private static RowBatch entry() {
    return new RowBatch(256);
  }

  private static void vertex(long vertex, long stamp, RowBatch entry) {
    byte[] slot = RowKeys.vertexBodySlot(vertex);
    byte[] key = Arrays.copyOf(slot, slot.length + 16);
    int length = RowKeys.appendStamps(key, slot.length, stamp, stamp);
    ByteWriter body = new ByteWriter(8);
    RowValues.writeBodyHeader(body, null);
    entry.put(Family.ATTRIBUTES, Arrays.copyOf(key, length), body.putVarInt(0).toArray());
  }

  private static void settled(long stamp, RowBatch entry) {
    byte[] value = new byte[8];
    BigEndian.putLong(value, 0, stamp);
    entry.put(Family.META, "settled".getBytes(StandardCharsets.US_ASCII), value);
  }

  private void apply(RowBatch entry) {
    log.ordered(entry);
    store.write(entry, Durability.BACKGROUND);
    log.applied(entry);
  }

  private void applyVertex(long vertex, long stamp, long settledTo) {
    RowBatch entry = entry();
    vertex(vertex, stamp, entry);
    if (settledTo > 0) {
      settled(settledTo, entry);
    }
    apply(entry);
  }

  private void begin() {
    shard =
        FollowingShard.over(
            0, store, log, InstantSource.system(), System::nanoTime, settings.shard(false));
  }

  private CompletableFuture<Response> read(long vertex, ReadView view) {
    Request read = new Request.ReadVertices(new long[] {vertex}, view, Detail.BODIES, 0);
    return shard.handle(new Call(VirtualNodeMap.FIRST_EPOCH, 1000, read));
  }

  private boolean isThere(long vertex, long stamp) {
    Response answer = read(vertex, new ReadView(stamp, stamp, stamp)).join();
    return ((Response.Elements) answer).page().elements() > 0;
  }

  private void assertRefused(ErrorCode code, long vertex, ReadView view) {
    assertThatThrownBy(() -> read(vertex, view).join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private void assertNotFarEnough(long vertex, long stamp) {
    assertRefused(ErrorCode.NOT_LEADER, vertex, new ReadView(stamp, stamp, stamp));
  }

  @Test
  void viewsUpToTheNoteAreAnsweredAndNoOthers() {
    applyVertex(FIRST, 10, 10);
    begin();
    assertThat(isThere(FIRST, 10)).isTrue();
    assertThat(isThere(FIRST, 9)).isFalse();
    assertNotFarEnough(FIRST, 11);
    applyVertex(SECOND, 20, 0);
    assertNotFarEnough(SECOND, 20);
    assertThat(isThere(SECOND, 10)).isFalse();
    RowBatch note = entry();
    settled(20, note);
    apply(note);
    assertThat(isThere(SECOND, 20)).as("though it was looked for before it was there").isTrue();
    assertThat(isThere(SECOND, 19)).isFalse();
  }

  @Test
  void theNoteCountsWhenItsEntryWasTold() {
    applyVertex(FIRST, 10, 10);
    begin();
    assertThat(isThere(SECOND, 10)).isFalse();
    RowBatch both = entry();
    vertex(SECOND, 20, both);
    settled(20, both);
    log.ordered(both);
    store.write(both, Durability.BACKGROUND);
    assertNotFarEnough(SECOND, 20);
    log.applied(both);
    assertThat(isThere(SECOND, 20)).isTrue();
  }

  @Test
  void viewsBelowASplitAreLeftToTheLeader() {
    applyVertex(FIRST, 10, 10);
    begin();
    applySplit(30);
    assertNotFarEnough(FIRST, 10);
    assertThat(isThere(FIRST, 40)).isTrue();
  }

  private static byte[] splitKey(long vertex, long stamp) {
    byte[] slot = SplitRows.slot(vertex, true, 1);
    byte[] key = Arrays.copyOf(slot, slot.length + 16);
    return Arrays.copyOf(key, RowKeys.appendStamps(key, slot.length, stamp, stamp));
  }

  @Test
  void viewsBelowWhatWasDroppedAreRefused() {
    applyVertex(FIRST, 10, 40);
    begin();
    assertThat(isThere(FIRST, 20)).isTrue();
    RowBatch note = entry();
    Horizons horizons = new Horizons(Map.of(LABEL, 35L), Map.of());
    new DroppedHistory(List.of(new DroppedHistory.Run("a", horizons))).put(note);
    apply(note);
    assertRefused(ErrorCode.BELOW_WATERMARK, FIRST, new ReadView(20, 20, 40));
    assertThat(isThere(FIRST, 40)).isTrue();
  }

  @Test
  void nothingIsAnsweredOnceAnotherStoreOrALeaderTakesItsPlace() {
    applyVertex(FIRST, 10, 10);
    begin();
    shard.end();
    assertNotFarEnough(FIRST, 10);
  }

  private CompletableFuture<Response> traversal(Request message) {
    Request asked = Request.FollowerTraversal.of(message, List.of("n1", "n2"));
    return shard.handle(new Call(VirtualNodeMap.FIRST_EPOCH, 1000, asked));
  }

  private CompletableFuture<Response> startAt(long stamp, Manner manner) {
    Plan plan =
        new Plan(
            new PlanSource.Scan(ElementKind.VERTEX, List.of("file")),
            List.of(),
            ResultRange.ALL,
            new PlanResult.Elements());
    PlanNames names = new PlanNames(Map.of("file", LABEL), Map.of(), Map.of());
    ReadView view = new ReadView(stamp, stamp, stamp);
    return traversal(new Request.StartTraversal(ID, plan, names, view, List.of(), manner));
  }

  private static void assertFails(CompletableFuture<Response> answer, ErrorCode code) {
    assertThatThrownBy(answer::join)
        .cause()
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private void applySplit(long stamp) {
    RowBatch split = entry();
    split.put(Family.SPLITS, splitKey(FIRST, stamp), SplitRows.moveValue(7, 1));
    settled(stamp + 10, split);
    apply(split);
  }

  @Test
  void aTraversalTellsWhatTheViewItBeganWithTells() {
    applyVertex(SECOND, 10, 10);
    begin();
    assertFails(startAt(11, Manner.STEPWISE), ErrorCode.NOT_LEADER);
    assertThat(shard.openTraversals()).isZero();
    startAt(10, Manner.STEPWISE).join();
    assertThat(shard.openTraversals()).isEqualTo(1);
    applyVertex(THIRD, 20, 20);
    Response.LevelDone done =
        (Response.LevelDone)
            traversal(new Request.RunLevel(ID, 1, 0, Manner.STEPWISE, true)).join();
    assertThat(done.found()).isEqualTo(1);
    Response.Results results = (Response.Results) traversal(new Request.FetchResults(ID, 1)).join();
    assertThat(results.page().vertices()).containsExactly(SECOND);
    traversal(new Request.EndTraversal(ID)).join();
    assertThat(shard.openTraversals()).isZero();
    assertFails(
        traversal(new Request.RunLevel(ID, 2, 0, Manner.STEPWISE, false)),
        ErrorCode.TRAVERSAL_LOST);
  }

  @Test
  void aTraversalIsNotGoneOnWithBehindASplit() {
    applyVertex(SECOND, 10, 10);
    begin();
    startAt(10, Manner.STEPWISE).join();
    applySplit(30);
    assertFails(
        traversal(new Request.RunLevel(ID, 1, 0, Manner.STEPWISE, true)), ErrorCode.NOT_LEADER);
    assertFails(startAt(10, Manner.STEPWISE), ErrorCode.NOT_LEADER);
    assertFails(traversal(new Request.FetchResults(ID, 1)), ErrorCode.NOT_LEADER);
  }

  @Test
  void whoFollowsATraversalIsToldWhenTheReplicaTellsNothingAnyMore() {
    applyVertex(FIRST, 10, 10);
    begin();
    startAt(10, Manner.ASYNC).join();
    traversal(new Request.FollowTraversal(ID, false)).join();
    CompletableFuture<Response> more = traversal(new Request.FollowTraversal(ID, false));
    assertThat(more).as("there is nothing new to tell").isNotDone();
    shard.end();
    assertFails(more, ErrorCode.NOT_LEADER);
    assertThat(shard.openTraversals()).isZero();
  }

  @Test
  void whatIsBuiltIsBuiltBetweenTwoEntries() throws Exception {
    RowBatch entry = entry();
    vertex(FIRST, 10, entry);
    settled(10, entry);
    log.ordered(entry);
    CompletableFuture<Void> built = CompletableFuture.runAsync(this::begin);
    Thread.sleep(50);
    assertThat(built).isNotDone();
    store.write(entry, Durability.BACKGROUND);
    log.applied(entry);
    built.get(10, TimeUnit.SECONDS);
    assertThat(isThere(FIRST, 10)).isTrue();
  }

  @Test
  void whatIsNoReadOfOneViewIsRefused() {
    begin();
    assertThatThrownBy(
            () ->
                shard
                    .handle(new Call(VirtualNodeMap.FIRST_EPOCH, 1000, new Request.ReadWatermark()))
                    .join())
        .hasCauseInstanceOf(GraphMetaException.class);
    assertThatThrownBy(() -> new Request.FollowerRead(new Request.ReadWatermark()))
        .isInstanceOf(GraphMetaException.class);
    assertThatThrownBy(
            () -> Request.FollowerTraversal.of(new Request.ReadWatermark(), List.of("n1")))
        .isInstanceOf(GraphMetaException.class);
  }
}
