package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Family;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a transport between nodes does beyond what all do: envelopes, clocks, ends of connections.
 */
@ExtendWith(NoLeaks.class)
@Timeout(60)
final class NodesTest {
  private static final RequestHandler ECHO =
      call ->
          CompletableFuture.completedFuture(
              new Response.Stamped(((Request.Snapshot) call.request()).seen()));

  private static Call call(long seen) {
    return new Call(1, 30_000, new Request.Snapshot(seen));
  }

  private static void assertFails(ErrorCode code, String message, ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            GraphMetaException.class, error -> assertThat(error.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private static List<RequestHandler> echoes(int count) {
    return IntStream.range(0, count).mapToObj(i -> ECHO).toList();
  }

  @Test
  void callsOfOneMomentAreOneEnvelopeForEachNode() {
    for (int nodes : new int[] {1, 2, 4}) {
      try (TestCluster cluster = new TestCluster(echoes(16), nodes, TestCluster.SETTINGS)) {
        begin(cluster, 0); // connects
        long before = cluster.transport.traffic().envelopesSent();
        int begins = 50;
        for (int i = 0; i < begins; i++) {
          begin(cluster, i);
        }
        assertThat(cluster.transport.traffic().envelopesSent() - before)
            .as("%d nodes", nodes)
            .isEqualTo((long) begins * nodes);
        assertThat(cluster.transport.traffic().messagesReceived()).isEqualTo(16L * (begins + 1));
        assertThat(cluster.transport.traffic().envelopesReceived())
            .as("answers, each when it is there")
            .isLessThanOrEqualTo(16L * (begins + 1));
      }
    }
  }

  /** As the router begins a transaction. */
  private static void begin(TestCluster cluster, long seen) {
    List<Transport.Addressed> calls = new ArrayList<>();
    for (int shard = 0; shard < 16; shard++) {
      calls.add(new Transport.Addressed(shard, call(seen + shard)));
    }
    List<CompletableFuture<Response>> answers = cluster.sendAll(calls);
    for (int shard = 0; shard < 16; shard++) {
      assertThat(cluster.await(answers.get(shard))).isEqualTo(new Response.Stamped(seen + shard));
    }
  }

  @Test
  void whatCannotBeSentKeepsNothingElseOfItsMoment() {
    try (TestCluster cluster = new TestCluster(echoes(2), 2, TestCluster.SETTINGS)) {
      List<CompletableFuture<Response>> answers =
          cluster.sendAll(
              List.of(
                  new Transport.Addressed(0, call(5)),
                  new Transport.Addressed(9, call(6)),
                  new Transport.Addressed(1, call(7))));
      assertThat(cluster.await(answers.get(0))).isEqualTo(new Response.Stamped(5));
      assertFails(ErrorCode.INTERNAL, "No shard 9", () -> cluster.await(answers.get(1)));
      assertThat(cluster.await(answers.get(2))).isEqualTo(new Response.Stamped(7));
    }
  }

  @Test
  void longMessagesPassBothWays() {
    byte[][] keys = new byte[50][100_000];
    RequestHandler handler =
        call -> {
          Request.ProbeRows probe = (Request.ProbeRows) call.request();
          return CompletableFuture.completedFuture(new Response.Rows(probe.keys(), keys, null));
        };
    try (TestCluster cluster = new TestCluster(List.of(handler), 1, TestCluster.SETTINGS)) {
      Request probe = new Request.ProbeRows(Family.META, keys);
      for (int i = 0; i < 3; i++) {
        Response.Rows rows =
            (Response.Rows) cluster.await(cluster.send(0, new Call(1, 30_000, probe)));
        assertThat(rows.keys()).isDeepEqualTo(keys);
      }
    }
  }

  @Test
  void bytesThatWaitAreBounded() throws Exception {
    // Accepts and never reads.
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
        NetThreads threads = new NetThreads(TestCluster.SETTINGS)) {
      NodeSettings settings =
          TestCluster.SETTINGS
              .with(NodeSetting.MAX_QUEUED_BYTES, 1 << 20)
              .with(NodeSetting.HANDSHAKE_TIMEOUT_MILLIS, 300);
      try (NetTransport transport = to(silent.getLocalPort(), settings, threads)) {
        Request big = new Request.ReadVertices(new long[10_000], view(), Request.Detail.KEYS, 0);
        List<CompletableFuture<Response>> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          sent.add(transport.send(0, new Call(1, 10_000, big)));
        }
        long refused = sent.stream().filter(CompletableFuture::isDone).count();
        assertThat(refused).isBetween(80L, 95L);
        assertThat(transport.peers().get(0).queuedBytes()).isLessThanOrEqualTo(1 << 20);
        assertFails(ErrorCode.OVERLOADED, "nothing was done", () -> transport.await(sent.get(99)));
        assertFails(ErrorCode.UNAVAILABLE, "handshake", () -> transport.await(sent.get(0)));
        assertThat(transport.peers().get(0).queuedBytes()).isZero();
      }
    }
  }

