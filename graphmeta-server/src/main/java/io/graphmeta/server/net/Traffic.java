package io.graphmeta.server.net;

import java.util.concurrent.atomic.LongAdder;

/** What has passed the connections of one side. Safe for use by many threads. */
public final class Traffic {
  final LongAdder envelopesSent = new LongAdder();
  final LongAdder envelopesReceived = new LongAdder();
  final LongAdder bytesReceived = new LongAdder();
  final LongAdder messagesReceived = new LongAdder();
  final LongAdder refused = new LongAdder();

  Traffic() {}

  /** Envelopes written. */
  public long envelopesSent() {
    return envelopesSent.sum();
  }

  /** Envelopes read. */
  public long envelopesReceived() {
    return envelopesReceived.sum();
  }

  /** Bytes of frames read. */
  public long bytesReceived() {
    return bytesReceived.sum();
  }

  /** Calls, or answers, that came in the envelopes read. */
  public long messagesReceived() {
    return messagesReceived.sum();
  }

  /** Connections that were closed because of what came by them. */
  public long refused() {
    return refused.sum();
  }
}
