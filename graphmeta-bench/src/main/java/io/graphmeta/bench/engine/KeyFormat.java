package io.graphmeta.bench.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Candidates for the key that stands for a vertex in all rows. */
public enum KeyFormat {
  /** 16 bytes of hash of the id, and an entry that leads from the id to it. */
  HASH(16, true),
  /**
   * As {@link #HASH}, with no entry for the id: the hash is computed anew, ids cannot be scanned by
   * prefix.
   */
  HASH_WITHOUT_IDS(16, false),
  /** Virtual node (16 bits), label (12), counter (36). */
  NODE_FIRST(8, true),
  /** Label (12 bits), counter (36), virtual node (16). */
  NODE_LAST(8, true),
  /** The bytes of the id and a zero, and an entry for the id. */
  OWN_ID(0, true),
  /** As {@link #OWN_ID}, with no entry for the id: the vertex itself is looked up. */
  OWN_ID_WITHOUT_IDS(0, false);

  private static final long VIRTUAL_NODES = 1024;
  private static final long LABEL_ID = 7;

  private final int fixedBytes;
  private final boolean hasIdEntries;

  KeyFormat(int fixedBytes, boolean hasIdEntries) {
    this.fixedBytes = fixedBytes;
    this.hasIdEntries = hasIdEntries;
  }

  /** Length of a vertex key in bytes; 0 if it varies. */
  public int fixedBytes() {
    return fixedBytes;
  }

  /** Whether ids lead to vertices by entries of their own. */
  boolean hasIdEntries() {
    return hasIdEntries;
  }

  /** The key of the vertex created as the given one. */
  public byte[] vertexKey(int number, byte[] id) {
    return switch (this) {
      case HASH, HASH_WITHOUT_IDS ->
          ByteBuffer.allocate(16).putLong(hash(id, 1)).putLong(hash(id, 2)).array();
      case NODE_FIRST -> bytes(virtualNode(id) << 48 | LABEL_ID << 36 | number);
      case NODE_LAST -> bytes(LABEL_ID << 52 | (long) number << 16 | virtualNode(id));
      case OWN_ID, OWN_ID_WITHOUT_IDS -> java.util.Arrays.copyOf(id, id.length + 1);
    };
  }

  private static byte[] bytes(long key) {
    return ByteBuffer.allocate(8).putLong(key).array();
  }

  private static long virtualNode(byte[] id) {
    return hash(id, 3) & (VIRTUAL_NODES - 1);
  }

  /** 64 well-mixed bits (the finalizer of SplitMix64 over an FNV hash). */
  private static long hash(byte[] id, long seed) {
    long h = seed * 0x9e3779b97f4a7c15L;
    for (byte b : id) {
      h = (h ^ b) * 0x100000001b3L;
    }
    h = (h ^ (h >>> 30)) * 0xbf58476d1ce4e5b9L;
    h = (h ^ (h >>> 27)) * 0x94d049bb133111ebL;
    return h ^ (h >>> 31);
  }

  /** UTF-8. */
  public static byte[] idBytes(String id) {
    return id.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
