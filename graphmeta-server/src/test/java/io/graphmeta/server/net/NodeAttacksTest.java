package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.RequestHandler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What those send to the port of a node who should not: refused, and the node serves on. */
@ExtendWith(NoLeaks.class)
@Timeout(120)
final class NodeAttacksTest {
  private static final int STRANGERS = 64;
  private static final NodeSettings SETTINGS =
      TestCluster.SETTINGS
          .with(NodeSetting.MAX_STRANGERS, STRANGERS)
          .with(NodeSetting.MAX_QUEUED_BYTES, 1 << 20)
          .with(NodeSetting.HEARTBEAT_MILLIS, 100)
          .with(NodeSetting.SILENCE_TIMEOUT_MILLIS, 2000)
          .with(NodeSetting.HANDSHAKE_TIMEOUT_MILLIS, 1000);

  private final AtomicInteger handled = new AtomicInteger();
  private NetThreads threads;
  private NodeListener node;

  @BeforeEach
  void listen() {
    threads = new NetThreads(SETTINGS);
    node = open(SETTINGS);
  }

  private NodeListener open(NodeSettings settings) {
    byte[][] page = new byte[10][10_000];
    RequestHandler handler =
        call -> {
          handled.incrementAndGet();
          return CompletableFuture.completedFuture(
              call.request() instanceof Request.Snapshot snapshot
                  ? new Response.Stamped(snapshot.seen())
                  : new Response.Rows(page, page, null));
        };
    return NodeListener.open(
        TestCluster.identity("n0"),
        new ShardQueues("n0", Map.of(0, handler), settings),
        settings,
        threads,
        InstantSource.system());
  }

  @AfterEach
  void theNodeServesOn() {
    try (NetTransport transport = transport()) {
      Call call = new Call(1, 20_000, new Request.Snapshot(11));
      assertThat(transport.await(transport.send(0, call))).isEqualTo(new Response.Stamped(11));
    }
    node.close();
    threads.close();
  }

  private NetTransport transport() {
    return new NetTransport(
        TestCluster.identity("client"),
        List.of(new NodeAddress("n0", "localhost", port())),
        SETTINGS,
        threads,
        InstantSource.system());
  }

  private int port() {
    return node.address().getPort();
  }

  /** Sends bytes; the node must hang up by itself, without its handlers being called. */
  private void assertHangsUp(String what, byte[] bytes) throws IOException {
    try (RawPeer peer = RawPeer.call(port())) {
      try {
        peer.out.write(bytes);
        peer.out.flush();
      } catch (IOException e) {
        // It has hung up already.
      }
      assertThat(peer.isEnded()).as(what).isTrue();
    }
    assertThat(handled).as(what).hasValue(0);
  }

  @Test
  void garbageIsRefused() throws IOException {
    long seed = System.nanoTime();
    for (int round = 0; round < 200; round++) {
      Random random = new Random(seed + round);
      byte[] bytes = new byte[1 + random.nextInt(5000)];
      random.nextBytes(bytes);
      if (random.nextBoolean() && bytes.length > 8) {
        bytes[0] = 0; // so that the length is one that could be
        bytes[1] = 0;
        bytes[2] &= 3;
        bytes[4] = (byte) (1 + random.nextInt(6));
      }
      assertHangsUp("seed " + seed + ", round " + round, bytes);
    }
    assertHangsUp("HTTP", "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void giantLengthsAreRefusedBeforeTheyCome() throws IOException {
    for (int length : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 0, 1025}) {
      assertHangsUp("" + length, new ByteWriter(5).putInt(length).putByte(Frames.HELLO).toArray());
    }
    try (RawPeer peer = RawPeer.call(port())) {
      peer.introduce(TestCluster.identity("n1"));
      peer.out.writeInt(1 << 30);
      peer.out.flush();
      assertThat(peer.isEnded()).isTrue();
    }
    assertThat(node.traffic().refused()).isEqualTo(6);
    assertThat(node.traffic().bytesReceived()).isLessThan(1000);
  }

  @Test
  void whoSaysHalfAndNoMoreIsHungUpOn() throws IOException {
    byte[] hello = RawPeer.frame(RawPeer.hello(TestCluster.identity("n1")));
    List<RawPeer> halves = new ArrayList<>();
    for (int length = 0; length < hello.length; length++) {
      RawPeer half = RawPeer.call(port());
      half.out.write(hello, 0, length);
      half.out.flush();
      halves.add(half);
    }
    for (RawPeer half : halves) {
      assertThat(half.isEnded()).isTrue();
      half.close();
    }
    assertThat(handled).hasValue(0);
  }

