package io.graphmeta.placement;

import java.nio.charset.StandardCharsets;

/**
 * The map from virtual nodes to servers under one epoch. The number of virtual nodes is a power of
 * two and fixed for the life of a database; the hash of an id is part of the stored format.
 *
 * @param epoch grows with every change of the map
 * @param virtualNodes number of virtual nodes
 * @param servers number of servers; virtual nodes go round them
 */
public record VirtualNodeMap(long epoch, int virtualNodes, int servers) {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** The server that holds a virtual node. */
  public int server(int virtualNode) {
    return virtualNode % servers;
  }

  /** The virtual node of an id. */
  public int virtualNode(String id) {
    return (int) hash(id) & (virtualNodes - 1);
  }

  /** The virtual node of an element without an id of its own, by a number that grows. */
  public int virtualNode(long counter) {
    return (int) mix(counter) & (virtualNodes - 1);
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

  private static long mix(long value) {
    long mixed = value;
    mixed = (mixed ^ mixed >>> 33) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ mixed >>> 33;
  }
}
