package io.graphmeta.server.net;

import io.graphmeta.bytes.ByteWriter;

/** A call or an answer on its way into the frames of a connection. */
interface OutgoingMessage {
  /** The number of the call, which its answer has as well. */
  long id();

  /** The shard that a call goes to; below 0 for an answer. */
  int shard();

  /** Its bytes. They are not asked for again once {@link #written} was told. */
  ByteWriter bytes();

  /** False if nobody waits for it any more, so that it need not be begun. */
  boolean isWanted();

  /** All its bytes are in frames, or it was left out because it was not wanted. */
  void written();

  /** It was not written, or not to its end, and will not be by this connection. */
  void notWritten();
}