  private String refusalOf(ByteWriter hello) throws IOException {
    try (RawPeer peer = RawPeer.call(port())) {
      peer.send(hello);
      byte[] frame = peer.receive();
      assertThat(frame[0]).isEqualTo((byte) Frames.REFUSAL);
      assertThat(peer.isEnded()).isTrue();
      return new ByteReader(frame, 1, frame.length - 1).getText();
    }
  }

  @Test
  void otherClustersVersionsAndClocksAreRefusedInWords() throws IOException {
    NodeIdentity self = TestCluster.identity("n1");
    long now = 1000 * System.currentTimeMillis();
    assertThat(refusalOf(RawPeer.hello(new NodeIdentity(new UUID(1, 2), "n1", 1))))
        .isEqualTo("WRONG_CLUSTER");
    assertThat(refusalOf(RawPeer.hello(Frames.HIGHEST_PROTOCOL + 1, 9, self, now)))
        .isEqualTo("NEWER_FORMAT");
    assertThat(refusalOf(RawPeer.hello(0, 0, self, now))).isEqualTo("OLDER_FORMAT");
    for (long clock : new long[] {0, now - 10_000_000, now + 10_000_000, Long.MAX_VALUE, -now}) {
      try (RawPeer peer = RawPeer.call(port())) {
        peer.send(RawPeer.hello(self));
        Greeting greeting = Greeting.of(peer.receive(Frames.HELLO));
        peer.send(ready(greeting.nonce(), clock));
        assertThat(new ByteReader(peer.receive(Frames.REFUSAL), 0, 20).getText())
            .isEqualTo("UNAVAILABLE");
        assertThat(peer.isEnded()).isTrue();
      }
    }
  }

  private static ByteWriter ready(long nonce, long clock) {
    return new ByteWriter(24).putByte(Frames.READY).putLong(nonce).putLong(clock);
  }

  @Test
  void aBuildOfTomorrowIsUnderstoodWhereItSpeaksTodaysVersionToo() throws IOException {
    try (RawPeer peer = RawPeer.call(port())) {
      NodeIdentity self = TestCluster.identity("n1");
      long now = 1000 * System.currentTimeMillis();
      peer.send(RawPeer.hello(1, 9, self, now).putText("something new").putLong(5));
      Greeting greeting = Greeting.of(peer.receive(Frames.HELLO));
      peer.send(ready(greeting.nonce(), now));
      peer.send(RawPeer.envelope(0, 1, 0, new Request.Snapshot(3)));
      peer.receive(Frames.ENVELOPE);
    }
  }

  @Test
  void nothingIsTakenBeforeTheHandshakeIsOver() throws IOException {
    ByteWriter call = RawPeer.envelope(0, 1, 0, new Request.Snapshot(3));
    assertHangsUp("first", RawPeer.frame(call));
    try (RawPeer peer = RawPeer.call(port())) {
      peer.send(RawPeer.hello(TestCluster.identity("n1")));
      peer.send(call);
      assertThat(peer.isEnded()).isTrue();
    }
    assertThat(handled).hasValue(0);
  }

  @Test
  void whatWasRecordedIsOfNoUse() throws IOException {
    NodeIdentity self = TestCluster.identity("n1");
    ByteWriter call = RawPeer.envelope(0, 1, 0, new Request.Snapshot(3));
    ByteWriter ready;
    try (RawPeer peer = RawPeer.call(port())) {
      peer.send(RawPeer.hello(self));
      Greeting greeting = Greeting.of(peer.receive(Frames.HELLO));
      ready = ready(greeting.nonce(), 1000 * System.currentTimeMillis());
      peer.send(ready);
      peer.send(call);
      peer.receive(Frames.ENVELOPE);
      assertThat(handled).hasValue(1);
      peer.send(call); // within the connection
      assertThat(peer.isEnded()).isTrue();
    }
    try (RawPeer peer = RawPeer.call(port())) { // in another
      peer.send(RawPeer.hello(self));
      peer.receive(Frames.HELLO);
      peer.send(ready);
      peer.send(call);
      assertThat(peer.isEnded()).isTrue();
    }
    assertThat(handled).hasValue(1);
  }

