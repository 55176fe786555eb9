package io.graphmeta.server.net;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.time.Stamp;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What one end of a connection asks of the other before they talk: the same cluster, a version of
 * the protocol that both speak, a clock that is right, and its own number back, so that what was
 * recorded of another connection is of no use. Belongs to one connection.
 */
final class Handshake {
  private static final SecureRandom NONCES = new SecureRandom();
  private static final int MAX_TEXT_BYTES = 900;

  private final NodeIdentity self;
  private final InstantSource clock;
  private final long maxOffsetMicros;
  private final int highest;
  private final long nonce = NONCES.nextLong();
  private long greetedMicros;
  private @Nullable Greeting theirs;

  Handshake(NodeIdentity self, InstantSource clock, NodeSettings settings) {
    this.self = self;
    this.clock = clock;
    this.highest = settings.integer(NodeSetting.HIGHEST_PROTOCOL);
    this.maxOffsetMicros = 1000 * settings.number(NodeSetting.MAX_CLOCK_OFFSET_MILLIS);
  }

  /** The clock of this node, in microseconds since 1970. */
  long nowMicros() {
    return Stamp.epochMicros(clock.instant());
  }

  /** The frame by which this end introduces itself. */
  ByteWriter greeting() {
    greetedMicros = nowMicros();
    return new Greeting(Frames.LOWEST_PROTOCOL, highest, self, nonce, greetedMicros).toBytes();
  }

  /**
   * Takes the introduction of the other end.
   *
   * @throws GraphMetaException if the two cannot talk
   */
  Greeting meet(byte[] frame) {
    Greeting greeting = Greeting.of(frame);
    requireSharedProtocol(greeting);
    if (!greeting.sender().cluster().equals(self.cluster())) {
      throw new GraphMetaException(
          ErrorCode.WRONG_CLUSTER,
          "Node "
              + greeting.sender().node()
              + " belongs to cluster "
              + greeting.sender().cluster()
              + " and node "
              + self.node()
              + " to cluster "
              + self.cluster()
              + "; expected the same. Look at the addresses");
    }
    theirs = greeting;
    return greeting;
  }

  private void requireSharedProtocol(Greeting greeting) {
    boolean later = greeting.lowest() > highest;
    if (later || greeting.highest() < Frames.LOWEST_PROTOCOL) {
      throw new GraphMetaException(
          later ? ErrorCode.NEWER_FORMAT : ErrorCode.OLDER_FORMAT,
          "Node "
              + greeting.sender().node()
              + " speaks versions "
              + greeting.lowest()
              + " to "
              + greeting.highest()
              + " of the protocol between nodes and this build "
              + Frames.LOWEST_PROTOCOL
              + " to "
              + highest
              + "; expected one that both speak. Upgrade the older of them");
    }
  }

  /** The version of the protocol that the two speak, once they have met. */
  int protocol() {
    return theirs == null ? 0 : Math.min(highest, theirs.highest());
  }

  /** The clock of the other end, which told its time after this end's greeting. */
  ClockOffset compareClock(long theirMicros) {
    return compareClock(greetedMicros, theirMicros);
  }

  /**
   * As {@link #compareClock(long)}, for a question that was asked at some moment.
   *
   * @throws GraphMetaException if the clocks differ too much
   */
  ClockOffset compareClock(long askedMicros, long theirMicros) {
    ClockOffset offset = ClockOffset.measured(askedMicros, theirMicros, nowMicros());
    offset.requireWithin(maxOffsetMicros, theirs == null ? "?" : theirs.sender().node());
    return offset;
  }

  /** The frame of a caller that is content with what the other end told. */
  ByteWriter ready(Greeting answer) {
    return new ByteWriter(24).putByte(Frames.READY).putLong(answer.nonce()).putLong(nowMicros());
  }

  /**
   * Takes the frame of a caller that is content.
   *
   * @throws GraphMetaException if it was written for another connection, or the clocks differ
   */
  ClockOffset meetReady(byte[] frame) {
    ByteReader in = new ByteReader(frame, 0, frame.length);
    if (in.getLong() != nonce) {
      throw Frames.corrupt("The frame of another connection was sent on this one");
    }
    return compareClock(in.getLong());
  }

  /** The frame that tells the other end why the connection is closed. */
  static ByteWriter refusal(GraphMetaException error) {
    String text = String.valueOf(error.getMessage());
    return new ByteWriter(256)
        .putByte(Frames.REFUSAL)
        .putText(error.code().name())
        .putText(text.substring(0, Math.min(MAX_TEXT_BYTES / 3, text.length())));
  }

  /** The error that such a frame holds. */
  static GraphMetaException refusal(byte[] frame) {
    ByteReader in = new ByteReader(frame, 0, frame.length);
    String name = in.getText();
    String text = in.getText();
    for (ErrorCode code : ErrorCode.values()) {
      if (code.name().equals(name)) {
        return new GraphMetaException(code, text);
      }
    }
    return new GraphMetaException(ErrorCode.UNREACHABLE, name + ": " + text);
  }
}
