package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.RunningCluster;
import io.graphmeta.server.membership.ClusterMembership;
import io.graphmeta.server.membership.ZooKeeperSetting;
import io.graphmeta.server.membership.ZooKeeperSettings;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What those do to the port of a real node who should not: each is refused, while a good client
 * writes and reads; and in the end the process has no more memory, threads and files than a node
 * may have. {@code -Dgraphmeta.half-open=10000} opens as many connections that say nothing.
 */
@RunsAlone
class NodePortAttackIT {
  private static final int HALF_OPEN = Integer.getInteger("graphmeta.half-open", 2_000);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int STRANGERS = 64;
  private static final long QUEUED_BYTES = 1 << 20;
  private static final long MEMORY_KIB = 900 * 1024;
  private static final List<String> SETTINGS =
      List.of(
          "node.max-strangers=" + STRANGERS,
          "node.max-queued-bytes=" + QUEUED_BYTES,
          "node.heartbeat-millis=300",
          "node.silence-timeout-millis=2000",
          "node.handshake-timeout-millis=2000");

  @TempDir private Path directory;
  private GraphDatabase good;
  private int port;
  private long process;
  private UUID cluster;
  private long written;

  @Test
  void aNodeServesOnWhateverIsSentToIt() throws Exception {
    try (RunningCluster running = start(List.of());
        GraphDatabase database = GraphDatabases.open(running.config())) {
      good = database;
      assertServes();
      long threads = status("Threads");
      long files = files();
      garbage();
      giantLengths();
      wrongClustersVersionsAndClocks();
      replayedFrames();
      whoReadsNothing();
      clears();
      halfOpen();
      assertServes();
      awaitNoStrangers(files);
      assertThat(status("Threads")).as("threads").isLessThanOrEqualTo(threads + 8);
      assertThat(status("VmHWM")).as("most memory, in KiB").isLessThan(MEMORY_KIB);
    }
  }

  @Test
  void whoHasNoCertificateGetsNoFurther() throws Exception {
    Certificates authority = new Certificates(directory.resolve("authority"));
    List<String> tls = new ArrayList<>();
    NodeSettings node = authority.settings("node", "localhost");
    for (NodeSetting each :
        List.of(NodeSetting.TLS_CERT, NodeSetting.TLS_KEY, NodeSetting.TLS_CA)) {
      tls.add(each.key() + "=" + node.get(each));
    }
    tls.add("node.advertised-host=localhost");
    Path settings = Files.write(directory.resolve("client"), tls.subList(0, 3));
    try (RunningCluster running = start(tls);
        GraphDatabase database =
            GraphDatabases.open(
                running.config().with(io.graphmeta.config.Setting.CLUSTER_SETTINGS, settings))) {
      good = database;
      assertServes();
      long files = files();
      garbage();
      giantLengths();
      strangersByTls(authority.authority());
      halfOpen();
      assertServes();
      awaitNoStrangers(files);
      assertThat(status("VmHWM")).as("most memory, in KiB").isLessThan(MEMORY_KIB);
    }
  }

  /** Who knows all that a client of the cluster knows does not remove everything by a message. */
  private void clears() {
    NodeSettings settings = TestCluster.SETTINGS;
    List<NodeAddress> nodes = Collections.nCopies(2, new NodeAddress("n1", "127.0.0.1", port));
    try (NetThreads threads = new NetThreads(settings);
        NetTransport transport =
            new NetTransport(
                new NodeIdentity(cluster, "cleaner", 1),
                nodes,
                settings,
                threads,
                InstantSource.system())) {
      Call clear = new Call(VirtualNodeMap.FIRST_EPOCH, 30_000, new Request.Clear());
      for (int shard : new int[] {0, 1, 0}) {
        assertThatThrownBy(() -> transport.await(transport.send(shard, clear)))
            .hasMessageContaining("No shard of a cluster is cleared");
      }
    }
    assertThatThrownBy(good::clear).hasMessageContaining("is not cleared as a whole");
    assertServes();
  }

  /** A node that is reached at the address that it listens on. */
  private RunningCluster start(List<String> more) {
    List<String> settings = new ArrayList<>(SETTINGS);
    settings.addAll(more);
    List<String> addresses = new ArrayList<>();
    UnaryOperator<String> reached =
        address -> {
          addresses.add(address);
          return more.isEmpty() ? address : address.replace("127.0.0.1", "localhost");
        };
    RunningCluster running =
        new RunningCluster(
            directory.resolve("cluster"), new LocalCluster.Shape(1, 2, 1), settings, reached);
    String address = addresses.get(1);
    port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    process = running.processes().node(1).handle().pid();
    ZooKeeperSettings zookeeper =
        ZooKeeperSettings.of(Map.of(ZooKeeperSetting.HOSTS.key(), running.processes().zookeeper()));
    try (ClusterMembership membership = ClusterMembership.open(zookeeper, "local")) {
      cluster = membership.view().cluster().id();
    }
    return running;
  }

  /** The good client writes, and reads all that it has written. */
  private void assertServes() {
    try (GraphTransaction tx = good.begin()) {
      tx.addVertex("v" + written++, "file", Map.of(), Stamp.AT_COMMIT);
      tx.commit();
    }
    try (GraphTransaction tx = good.begin()) {
      ReadView now = tx.snapshot();
      assertThat(tx.countVertices(Set.of(), now)).isEqualTo(written);
    }
  }