  @Test
  void damagedEnvelopesEndTheirConnectionAndNoOther() throws IOException {
    long seed = System.nanoTime();
    try (NetTransport transport = transport()) {
      for (int round = 0; round < 200; round++) {
        Random random = new Random(seed + round);
        byte[] frame = RawPeer.frame(RawPeer.envelope(0, 1, 0, new Request.Snapshot(3)));
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
        }
        try (RawPeer peer = RawPeer.call(port())) {
          peer.introduce(TestCluster.identity("n1"));
          peer.out.write(frame);
          peer.out.flush();
        }
        Call call = new Call(1, 20_000, new Request.Snapshot(round));
        assertThat(transport.await(transport.send(0, call)))
            .as("seed %d, round %d", seed, round)
            .isEqualTo(new Response.Stamped(round));
      }
    }
  }

  @Test
  void shardsThatAreNobodysCostNoMoreThanOthers() throws IOException {
    try (RawPeer peer = RawPeer.call(port())) {
      peer.introduce(TestCluster.identity("n1"));
      long before = allocatedBytes();
      int sequence = 0;
      for (int shard : new int[] {1, 1 << 20, Integer.MAX_VALUE - 64, Integer.MAX_VALUE}) {
        peer.send(RawPeer.envelope(sequence, 1 + sequence, shard, new Request.Snapshot(3)));
        peer.receive(Frames.ENVELOPE);
        sequence++;
      }
      assertThat(allocatedBytes() - before).as("bytes allocated").isLessThan(16 << 20);
    }
    assertThat(handled).hasValue(0);
  }

  private static long allocatedBytes() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds())).sum();
  }

  @Test
  void tenThousandHalfOpenConnectionsKeepNobodyOut() throws Exception {
    List<SocketChannel> halfOpen = new ArrayList<>();
    int served = 0;
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getByName("localhost"), port());
      for (int i = 0; i < 10_000; i++) {
        halfOpen.add(SocketChannel.open(address));
        if (i % 500 == 0) {
          assertThat(node.connections()).isLessThanOrEqualTo(STRANGERS + 1);
          try (NetTransport transport = transport()) {
            Call call = new Call(1, 20_000, new Request.Snapshot(i));
            transport.await(transport.send(0, call));
            served++;
          }
        }
      }
      assertThat(served).isEqualTo(20);
      assertThat(node.connections()).isLessThanOrEqualTo(STRANGERS + 1);
      Thread.sleep(1500);
      assertThat(node.connections()).as("after the time for a handshake").isZero();
    } finally {
      for (SocketChannel each : halfOpen) {
        each.close();
      }
    }
  }

  @Test
  void whoReadsNothingIsNotWorkedFor() throws Exception {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress("localhost", port()));
    int sent = 0;
    try (RawPeer peer = new RawPeer(socket)) {
      peer.introduce(TestCluster.identity("n1"));
      // Each answer has 200 kB; all of them would be 2 GB.
      Thread sender = new Thread(() -> sendReads(peer));
      sender.start();
      long begin = System.nanoTime();
      while (node.connections() > 0 && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(20)) {
        sent = handled.get();
        Thread.sleep(20);
      }
      assertThat(node.connections()).as("after the time of silence").isZero();
      sender.join();
    }
    assertThat(sent).isPositive();
    assertThat(handled.get() * 200_000L)
        .as("bytes of answers made, of which the queues of the system hold some")
        .isLessThan(200L << 20);
  }

  private static void sendReads(RawPeer peer) {
    Request read = new Request.ReadSchema();
    try {
      for (int i = 0; i < 10_000; i++) {
        peer.send(RawPeer.envelope(i, i, 0, read));
        if (i % 100 == 0) {
          Thread.sleep(5);
        }
      }
    } catch (IOException | InterruptedException e) {
      // The node has hung up.
    }
  }

  @Test
  void noMoreConnectionsThanAllowed() throws Exception {
    node.close();
    node = open(SETTINGS.with(NodeSetting.MAX_CONNECTIONS, 3));
    List<RawPeer> peers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      RawPeer peer = RawPeer.call(port());
      peer.introduce(TestCluster.identity("n1"));
      peer.send(RawPeer.envelope(0, 1, 0, new Request.Snapshot(3)));
      peer.receive(Frames.ENVELOPE);
      peers.add(peer);
    }
    try (RawPeer fourth = RawPeer.call(port())) {
      assertThat(fourth.isEnded()).isTrue();
    }
    for (RawPeer peer : peers) {
      peer.close();
    }
    while (node.connections() > 0) {
      Thread.sleep(5);
    }
    assertThat(Arrays.asList(handled.get())).containsExactly(3);
  }
}
