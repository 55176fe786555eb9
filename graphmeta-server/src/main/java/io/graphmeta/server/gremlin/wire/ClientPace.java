package io.graphmeta.server.gremlin.wire;

import io.netty.channel.Channel;

/**
 * Lets the thread of a query wait until a slow client has taken what was sent. One a connection.
 */
final class ClientPace {
  private static final long LONGEST_WAIT_MILLIS = 100;

  private final Channel channel;

  ClientPace(Channel channel) {
    this.channel = channel;
  }

  /**
   * Waits until the channel takes more.
   *
   * @throws InterruptedException if the query is cancelled or the channel has closed
   */
  void await() throws InterruptedException {
    synchronized (this) {
      while (!channel.isWritable() && channel.isActive()) {
        wait(LONGEST_WAIT_MILLIS);
      }
    }
    if (!channel.isActive()) {
      throw new InterruptedException();
    }
  }

  /** The channel has become writable, or has closed. */
  synchronized void changed() {
    notifyAll();
  }
}
