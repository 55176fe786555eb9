package io.graphmeta.server.membership;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The contents of all znodes, as {@code docs/internals/FORMATS.md} lists them. Each is read back as
 * it was written; what is read and cannot be is {@code CORRUPTION}, with the path.
 */
final class ZnodeForms {
  private static final String SETTING = "setting.";
  private static final String SHARD = "shard.";
  private static final String WANTED = "wanted.";
  private static final String GENERATION = "generation.";
  private static final String REPLICAS = "replicas";
  private static final String REPLICA_PORT = "replica-port";
  private static final String RACK = "rack";

  private ZnodeForms() {}

  static byte[] write(ClusterPaths paths, ClusterDescription cluster) {
    ZnodeText text =
        ZnodeText.forPath(paths.root(), format(cluster.replicas()))
            .with("id", cluster.id())
            .with("created-millis", cluster.created().toEpochMilli())
            .with("shards", cluster.shards())
            .with("awaited-nodes", cluster.awaitedNodes());
    if (cluster.replicas() > 1) {
      text.with(REPLICAS, cluster.replicas());
    }
    cluster.settings().forEach((key, value) -> text.with(SETTING + key, value));
    return text.bytes();
  }

  /** What has no replicas is written as earlier builds read it. */
  private static int format(int replicas) {
    return replicas > 1 ? ZnodeText.REPLICATED_FORMAT : ZnodeText.FORMAT;
  }

  static ClusterDescription cluster(ClusterPaths paths, byte[] content) {
    ZnodeText text = ZnodeText.of(paths.root(), content);
    TreeMap<String, String> settings = new TreeMap<>();
    for (Map.Entry<String, String> entry : text.values().entrySet()) {
      if (entry.getKey().startsWith(SETTING)) {
        settings.put(entry.getKey().substring(SETTING.length()), entry.getValue());
      }
    }
    return made(
        text,
        () ->
            new ClusterDescription(
                paths.cluster(),
                text.uuid("id"),
                Instant.ofEpochMilli(text.number("created-millis", 0, Long.MAX_VALUE)),
                (int) text.number("shards", 1, ClusterDescription.MAX_SHARDS),
                (int) text.number(REPLICAS, 1, ClusterDescription.MAX_REPLICAS, 1),
                (int) text.number("awaited-nodes", 1, ClusterDescription.MAX_NODES),
                settings));
  }

  static byte[] write(ClusterPaths paths, Registration registration) {
    NodeDescription node = registration.description();
    ZnodeText text =
        ZnodeText.forPath(paths.node(node.name()))
            .with("directory", node.directory())
            .with("lock", node.lock())
            .with("host", node.host())
            .with("port", node.port())
            .with("incarnation", registration.incarnation())
            .with("software", node.software())
            .with("lowest-protocol", node.lowestProtocol())
            .with("highest-protocol", node.highestProtocol());
    if (node.replicaPort() > 0) {
      text.with(REPLICA_PORT, node.replicaPort());
    }
    if (!node.rack().isEmpty()) {
      text.with(RACK, node.rack());
    }
    return text.bytes();
  }

  static Registration registration(ClusterPaths paths, String node, byte[] content) {
    ZnodeText text = ZnodeText.of(paths.node(node), content);
    return made(
        text,
        () ->
            new Registration(
                new NodeDescription(
                    node,
                    text.uuid("directory"),
                    text.text("lock"),
                    text.text("host"),
                    (int) text.number("port", 1, 65_535),
                    (int) text.number(REPLICA_PORT, 0, 65_535, 0),
                    text.values().getOrDefault(RACK, ""),
                    text.text("software"),
                    (int) text.number("lowest-protocol", 0, Integer.MAX_VALUE),
                    (int) text.number("highest-protocol", 0, Integer.MAX_VALUE)),
                text.number("incarnation", 1, Long.MAX_VALUE)));
  }

  static byte[] write(ClusterPaths paths, String node, Presence presence) {
    return ZnodeText.forPath(paths.presence(node))
        .with("incarnation", presence.incarnation())
        .with("process", presence.process())
        .bytes();
  }

  static Presence presence(ClusterPaths paths, String node, byte[] content) {
    ZnodeText text = ZnodeText.of(paths.presence(node), content);
    return new Presence(text.number("incarnation", 1, Long.MAX_VALUE), text.uuid("process"));
  }

  static byte[] write(ClusterPaths paths, ShardPlacement placement) {
    List<List<String>> replicas = placement.replicas();
    ZnodeText text =
        ZnodeText.forPath(paths.placement(), format(placement))
            .with("epoch", placement.epoch())
            .with("shards", replicas.size());
    for (int shard = 0; shard < replicas.size(); shard++) {
      text.with(SHARD + shard, String.join(",", replicas.get(shard)));
      List<String> wanted = placement.wanted().get(shard);
      if (!wanted.equals(replicas.get(shard))) {
        text.with(WANTED + shard, String.join(",", wanted));
      }
      int generation = placement.generations().get(shard);
      if (generation > 0) {
        text.with(GENERATION + shard, generation);
      }
    }
    return text.bytes();
  }

  /** A build that knows of no generations must not take part in the groups of the first one. */
  private static int format(ShardPlacement placement) {
    if (placement.generations().stream().anyMatch(generation -> generation > 0)) {
      return ZnodeText.RECOVERED_FORMAT;
    }
    return format(placement.isThere() ? placement.wanted().get(0).size() : 1);
  }

  /** The placement of a cluster, which is of all its shards or of none. */
  static ShardPlacement placement(ClusterPaths paths, ClusterDescription cluster, byte[] content) {
    ZnodeText text = ZnodeText.of(paths.placement(), content);
    long shards = text.number("shards", 0, ClusterDescription.MAX_SHARDS);
    if (shards != 0 && shards != cluster.shards()) {
      throw text.corruption(shards + " shards", cluster.shards() + ", or none");
    }
    List<List<String>> replicas = new ArrayList<>();
    List<List<String>> wanted = new ArrayList<>();
    List<Integer> generations = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      int generation = (int) text.number(GENERATION + shard, 0, Integer.MAX_VALUE, 0);
      generations.add(generation);
      replicas.add(nodes(text, cluster, shard, SHARD + shard, generation > 0));
      boolean isMoving = text.values().containsKey(WANTED + shard);
      wanted.add(
          isMoving ? nodes(text, cluster, shard, WANTED + shard, false) : replicas.get(shard));
    }
    return made(
        text,
        () ->
            new ShardPlacement(
                text.number("epoch", 0, Long.MAX_VALUE), replicas, wanted, generations));
  }

  private static List<String> nodes(
      ZnodeText text, ClusterDescription cluster, int shard, String key, boolean mayBeFewer) {
    List<String> nodes = List.of(text.text(key).split(",", -1));
    if (nodes.size() > cluster.replicas() || nodes.size() < cluster.replicas() && !mayBeFewer) {
      throw text.corruption(
          nodes.size() + " replicas of shard " + shard, String.valueOf(cluster.replicas()));
    }
    return nodes;
  }

  /** A record whose own checks tell that the content is at fault. */
  private static <T> T made(ZnodeText text, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.INVALID_ARGUMENT) {
        throw e;
      }
      throw text.corruption("what cannot be: " + e.getMessage(), "what GraphMeta writes");
    }
  }
}