  private long status(String name) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process + "/status"))) {
      if (line.startsWith(name + ":")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException("no " + name);
  }

  private long files() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/" + process + "/fd"))) {
      return open.count();
    }
  }

  private void awaitNoStrangers(long filesBefore) throws Exception {
    for (int look = 0; files() > filesBefore + 16; look++) {
      assertThat(look).as("%d files, before %d", files(), filesBefore).isLessThan(300);
      Thread.sleep(50);
    }
  }

  /** Sends bytes; the node must hang up by itself. */
  private void assertHangsUp(String what, byte[] bytes) throws IOException {
    try (RawPeer peer = RawPeer.call(port)) {
      try {
        peer.out.write(bytes);
        peer.out.flush();
      } catch (IOException e) {
        // It has hung up already.
      }
      assertThat(peer.isEnded()).as(what).isTrue();
    }
  }

  private void garbage() throws IOException {
    Random random = new Random(SEED);
    for (int round = 0; round < 50; round++) {
      byte[] bytes = new byte[8 + random.nextInt(100_000)];
      random.nextBytes(bytes);
      assertHangsUp("seed " + SEED + ", round " + round, bytes);
    }
    assertHangsUp("HTTP", "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertServes();
  }

  private void giantLengths() throws IOException {
    for (int length : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 0, 1025}) {
      assertHangsUp("" + length, new ByteWriter(5).putInt(length).putByte(Frames.HELLO).toArray());
    }
    assertServes();
  }

  private NodeIdentity self() {
    return new NodeIdentity(cluster, "stranger", 1);
  }

  private String refusalOf(ByteWriter hello) throws IOException {
    try (RawPeer peer = RawPeer.call(port)) {
      peer.send(hello);
      byte[] frame = peer.receive(Frames.REFUSAL);
      assertThat(peer.isEnded()).isTrue();
      return new ByteReader(frame, 0, frame.length).getText();
    }
  }

  private void wrongClustersVersionsAndClocks() throws IOException {
    long now = 1000 * System.currentTimeMillis();
    assertThat(refusalOf(RawPeer.hello(new NodeIdentity(new UUID(1, 2), "n1", 1))))
        .isEqualTo("WRONG_CLUSTER");
    assertThat(refusalOf(RawPeer.hello(Frames.HIGHEST_PROTOCOL + 1, 9, self(), now)))
        .isEqualTo("NEWER_FORMAT");
    assertThat(refusalOf(RawPeer.hello(0, 0, self(), now))).isEqualTo("OLDER_FORMAT");
    try (RawPeer peer = RawPeer.call(port)) {
      peer.send(RawPeer.hello(self()));
      Greeting greeting = Greeting.of(peer.receive(Frames.HELLO));
      peer.send(ready(greeting.nonce(), now + 3_600_000_000L));
      byte[] refusal = peer.receive(Frames.REFUSAL);
      assertThat(new ByteReader(refusal, 0, refusal.length).getText()).isEqualTo("UNAVAILABLE");
    }
    assertServes();
  }

  private static ByteWriter ready(long nonce, long clockMicros) {
    return new ByteWriter(24).putByte(Frames.READY).putLong(nonce).putLong(clockMicros);
  }

  private void replayedFrames() throws IOException {
    ByteWriter call = RawPeer.envelope(0, 1, 0, new Request.Snapshot(3));
    ByteWriter ready;
    try (RawPeer peer = RawPeer.call(port)) {
      peer.send(RawPeer.hello(self()));
      Greeting greeting = Greeting.of(peer.receive(Frames.HELLO));
      ready = ready(greeting.nonce(), 1000 * System.currentTimeMillis());
      peer.send(ready);
      peer.send(call);
      peer.receive(Frames.ENVELOPE);
      peer.send(call);
      assertThat(peer.isEnded()).as("again in the same connection").isTrue();
    }
    try (RawPeer peer = RawPeer.call(port)) {
      peer.send(RawPeer.hello(self()));
      peer.receive(Frames.HELLO);
      peer.send(ready);
      peer.send(call);
      assertThat(peer.isEnded()).as("again in another connection").isTrue();
    }
    assertServes();
  }

  private void whoReadsNothing() throws Exception {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress("localhost", port));
    try (RawPeer peer = new RawPeer(socket)) {
      peer.introduce(self());
      // The node stops to read, and gives up; the limit is one of this loop alone.
      int sent = 0;
      try {
        while (sent < 10_000_000) {
          peer.send(RawPeer.envelope(sent, sent, 0, new Request.ReadSchema()));
          sent++;
        }
      } catch (IOException e) {
        // It has hung up.
      }
      assertThat(sent).as("calls taken of who reads no answers").isBetween(1, 9_999_999);
    }
    assertServes();
  }

  private void halfOpen() throws IOException {
    List<SocketChannel> open = new ArrayList<>();
    try {
      for (int i = 0; i < HALF_OPEN; i++) {
        open.add(SocketChannel.open(new InetSocketAddress("localhost", port)));
        if (i % 500 == 0) {
          assertServes();
        }
      }
      assertServes();
    } finally {
      for (SocketChannel each : open) {
        each.close();
      }
    }
  }

  /** Strangers who speak TLS: one without a certificate, one with that of another authority. */
  private void strangersByTls(Path authority) throws Exception {
    java.security.KeyStore trusted = java.security.KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (var in = Files.newInputStream(authority)) {
      trusted.setCertificateEntry(
          "ca", java.security.cert.CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(null, trust.getTrustManagers(), null);
    for (int i = 0; i < 20; i++) {
      try (RawPeer peer = new RawPeer(context.getSocketFactory().createSocket("localhost", port))) {
        try {
          peer.send(RawPeer.hello(self()));
        } catch (IOException e) {
          // The handshake was refused already.
        }
        assertThat(peer.isEnded()).as("without a certificate").isTrue();
      }
    }
    assertServes();
  }
}
