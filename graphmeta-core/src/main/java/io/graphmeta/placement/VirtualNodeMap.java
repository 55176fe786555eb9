package io.graphmeta.placement;

import io.graphmeta.error.GraphMetaException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Which shard holds each virtual node, under one epoch: an immutable image. A change of the map is
 * another image with a greater epoch. The number of virtual nodes is a power of two and fixed for
 * the life of a database; the hash of an id is part of the stored format.
 */
public final class VirtualNodeMap {
  /** The epoch of the map that a database begins with. */
  public static final long FIRST_EPOCH = 1;

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final long epoch;
  private final int shards;
  private final int[] shardOf;

  /**
   * A map.
   *
   * @param epoch grows with every change of the map
   * @param shards number of shards
   * @param shardOf the shard of each virtual node; a power of two of them
   */
  public VirtualNodeMap(long epoch, int shards, int[] shardOf) {
    if (Integer.bitCount(shardOf.length) != 1) {
      throw GraphMetaException.invalid(shardOf.length + " virtual nodes; expected a power of two");
    }
    for (int shard : shardOf) {
      if (shard < 0 || shard >= shards) {
        throw GraphMetaException.invalid(
            "A virtual node on shard " + shard + "; expected 0 to " + (shards - 1));
      }
    }
    this.epoch = epoch;
    this.shards = shards;
    this.shardOf = shardOf.clone();
  }

  /** A map in which the virtual nodes go round the shards. */
  public static VirtualNodeMap roundRobin(long epoch, int virtualNodes, int shards) {
    int[] shardOf = new int[virtualNodes];
    Arrays.setAll(shardOf, virtualNode -> virtualNode % shards);
    return new VirtualNodeMap(epoch, shards, shardOf);
  }

  /** Grows with every change of the map. */
  public long epoch() {
    return epoch;
  }

  /** Number of virtual nodes, a power of two. */
  public int virtualNodes() {
    return shardOf.length;
  }

  /** Number of shards. */
  public int shards() {
    return shards;
  }

  /** The shard that holds a virtual node. */
  public int shard(int virtualNode) {
    return shardOf[virtualNode & shardOf.length - 1];
  }

  /** The virtual node of an id. */
  public int virtualNode(String id) {
    return (int) hash(id) & (shardOf.length - 1);
  }

  /** The virtual node of an element without an id of its own, by a number that grows. */
  public int virtualNode(long counter) {
    return (int) mix(counter) & (shardOf.length - 1);
  }

  /**
   * The hash of an id: FNV-1a in 64 bits over its UTF-8, finished by the mixer of MurmurHash3,
   * since FNV alone leaves the low bits of similar ids alike.
   */
  public static long hash(String id) {
    long hash = FNV_OFFSET;
    for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    return mix(hash);
  }

  static long mix(long value) {
    long mixed = value;
    mixed = (mixed ^ mixed >>> 33) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ mixed >>> 33;
  }
}
