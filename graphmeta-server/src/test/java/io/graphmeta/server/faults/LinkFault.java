package io.graphmeta.server.faults;

/** What can be wrong with the way to a process. */
public sealed interface LinkFault {
  /** Nothing. */
  LinkFault NONE = new Delay(0, 0);

  /** What is sent arrives after a time between two, in order. */
  record Delay(long leastMillis, long mostMillis) implements LinkFault {}

  /** So many bytes pass in a second, each way of each connection. */
  record Throttle(int bytesPerSecond) implements LinkFault {}

  /** Each connection ends after a number of bytes, drawn up to a limit: within a frame. */
  record Cut(int mostBytes) implements LinkFault {}

  /** Connections are refused, and those that are open are reset. */
  record Refuse() implements LinkFault {}

  /** Connections are taken, and nothing is read: what is sent fills the buffers of the system. */
  record Stall() implements LinkFault {}

  /**
   * All is read, and what comes from one side is never passed on, as behind a broken router; the
   * connection is reset when the fault ends.
   */
  record Swallow(Side from) implements LinkFault {}

  /** In turns all passes, answers are swallowed, and connections are refused, each for a time. */
  record Flap(long millis) implements LinkFault {}

  /** One end of the way. */
  enum Side {
    /** Whoever called. */
    CALLER,
    /** The process behind the proxy. */
    CALLED
  }
}
