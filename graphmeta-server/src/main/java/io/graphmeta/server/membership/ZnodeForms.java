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

  private ZnodeForms() {}

  static byte[] write(ClusterPaths paths, ClusterDescription cluster) {
    ZnodeText text =
        ZnodeText.forPath(paths.root())
            .with("id", cluster.id())
            .with("created-millis", cluster.created().toEpochMilli())
            .with("shards", cluster.shards())
            .with("awaited-nodes", cluster.awaitedNodes());
    cluster.settings().forEach((key, value) -> text.with(SETTING + key, value));
    return text.bytes();
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
                (int) text.number("awaited-nodes", 1, ClusterDescription.MAX_NODES),
                settings));
  }

  static byte[] write(ClusterPaths paths, Registration registration) {
    NodeDescription node = registration.description();
    return ZnodeText.forPath(paths.node(node.name()))
        .with("directory", node.directory())
        .with("lock", node.lock())
        .with("host", node.host())
        .with("port", node.port())
        .with("incarnation", registration.incarnation())
        .with("software", node.software())
        .with("lowest-protocol", node.lowestProtocol())
        .with("highest-protocol", node.highestProtocol())
        .bytes();
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
    ZnodeText text =
        ZnodeText.forPath(paths.placement())
            .with("epoch", placement.epoch())
            .with("shards", placement.nodes().size());
    for (int shard = 0; shard < placement.nodes().size(); shard++) {
      text.with(SHARD + shard, placement.nodes().get(shard));
    }
    return text.bytes();
  }

  /** The placement of a cluster, which is of all its shards or of none. */
  static ShardPlacement placement(ClusterPaths paths, ClusterDescription cluster, byte[] content) {
    ZnodeText text = ZnodeText.of(paths.placement(), content);
    long shards = text.number("shards", 0, ClusterDescription.MAX_SHARDS);
    if (shards != 0 && shards != cluster.shards()) {
      throw text.corruption(shards + " shards", cluster.shards() + ", or none");
    }
    List<String> nodes = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      nodes.add(text.text(SHARD + shard));
    }
    return made(text, () -> new ShardPlacement(text.number("epoch", 0, Long.MAX_VALUE), nodes));
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
