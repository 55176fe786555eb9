package io.graphmeta.server.net;

import static io.graphmeta.config.SettingType.bytes;
import static io.graphmeta.config.SettingType.choice;
import static io.graphmeta.config.SettingType.millis;
import static io.graphmeta.config.SettingType.number;
import static io.graphmeta.config.SettingType.text;

import io.graphmeta.config.DeclaredSetting;
import io.graphmeta.config.SettingDeclaration;
import io.graphmeta.config.SettingType;

/** Every setting of the connections between nodes. */
public enum NodeSetting implements DeclaredSetting {
  /** Address to listen on. */
  HOST("node.host", text("127.0.0.1"), "Address to listen on for other nodes."),
  /** Port to listen on. */
  PORT("node.port", number(8190, 0, 65_535), "Port to listen on for other nodes; 0: a free one."),
  /** Where others reach it. */
  ADVERTISED_HOST(
      "node.advertised-host",
      text(""),
      "Name or address at which others reach the node, if it is not the one to listen on: behind address translation, or where it listens on all addresses."),
  /** The port there. */
  ADVERTISED_PORT(
      "node.advertised-port",
      number(0, 0, 65_535),
      "Port at which others reach the node; 0: the one that it listens on."),
  /** Port of replicas. */
  REPLICA_PORT(
      "node.replica-port",
      number(8192, 1, 65_535),
      "Port at which the replicas of other nodes reach those of this one, where shards have several. It stays as it is when the node has joined."),
  /** The port there. */
  ADVERTISED_REPLICA_PORT(
      "node.advertised-replica-port",
      number(0, 0, 65_535),
      "The port of replicas as others reach it; 0: the one that it listens on."),
  /** Time until an election. */
  ELECTION_MILLIS(
      "node.election-millis",
      millis(500, 50, 60_000),
      "Time without a word of the leader of a shard after which its replicas elect another, at least; at most it is twice as much. The same for all nodes of a cluster. Less only where nodes never wait for a processor, more where they may be stopped for longer."),
  /** What it may fail with. */
  RACK(
      "node.rack",
      text(""),
      "The rack, room or switch of the node, of letters, digits, dots, hyphens and underscores: replicas of a shard are on nodes of different racks, as far as there are any. Empty: the node shares none."),
  /** When others take its shards. */
  LOST_MILLIS(
      "node.lost-millis",
      millis(0, 0, 30L * 24 * 3_600_000),
      "Time that another node may be away before its shards are given to nodes that are there, also to one that was drained or never added; 0: an operator does it, by graphmeta cluster replace. The same for all nodes of a cluster; longer than a restart of a machine takes."),
  /** What is done before it joins. */
  REHEARSAL_MILLIS(
      "node.rehearsal-millis",
      millis(1000, 0, 60_000),
      "Time that a node may take before it joins a cluster with replicas to open shards of its own and to write to them, so that the first shard that it comes to lead does not wait for code to be loaded; 0: none."),
  /** How fast a store is copied. */
  COPIED_BYTES_PER_SECOND(
      "node.copied-bytes",
      bytes(64L << 20, 1 << 16, 1L << 40),
      "Bytes a second, at most, by which a node copies the store of another one when it is given a replica of a shard, or was away for so long that the logs of the others do not reach back."),
  /** How much is applied again. */
  REPLAYED_BYTES(
      "node.replayed-bytes",
      bytes(128L << 20, 1 << 20, 1L << 40),
      "Bytes of entries after which the store of a replica is brought to disk, so that no more of its log is applied again when the node starts; eight times as much of the log is kept."),
  /** As that, in entries. */
  REPLAYED_ENTRIES(
      "node.replayed-entries",
      number(10_000, 100, 1_000_000_000),
      "Entries after which the store of a replica is brought to disk at the latest, for small ones take as long to be applied again as large ones."),
  /** How long the log of a replica is. */
  KEPT_ENTRIES(
      "node.kept-entries",
      number(100_000, 8, 1_000_000_000),
      "Entries that the log of a replica goes back at most. A replica that was away finds them there, and copies the whole store of another one if it lacks more. Each takes some 130 bytes of the heap of a node that has the shard, and is read when the node starts."),
  /** Address of health and metrics. */
  ADMIN_HOST(
      "node.admin-host",
      text("127.0.0.1"),
      "Address of the port of health and metrics, where nobody logs in."),
  /** Port of health and metrics. */
  ADMIN_PORT(
      "node.admin-port",
      number(-1, -1, 65_535),
      "Port of health and metrics; 0: a free one, -1: none."),
  /** Certificate chain. */
  TLS_CERT(
      "node.tls-cert",
      text(""),
      "Certificate chain in PEM, shown to nodes that call or are called."),
  /** Private key. */
  TLS_KEY("node.tls-key", text(""), "Private key of the certificate, PKCS 8 in PEM."),
  /** Certificates of those who sign nodes. */
  TLS_CA(
      "node.tls-ca",
      text(""),
      "Certificates in PEM of the authority that signs the certificates of all nodes of the cluster."),
  /** Length of a frame. */
  MAX_FRAME_BYTES(
      "node.max-frame-bytes",
      bytes(262_144, 4096, 1 << 24),
      "Length of a frame; longer messages are cut. The same for all nodes of a cluster."),
  /** Size of a message. */
  MAX_MESSAGE_BYTES(
      "node.max-message-bytes",
      bytes(3 << 29, 1 << 16, 3 << 29),
      "Size of a message: a transaction's part, a page of answers."),
  /** Whether envelopes are packed. */
  COMPRESSION(
      "node.compression",
      choice("none", "lz4"),
      "Whether this process packs what it sends to nodes that understand it: for networks that are slower than processors."),
  /** Where the past is read. */
  READ_FROM(
      "node.read-from",
      choice("replicas", "leader"),
      "From where this process reads views of the past in a cluster with replicas: from any replicas of each shard that have all up to then, those of nodes on its own rack first, or from those that lead."),
  /** Unanswered calls. */
  MAX_CALLS(
      "node.max-calls",
      number(1024, 1, 1 << 20),
      "Calls to one shard that wait for their answers; a process refuses to send more."),
  /** Bytes that wait to be sent. */
  MAX_QUEUED_BYTES(
      "node.max-queued-bytes",
      bytes(1 << 26, 1 << 16, 1L << 40),
      "Bytes of calls, or of answers, that wait until a node takes them; a single message may be larger."),
  /** Connections taken. */
  MAX_CONNECTIONS("node.max-connections", number(1024, 1, 100_000), "Connections of other nodes."),
  /** Connections that have not been introduced. */
  MAX_STRANGERS(
      "node.max-strangers",
      number(256, 1, 100_000),
      "Connections whose handshake is not over; one more closes the oldest of them."),
  /** Time for a handshake. */
  HANDSHAKE_TIMEOUT_MILLIS(
      "node.handshake-timeout-millis",
      millis(5000, 10, 600_000),
      "Time for a connection to be made, the handshake included."),
  /** Time between pings. */
  HEARTBEAT_MILLIS(
      "node.heartbeat-millis",
      millis(1000, 10, 60_000),
      "Time between signs of life, by which clocks are compared too."),
  /** Time without a sign of life. */
  SILENCE_TIMEOUT_MILLIS(
      "node.silence-timeout-millis",
      millis(5000, 50, 600_000),
      "Time without a sign of life, or without taking what is sent, after which a connection is closed."),
  /** First back-off. */
  RECONNECT_MILLIS(
      "node.reconnect-millis",
      millis(50, 1, 60_000),
      "Time in which a node that could not be reached is not called again; doubled with each failure."),
  /** Last back-off. */
  MAX_RECONNECT_MILLIS(
      "node.max-reconnect-millis",
      millis(2000, 1, 600_000),
      "Longest time in which a node that could not be reached is not called again."),
  /** How long a node that went away is waited for. */
  WAIT_MILLIS(
      "node.wait-millis",
      millis(5000, 0, 600_000),
      "Time after a node went away in which calls wait for it to come back, and what only reads is sent again; later ones fail at once. 0: none waits."),
  /** How far clocks may differ. */
  MAX_CLOCK_OFFSET_MILLIS(
      "node.max-clock-offset-millis",
      millis(500, 1, 3_600_000),
      "Difference of two clocks above which their nodes do not talk to each other."),
  /** Version of the protocol. */
  HIGHEST_PROTOCOL(
      "node.highest-protocol",
      number(Frames.HIGHEST_PROTOCOL, Frames.LOWEST_PROTOCOL, Frames.HIGHEST_PROTOCOL),
      "Highest version of the protocol between nodes that this one speaks; two speak the highest that both do."),
  /** Time for a snapshot. */
  BEGIN_TIMEOUT_MILLIS(
      "node.begin-timeout-millis",
      millis(5000, 1, 3_600_000),
      "Longest time for the answer to the beginning of a transaction or a question about one."),
  /** Time for a page. */
  READ_TIMEOUT_MILLIS(
      "node.read-timeout-millis",
      millis(20_000, 1, 3_600_000),
      "Longest time for the answer to one page of a read."),
  /** Threads of a shard. */
  SHARD_THREADS(
      "node.shard-threads", number(2, 1, 1024), "Threads of each shard that answer calls."),
  /** Calls that wait for them. */
  SHARD_QUEUE(
      "node.shard-queue",
      number(4096, 1, 1 << 20),
      "Calls that wait for a thread of a shard; it refuses more."),
  /** Event loops. */
  NETWORK_THREADS("node.network-threads", number(2, 1, 256), "Threads that move bytes."),
  /** Threads behind them. */
  ANSWER_THREADS(
      "node.answer-threads",
      number(4, 1, 1024),
      "Threads that read answers, large calls included, and run what depends on them.");

  private final SettingDeclaration declaration;

  NodeSetting(String key, SettingType type, String description) {
    this.declaration = new SettingDeclaration(key, type, description);
  }

  @Override
  public SettingDeclaration declaration() {
    return declaration;
  }
}
