package io.graphmeta.server.net;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The connections that a node was called by, and their bounds. Of those whose handshake is not over
 * there are few, and one more closes the oldest: who knows the protocol is through in a round trip,
 * however many others hold a connection and say nothing. Safe for use by many threads.
 */
final class Callers implements AcceptedConnection.Owner {
  private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long CLOSES_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final int maxConnections;
  private final int maxStrangers;
  private final Set<AcceptedConnection> established = ConcurrentHashMap.newKeySet();

  @GuardedBy("this")
  private final LinkedHashSet<Channel> strangers = new LinkedHashSet<>();

  @GuardedBy("this")
  private boolean closed;

  Callers(NodeSettings settings) {
    maxConnections = settings.integer(NodeSetting.MAX_CONNECTIONS);
    maxStrangers = settings.integer(NodeSetting.MAX_STRANGERS);
  }

  /** Takes a connection, or not. */
  synchronized boolean admit(Channel channel) {
    if (closed || established.size() >= maxConnections) {
      return false;
    }
    if (strangers.size() >= maxStrangers) {
      Iterator<Channel> oldest = strangers.iterator();
      Channel first = oldest.next();
      oldest.remove();
      first.close();
    }
    strangers.add(channel);
    return true;
  }

  int connections() {
    synchronized (this) {
      return strangers.size() + established.size();
    }
  }

  @Override
  public void established(AcceptedConnection connection) {
    established.add(connection);
    synchronized (this) {
      strangers.remove(connection.channel);
    }
    if (isClosed()) {
      connection.leave(); // it was under way when the others were told
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void ended(AcceptedConnection connection) {
    synchronized (this) {
      strangers.remove(connection.channel);
    }
    established.remove(connection);
  }

  /** Lets all know that this node takes no more calls. */
  void leave() {
    synchronized (this) {
      closed = true;
    }
    for (AcceptedConnection each : established) {
      each.channel.eventLoop().submit(each::leave).awaitUninterruptibly();
    }
  }

  /**
   * Closes all, those of known nodes when they have taken their answers or some time is over. A
   * caller that closes the connection itself, which then loses nothing that is under way on it, is
   * waited for.
   */
  void close() {
    leave();
    long begin = System.nanoTime();
    // One that has been greeted may have sent calls.
    while (anyStranger() && System.nanoTime() - begin < CLOSES_NANOS) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    closeStrangers();
    for (AcceptedConnection each : established) {
      while (each.channel.isOpen() && !isIdle(each) && System.nanoTime() - begin < STOP_NANOS) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      long idle = System.nanoTime();
      while (each.channel.isOpen()
          && each.closesItself()
          && System.nanoTime() - idle < CLOSES_NANOS
          && System.nanoTime() - begin < STOP_NANOS) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      each.channel.close().awaitUninterruptibly(STOP_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  private synchronized boolean anyStranger() {
    return !strangers.isEmpty();
  }

  private synchronized void closeStrangers() {
    strangers.forEach(Channel::close);
  }

  private static boolean isIdle(AcceptedConnection connection) {
    return connection
        .channel
        .eventLoop()
        .submit(connection::isIdle)
        .awaitUninterruptibly()
        .getNow();
  }
}