  private static ReadView view() {
    return ReadView.at(1);
  }

  private static NetTransport to(int port, NodeSettings settings, NetThreads threads) {
    return new NetTransport(
        TestCluster.identity("client"),
        List.of(new NodeAddress("n0", "localhost", port)),
        settings,
        threads,
        InstantSource.system());
  }

  @Test
  void aNodeThatIsAwayFailsCallsAtOnceAndIsCalledAgain() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 50, InetAddress.getByName("localhost"))) {
      port = free.getLocalPort();
    }
    NodeSettings settings =
        TestCluster.SETTINGS
            .with(NodeSetting.MAX_RECONNECT_MILLIS, 200)
            .with(NodeSetting.WAIT_MILLIS, 0);
    try (NetThreads threads = new NetThreads(settings);
        NetTransport transport = to(port, settings, threads)) {
      for (int i = 0; i < 20; i++) {
        long begin = System.nanoTime();
        assertFails(
            ErrorCode.UNAVAILABLE,
            "nothing was done",
            () -> transport.await(transport.send(0, call(1))));
        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(5));
      }
      try (NodeListener back =
          NodeListener.open(
              TestCluster.identity("n0"),
              new ShardQueues("n0", Map.of(0, ECHO), settings),
              settings.with(NodeSetting.PORT, port),
              threads,
              InstantSource.system())) {
        assertThat(back.address().getPort()).isEqualTo(port);
        assertThat(answeredInTime(transport)).isEqualTo(new Response.Stamped(3));
        assertThat(transport.peers().get(0).connected()).isTrue();
        assertThat(transport.peers().get(0).incarnation()).isEqualTo(1);
      }
    }
  }

  /** As a client does that tries again. */
  private static Response answeredInTime(NetTransport transport) throws InterruptedException {
    for (int i = 0; i < 500; i++) {
      try {
        return transport.await(transport.send(0, call(3)));
      } catch (GraphMetaException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        Thread.sleep(10);
      }
    }
    throw new AssertionError("not reached");
  }

  @Test
  void aConnectionThatBreaksWithinAnEnvelopeFailsWhatItCarriedAtOnce() throws Exception {
    for (boolean withinAnswer : new boolean[] {false, true}) {
      try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
          NetThreads threads = new NetThreads(TestCluster.SETTINGS);
          NetTransport transport = to(server.getLocalPort(), TestCluster.SETTINGS, threads)) {
        CompletableFuture<Response> answer = transport.send(0, new Call(1, 30_000, outcome()));
        try (RawPeer node = new RawPeer(server.accept())) {
          node.answer(TestCluster.identity("n0"));
          if (withinAnswer) {
            node.receive(Frames.ENVELOPE);
            node.out.write(new byte[] {0, 0, 0, 50, Frames.ENVELOPE, 0, 0});
            node.out.flush();
          } else {
            node.in.readFully(new byte[9]);
          }
        }
        long begin = System.nanoTime();
        assertFails(ErrorCode.UNREACHABLE, "n0", () -> transport.await(answer));
        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(3));
        assertThat(transport.peers().get(0).queuedBytes()).isZero();
      }
    }
  }

  @Test
  void aNodeThatStopsWithoutAWordIsGivenUpAfterTheTimeOfSilence() throws Exception {
    NodeSettings settings =
        TestCluster.SETTINGS
            .with(NodeSetting.HEARTBEAT_MILLIS, 50)
            .with(NodeSetting.SILENCE_TIMEOUT_MILLIS, 400);
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
        NetThreads threads = new NetThreads(settings);
        NetTransport transport = to(server.getLocalPort(), settings, threads)) {
      CompletableFuture<Response> answer = transport.send(0, new Call(1, 60_000, outcome()));
      try (RawPeer node = new RawPeer(server.accept())) {
        node.answer(TestCluster.identity("n0"));
        assertFails(ErrorCode.UNREACHABLE, "nothing was heard", () -> transport.await(answer));
      }
    }
  }

  @Test
  void anIdleConnectionStays() throws Exception {
    NodeSettings settings =
        TestCluster.SETTINGS
            .with(NodeSetting.HEARTBEAT_MILLIS, 50)
            .with(NodeSetting.SILENCE_TIMEOUT_MILLIS, 1000);
    try (TestCluster cluster = new TestCluster(echoes(1), 1, settings)) {
      cluster.await(cluster.send(0, call(1)));
      Thread.sleep(2500);
      assertThat(cluster.transport.peers().get(0).connected()).isTrue();
      assertThat(cluster.listeners.get(0).connections()).isOne();
    }
  }

  @Test
  void anotherClusterAndAnotherNodeAreRefused() {
    try (TestCluster cluster = new TestCluster(echoes(1), 1, TestCluster.SETTINGS)) {
      NodeIdentity stranger = new NodeIdentity(new UUID(1, 1), "client", 1);
      try (NetTransport wrong =
          new NetTransport(
              stranger,
              cluster.nodeOfShard,
              TestCluster.SETTINGS,
              cluster.threads,
              InstantSource.system())) {
        assertFails(
            ErrorCode.WRONG_CLUSTER,
            "expected the same",
            () -> wrong.await(wrong.send(0, call(1))));
      }
      NodeAddress other = new NodeAddress("n7", "localhost", cluster.nodeOfShard.get(0).port());
      try (NetTransport wrong =
          new NetTransport(
              TestCluster.identity("client"),
              List.of(other),
              TestCluster.SETTINGS,
              cluster.threads,
              InstantSource.system())) {
        assertFails(
            ErrorCode.WRONG_CLUSTER,
            "Node n0 answers at n7",
            () -> wrong.await(wrong.send(0, call(1))));
      }
      assertThat(cluster.await(cluster.send(0, call(8)))).isEqualTo(new Response.Stamped(8));
    }
  }

  private static InstantSource ahead(long millis) {
    return () -> Instant.now().plus(Duration.ofMillis(millis));
  }

  @Test
  void clocksAreComparedAndThoseTooFarOffRefused() {
    try (TestCluster cluster =
        new TestCluster(echoes(1), 1, TestCluster.SETTINGS, ahead(100), InstantSource.system())) {
      cluster.await(cluster.send(0, call(1)));
      assertThat(cluster.transport.peers().get(0).clockOffsetMicros()).isBetween(50_000L, 150_000L);
    }
    for (long off : new long[] {-3000, 3000}) {
      try (TestCluster cluster =
          new TestCluster(echoes(1), 1, TestCluster.SETTINGS, ahead(off), InstantSource.system())) {
        assertFails(
            ErrorCode.UNAVAILABLE,
            "Set the clocks right",
            () -> cluster.await(cluster.send(0, call(1))));
      }
    }
  }

  @Test
  void aClockThatDriftsEndsTheConnection() throws Exception {
    AtomicInteger drift = new AtomicInteger();
    NodeSettings settings = TestCluster.SETTINGS.with(NodeSetting.HEARTBEAT_MILLIS, 20);
    RequestHandler never = call -> new CompletableFuture<>();
    try (TestCluster cluster =
        new TestCluster(
            List.of(never),
            1,
            settings,
            () -> Instant.now().plusMillis(drift.get()),
            InstantSource.system())) {
      CompletableFuture<Response> answer = cluster.send(0, new Call(1, 5_000, outcome()));
      while (!cluster.transport.peers().get(0).connected()) {
        Thread.sleep(1);
      }
      drift.set(10_000);
      assertFails(ErrorCode.UNREACHABLE, "clock", () -> cluster.await(answer));
    }
  }

  /** What is not sent again. */
  private static Request outcome() {
    return new Request.Resolve(new TransactionId(1, 1, 1), true);
  }

  private static Request lease() {
    return new Request.Lease(Request.SequenceKind.values()[0], 1, 1);
  }

  @Test
  void eachKindOfRequestHasItsTime() throws Exception {
    RequestHandler never = call -> new CompletableFuture<>();
    NodeSettings settings =
        TestCluster.SETTINGS
            .with(NodeSetting.BEGIN_TIMEOUT_MILLIS, 50)
            .with(NodeSetting.READ_TIMEOUT_MILLIS, 70);
    try (TestCluster cluster = new TestCluster(List.of(never), 1, settings)) {
      Call snapshot = new Call(1, 2_000, new Request.Snapshot(1));
      Call read = new Call(1, 2_000, new Request.ReadSchema());
      Call other = new Call(1, 90, lease());
      cluster.send(0, new Call(1, 30_000, lease()));
      while (!cluster.transport.peers().get(0).connected()) {
        Thread.sleep(1); // else the time passes before there is a connection
      }
      assertFails(ErrorCode.TIMEOUT, "50 ms", () -> cluster.await(cluster.send(0, snapshot)));
      assertFails(ErrorCode.TIMEOUT, "70 ms", () -> cluster.await(cluster.send(0, read)));
      assertFails(ErrorCode.TIMEOUT, "90 ms", () -> cluster.await(cluster.send(0, other)));
    }
  }

  @Test
  void whoDependsOnAnAnswerHoldsNoEventLoop() {
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    NodeSettings settings = TestCluster.SETTINGS.with(NodeSetting.NETWORK_THREADS, 1);
    try (TestCluster cluster = new TestCluster(echoes(2), 1, settings)) {
      CompletableFuture<Void> waits = cluster.send(0, call(1)).thenAccept(answer -> goOn.join());
      assertThat(cluster.await(cluster.send(1, call(2)))).isEqualTo(new Response.Stamped(2));
      goOn.complete(null);
      waits.join();
    }
  }

  /** Who waits reads the answer itself, unless it goes away or others are told, at any moment. */
  @Test
  void outcomesReachWhoeverWaitsHoweverOftenItIsInterrupted() throws Exception {
    long seed = System.nanoTime();
    try (TestCluster cluster = new TestCluster(echoes(1), 1, TestCluster.SETTINGS)) {
      AtomicInteger told = new AtomicInteger();
      AtomicInteger right = new AtomicInteger();
      Thread waiter =
          new Thread(
              () -> {
                Random random = new Random(seed);
                for (int i = 0; i < 5000; i++) {
                  Call call = new Call(1, 3000, new Request.Snapshot(i));
                  CompletableFuture<Response> answer = cluster.send(0, call);
                  if (random.nextBoolean()) {
                    answer.thenRun(told::incrementAndGet);
                  } else {
                    told.incrementAndGet();
                  }
                  if (cluster.awaitOutcome(answer).equals(new Response.Stamped(i))) {
                    right.incrementAndGet();
                  }
                  if (random.nextInt(3) > 0) {
                    Thread.interrupted();
                  }
                }
              });
      waiter.start();
      Random random = new Random(seed + 1);
      while (waiter.isAlive()) {
        waiter.interrupt();
        LockSupport.parkNanos(random.nextInt(200_000));
      }
      assertThat(right).as("seed %d", seed).hasValue(5000);
      assertThat(told).as("seed %d", seed).hasValue(5000);
    }
  }

  /** An answer that comes just before somebody waits is another thread's, which must wake him. */
  @Test
  void whoBeginsToWaitWhenTheAnswerComesIsWoken() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (TestCluster cluster = new TestCluster(echoes(1), 1, TestCluster.SETTINGS)) {
      for (int i = 0; i < 5000; i++) {
        CompletableFuture<Response> answer =
            cluster.send(0, new Call(1, 3000, new Request.Snapshot(i)));
        long until = System.nanoTime() + random.nextInt(200_000);
        while (System.nanoTime() < until) {
          Thread.onSpinWait();
        }
        assertThat(cluster.await(answer)).as("seed %d", seed).isEqualTo(new Response.Stamped(i));
      }
    }
  }

  @Test
  void aShardElsewhereIsSaidToBe() {
    try (TestCluster cluster = new TestCluster(echoes(2), 2, TestCluster.SETTINGS);
        NetTransport wrong =
            new NetTransport(
                TestCluster.identity("client"),
                List.of(cluster.nodeOfShard.get(1)),
                TestCluster.SETTINGS,
                cluster.threads,
                InstantSource.system())) {
      assertFails(
          ErrorCode.UNAVAILABLE,
          "does not host shard 0",
          () -> wrong.await(wrong.send(0, call(1))));
    }
  }

  @Test
  void closedTransportsRefuse() {
    TestCluster cluster = new TestCluster(echoes(1), 1, TestCluster.SETTINGS);
    cluster.await(cluster.send(0, call(1)));
    cluster.close();
    assertFails(ErrorCode.CLOSED, "closed", () -> cluster.await(cluster.send(0, call(1))));
  }

  @Test
  void beyondTheOwnMachineNodesTalkByTls() {
    NodeSettings everywhere = TestCluster.SETTINGS.with(NodeSetting.HOST, "0.0.0.0");
    try (NetThreads threads = new NetThreads(everywhere)) {
      assertFails(
          ErrorCode.INVALID_CONFIGURATION,
          "node.tls-cert",
          () ->
              NodeListener.open(
                  TestCluster.identity("n0"),
                  new ShardQueues("n0", Map.of(0, ECHO), everywhere),
                  everywhere,
                  threads,
                  InstantSource.system()));
      assertFails(
          ErrorCode.INVALID_CONFIGURATION,
          "node.tls-cert",
          () ->
              new NetTransport(
                  TestCluster.identity("client"),
                  List.of(new NodeAddress("n0", "192.0.2.1", 8190)),
                  everywhere,
                  threads,
                  InstantSource.system()));
    }
  }

  @Test
  void aRefusalIsToldAsItIs() {
    GraphMetaException error = new GraphMetaException(ErrorCode.OLDER_FORMAT, "x".repeat(5000));
    ByteWriter frame = Handshake.refusal(error);
    assertThat(frame.size()).isLessThan(Frames.MAX_GREETING_BYTES);
    byte[] rest = Arrays.copyOfRange(frame.array(), 1, frame.size());
    assertThat(Handshake.refusal(rest).code()).isEqualTo(ErrorCode.OLDER_FORMAT);
  }
}
