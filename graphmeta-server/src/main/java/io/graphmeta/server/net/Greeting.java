package io.graphmeta.server.net;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.GraphMetaException;
import java.util.UUID;

/**
 * The first frame that each end of a connection sends.
 *
 * @param lowest the lowest version of the protocol that the sender speaks
 * @param highest the highest one
 * @param nonce a number drawn for this connection, which the other end must give back
 * @param clockMicros the sender's clock when it wrote this, in microseconds since 1970
 */
record Greeting(int lowest, int highest, NodeIdentity sender, long nonce, long clockMicros) {
  /** "GMnp" in ASCII. */
  private static final int MAGIC = 0x474d6e70;

  ByteWriter toBytes() {
    return new ByteWriter(96)
        .putByte(Frames.HELLO)
        .putInt(MAGIC)
        .putByte(lowest)
        .putByte(highest)
        .putLong(sender.cluster().getMostSignificantBits())
        .putLong(sender.cluster().getLeastSignificantBits())
        .putLong(sender.incarnation())
        .putLong(nonce)
        .putLong(clockMicros)
        .putText(sender.node());
  }

  /**
   * The greeting that bytes hold, the kind of the frame left out. Later versions can append to it.
   *
   * @throws GraphMetaException {@code CORRUPTION} if they hold none
   */
  static Greeting of(byte[] bytes) {
    ByteReader in = new ByteReader(bytes, 0, bytes.length);
    int magic = in.getInt();
    if (magic != MAGIC) {
      throw Frames.corrupt(
          "A connection begins with "
              + Integer.toHexString(magic)
              + ", which no node sends; expected "
              + Integer.toHexString(MAGIC));
    }
    int lowest = in.getByte();
    int highest = in.getByte();
    UUID cluster = new UUID(in.getLong(), in.getLong());
    long incarnation = in.getLong();
    long nonce = in.getLong();
    long clockMicros = in.getLong();
    String node = in.getText();
    if (node.isEmpty() || node.length() > NodeIdentity.MAX_NAME_BYTES / 3) {
      throw Frames.corrupt("A node has a name of " + node.length() + " characters");
    }
    return new Greeting(
        lowest, highest, new NodeIdentity(cluster, node, incarnation), nonce, clockMicros);
  }
}
