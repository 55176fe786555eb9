package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MessageCodec;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.server.cli.cluster.ChildProcess;
import io.graphmeta.server.faults.FaultyProxy;
import io.graphmeta.server.faults.LinkFault;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of calls when connections break and nodes go away and come back. */
@ExtendWith(NoLeaks.class)
@Timeout(120)
final class LostConnectionsTest {
  private static final int ROUNDS = Integer.getInteger("graphmeta.rounds", 3);
  private static final int CALLS = 2000;
  private static final NodeSettings SETTINGS =
      TestCluster.SETTINGS
          .with(NodeSetting.RECONNECT_MILLIS, 1)
          .with(NodeSetting.MAX_RECONNECT_MILLIS, 20);
  private static final int CALL_MILLIS = 30_000;

  /** With them calls have all their time, however long a busy machine takes to start nodes. */
  private static final NodeSettings PATIENT =
      SETTINGS
          .with(NodeSetting.BEGIN_TIMEOUT_MILLIS, CALL_MILLIS)
          .with(NodeSetting.WAIT_MILLIS, CALL_MILLIS);

  /** Counts how often each call was done. */
  private static final class Counter implements RequestHandler {
    private final Map<Long, AtomicInteger> done = new ConcurrentHashMap<>();

    @Override
    public CompletableFuture<Response> handle(Call call) {
      long number =
          call.request() instanceof Request.Snapshot read
              ? read.seen()
              : ((Request.Resolve) call.request()).id().number();
      done.computeIfAbsent(number, n -> new AtomicInteger()).incrementAndGet();
      return CompletableFuture.completedFuture(new Response.Stamped(number));
    }

    int times(long number) {
      return done.getOrDefault(number, new AtomicInteger()).get();
    }
  }

  private static Call read(long number) {
    return new Call(1, CALL_MILLIS, new Request.Snapshot(number));
  }

  private static Call change(long number) {
    return new Call(1, CALL_MILLIS, new Request.Resolve(new TransactionId(1, 1, number), true));
  }

  private static NetTransport to(int port, NodeSettings settings, NetThreads threads) {
    return new NetTransport(
        TestCluster.identity("client"),
        List.of(new NodeAddress("n0", "localhost", port)),
        settings,
        threads,
        InstantSource.system());
  }

  private static NodeListener listen(int port, RequestHandler shard, NetThreads threads) {
    return listen(port, shard, SETTINGS, threads);
  }

  /** Listens; a listener that was closed gives its port back when its thread comes to that. */
  private static NodeListener listen(
      int port, RequestHandler shard, NodeSettings settings, NetThreads threads) {
    for (int attempt = 1; ; attempt++) {
      try {
        return NodeListener.open(
            TestCluster.identity("n0"),
            new ShardQueues("n0", Map.of(0, shard), settings),
            settings.with(NodeSetting.PORT, port),
            threads,
            InstantSource.system());
      } catch (GraphMetaException e) {
        if (attempt == 100) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }
  }

  private static @Nullable ErrorCode errorOf(Transport transport, CompletableFuture<Response> of) {
    try {
      transport.await(of);
      return null;
    } catch (GraphMetaException e) {
      return e.code();
    }
  }

  @Test
  void whatOnlyReadsIsSentAgainAndNothingElse() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
        NetThreads threads = new NetThreads(SETTINGS);
        NetTransport transport = to(server.getLocalPort(), SETTINGS, threads)) {
      List<CompletableFuture<Response>> both =
          transport.sendAll(
              List.of(new Transport.Addressed(0, read(1)), new Transport.Addressed(0, change(2))));
      try (RawPeer node = new RawPeer(server.accept())) {
        node.answer(TestCluster.identity("n0"));
        node.receive(Frames.ENVELOPE);
      }
      assertThat(errorOf(transport, both.get(1))).isEqualTo(ErrorCode.UNREACHABLE);
      try (RawPeer node = new RawPeer(server.accept())) {
        node.answer(TestCluster.identity("n0"));
        byte[] again = node.receive(Frames.ENVELOPE);
        assertThat(both.get(0)).isNotDone();
        // The sequence, one call, and its number, which is that of the first time.
        assertThat(again[4]).isEqualTo((byte) EnvelopeWriter.CALL);
        assertThat(again[5]).isEqualTo((byte) 1);
        assertThat(again).hasSize(7 + 1 + again[7]);
      }
    }
  }

  @Test
  void whatBreaksEachConnectionIsNotSentForEver() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
        NetThreads threads = new NetThreads(SETTINGS);
        NetTransport transport = to(server.getLocalPort(), SETTINGS, threads)) {
      CompletableFuture<Response> answer = transport.send(0, read(1));
      for (int i = 0; i < 5; i++) {
        assertThat(answer).isNotDone();
        try (RawPeer node = new RawPeer(server.accept())) {
          node.answer(TestCluster.identity("n0"));
          node.receive(Frames.ENVELOPE);
        }
      }
      assertThat(errorOf(transport, answer)).isEqualTo(ErrorCode.UNREACHABLE);
    }
  }

  /** That a node stops is not what the calls that it refuses have done. */
  @Test
  void whatNodesThatStopRefuseIsSentUntilOneDoesIt() throws Exception {
    MessageCodec codec = new MessageCodec(MessageCodec.DEFAULT_MAX_BYTES);
    int stops = 12;
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
        NetThreads threads = new NetThreads(PATIENT);
        NetTransport transport = to(server.getLocalPort(), PATIENT, threads)) {
      CompletableFuture<Response> answer = transport.send(0, read(1));
      for (int stop = 0; stop <= stops; stop++) {
        assertThat(answer).isNotDone();
        try (RawPeer node = new RawPeer(server.accept())) {
          node.answer(TestCluster.identity("n0"), Frames.LEAVING_PROTOCOL);
          long id = node.receive(Frames.ENVELOPE)[5];
          if (stop < stops) {
            node.send(new ByteWriter(1).putByte(Frames.LEAVING));
            node.send(RawPeer.envelope(0, id, codec.writeError(stopping())));
            assertThat(node.isEnded()).as("the caller closes it").isTrue();
          } else {
            node.send(RawPeer.envelope(0, id, codec.writeAnswer(new Response.Stamped(17))));
            assertThat(transport.await(answer)).isEqualTo(new Response.Stamped(17));
          }
        }
      }
    }
  }

  private static GraphMetaException stopping() {
    return new GraphMetaException(ErrorCode.UNAVAILABLE, "The node stops; nothing was done");
  }

  @Test
  void aNodeThatIsStartedAgainIsWaitedFor() throws Exception {
    int port = ChildProcess.freePort();
    Counter counter = new Counter();
    try (NetThreads threads = new NetThreads(SETTINGS);
        NetTransport transport = to(port, SETTINGS, threads)) {
      for (int start = 0; start < 5; start++) {
        CompletableFuture<Response> early = transport.send(0, change(3L * start));
        Thread.sleep(30);
        try (NodeListener node = listen(port, counter, threads)) {
          assertThat(node.address().getPort()).isEqualTo(port);
          assertThat(transport.await(early)).isEqualTo(new Response.Stamped(3L * start));
          assertThat(errorOf(transport, transport.send(0, change(3L * start + 1)))).isNull();
        }
        while (transport.peers().get(0).connected()) {
          Thread.sleep(1);
        }
      }
      for (int start = 0; start < 5; start++) {
        assertThat(counter.times(3L * start)).isEqualTo(1);
      }
    }
  }

  @Test
  void aNodeThatIsAwayForLongIsNotWaitedFor() throws Exception {
    int waitMillis = 300;
    NodeSettings settings = SETTINGS.with(NodeSetting.WAIT_MILLIS, waitMillis);
    try (NetThreads threads = new NetThreads(settings);
        NetTransport transport = to(ChildProcess.freePort(), settings, threads)) {
      long begin = System.nanoTime();
      CompletableFuture<Response> first = transport.send(0, read(1));
      assertThat(errorOf(transport, first)).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(System.nanoTime() - begin)
          .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(waitMillis));
      // From now on a call costs an attempt to connect at most.
      for (int i = 0; i < 200; i++) {
        assertThat(errorOf(transport, transport.send(0, change(i))))
            .isEqualTo(ErrorCode.UNAVAILABLE);
      }
      assertThat(transport.peers().get(0).queuedBytes()).isZero();
    }
  }

  @Test
  void aCallWhoseTimeIsOverBeforeItWasSentWasNotDone() throws Exception {
    try (NetThreads threads = new NetThreads(SETTINGS);
        NetTransport transport = to(ChildProcess.freePort(), SETTINGS, threads)) {
      CompletableFuture<Response> shortly =
          transport.send(
              0, new Call(1, 100, new Request.Resolve(new TransactionId(1, 1, 1), true)));
      assertThat(errorOf(transport, shortly)).isEqualTo(ErrorCode.UNAVAILABLE);
    }
  }

  /**
   * Calls while connections are cut within frames, refused and swallowed: what changes is done once
   * at most, what is said not to have been done never was, and nothing stays taken.
   */
  @Test
  void whatIsToldOfCallsIsTrueWhateverBreaks() throws Exception {
    long first = Long.getLong("graphmeta.seed", System.nanoTime());
    int answered = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long seed = first + round;
      answered += callsWhileConnectionsBreak(seed);
    }
    // Of one round none may be: where nobody waits, all can be refused before there is a
    // connection.
    assertThat(answered).as("answered, -Dgraphmeta.seed=%d", first).isPositive();
  }

  /** Returns how many calls were answered. */
  private static int callsWhileConnectionsBreak(long seed) throws Exception {
    Random random = new Random(seed);
    Counter counter = new Counter();
    NodeSettings settings =
        SETTINGS
            .with(NodeSetting.WAIT_MILLIS, random.nextInt(3) * 200)
            .with(NodeSetting.HEARTBEAT_MILLIS, 50)
            .with(NodeSetting.SILENCE_TIMEOUT_MILLIS, 200)
            .with(NodeSetting.HANDSHAKE_TIMEOUT_MILLIS, 200);
    try (NetThreads threads = new NetThreads(settings);
        NodeListener node = listen(0, counter, threads);
        FaultyProxy proxy = new FaultyProxy(node.address().getPort(), seed);
        NetTransport transport = to(proxy.port(), settings, threads)) {
      List<CompletableFuture<Response>> calls = new ArrayList<>();
      for (int number = 0; number < CALLS; number++) {
        if (random.nextInt(40) == 0) {
          proxy.set(fault(random));
        }
        calls.add(transport.send(0, isRead(number) ? read(number) : change(number)));
        if (random.nextInt(20) == 0) {
          Thread.sleep(random.nextInt(10));
        }
      }
      proxy.set(LinkFault.NONE);
      int answered = 0;
      int again = 0;
      for (int number = 0; number < CALLS; number++) {
        ErrorCode error = errorOf(transport, calls.get(number));
        int times = counter.times(number);
        String what = "call " + number + ", " + error + ", -Dgraphmeta.seed=" + seed;
        if (error == null) {
          answered++;
          assertThat(times).as(what).isPositive();
        } else {
          assertThat(error)
              .as(what)
              .isIn(ErrorCode.UNAVAILABLE, ErrorCode.UNREACHABLE, ErrorCode.OVERLOADED);
          if (!isRead(number) && error != ErrorCode.UNREACHABLE) {
            assertThat(times).as(what).isZero();
          }
        }
        again += times > 1 ? 1 : 0;
        assertThat(times).as(what).isLessThanOrEqualTo(isRead(number) ? 5 : 1);
      }
      assertThat(transport.peers().get(0).queuedBytes()).as("seed %d", seed).isZero();
      System.out.printf(
          "Seed %d: %d of %d calls answered, %d done more than once%n",
          seed, answered, CALLS, again);
      return answered;
    }
  }

  /**
   * A node is stopped as its administrator stops it, and started again, some times, also many times
   * one after the other, while calls are under way that take their time: none of them is lost, and
   * of those that it refuses nothing was done. Where one of the two ends speaks the protocol of
   * old, a call may be lost, but is done once at most.
   */
  @Test
  void aNodeThatIsStoppedInOrderLosesNoCall() throws Exception {
    long first = Long.getLong("graphmeta.seed", System.nanoTime());
    for (int round = 0; round < ROUNDS; round++) {
      long seed = first + round;
      callsWhileTheNodeIsRestarted(seed, PATIENT, PATIENT);
      NodeSettings old = PATIENT.with(NodeSetting.HIGHEST_PROTOCOL, Frames.LOWEST_PROTOCOL);
      callsWhileTheNodeIsRestarted(seed, round % 2 == 0 ? old : PATIENT, old);
    }
  }

  private static void callsWhileTheNodeIsRestarted(
      long seed, NodeSettings ofNode, NodeSettings ofCaller) throws Exception {
    Random random = new Random(seed);
    Counter counter = new Counter();
    int port = ChildProcess.freePort();
    List<CompletableFuture<Response>> calls = new ArrayList<>();
    try (NetThreads threads = new NetThreads(SETTINGS);
        NetTransport transport = to(port, ofCaller, threads)) {
      RequestHandler slow = call -> after(random.nextInt(5), counter.handle(call));
      NodeListener node = listen(port, slow, ofNode, threads);
      try {
        int stops = 0;
        for (int number = 0; number < CALLS; number++) {
          calls.add(transport.send(0, isRead(number) ? read(number) : change(number)));
          if (random.nextInt(20) == 0) {
            Thread.sleep(random.nextInt(10));
          }
          if (random.nextInt(CALLS / 20) == 0) {
            stops = 1 + (random.nextInt(4) == 0 ? random.nextInt(12) : 0);
          }
          if (stops > 0) {
            stops--;
            NodeListener before = node;
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(before::close);
            for (int meanwhile = random.nextInt(stops == 0 ? 200 : 20);
                meanwhile > 0 && number < CALLS - 1; ) {
              number++;
              meanwhile--;
              calls.add(transport.send(0, isRead(number) ? read(number) : change(number)));
            }
            stopped.join();
            node = listen(port, slow, ofNode, threads);
          }
        }
        requireTrue(seed, ofCaller, transport, calls, counter);
      } finally {
        node.close();
      }
    }
  }

  private static CompletableFuture<Response> after(int millis, CompletableFuture<Response> answer) {
    return millis == 0
        ? answer
        : answer.thenApplyAsync(
            same -> same, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
  }

  private static void requireTrue(
      long seed,
      NodeSettings ofCaller,
      NetTransport transport,
      List<CompletableFuture<Response>> calls,
      Counter counter) {
    boolean isNew = ofCaller.integer(NodeSetting.HIGHEST_PROTOCOL) >= Frames.LEAVING_PROTOCOL;
    int refused = 0;
    int lost = 0;
    for (int number = 0; number < calls.size(); number++) {
      ErrorCode error = errorOf(transport, calls.get(number));
      int times = counter.times(number);
      String what = "call " + number + ", " + error + ", -Dgraphmeta.seed=" + seed;
      if (error == null) {
        assertThat(times).as(what).isBetween(1, isRead(number) ? 5 : 1);
      } else if (error == ErrorCode.UNAVAILABLE || error == ErrorCode.OVERLOADED) {
        refused++;
        assertThat(error == ErrorCode.UNAVAILABLE && isNew && isRead(number)).as(what).isFalse();
        assertThat(times).as(what).isZero();
      } else {
        lost++;
        assertThat(error).as(what).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(isNew || isRead(number)).as(what).isFalse();
        assertThat(times).as(what).isLessThanOrEqualTo(1);
      }
    }
    System.out.printf(
        "Seed %d: %d calls, %d refused, %d lost%n", seed, calls.size(), refused, lost);
  }

  private static boolean isRead(int number) {
    return number % 2 == 0;
  }

  private static LinkFault fault(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new LinkFault.Cut(1 + random.nextInt(2000));
      case 1 -> new LinkFault.Refuse();
      case 2 -> new LinkFault.Swallow(LinkFault.Side.values()[random.nextInt(2)]);
      default -> LinkFault.NONE;
    };
  }
}
