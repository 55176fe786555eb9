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
    synchronized (this) {
      strangers.remove(connection.channel);
    }
    established.add(connection);
  }

  @Override
  public void ended(AcceptedConnection connection) {
    synchronized (this) {
      strangers.remove(connection.channel);
    }
    established.remove(connection);
  }

  /** Closes all, those of known nodes when they have taken their answers or some time is over. */
  void close() {
    synchronized (this) {
      closed = true;
      strangers.forEach(Channel::close);
    }
    long begin = System.nanoTime();
    for (AcceptedConnection each : established) {
      while (each.channel.isOpen() && !isIdle(each) && System.nanoTime() - begin < STOP_NANOS) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      each.channel.close().awaitUninterruptibly(STOP_NANOS, TimeUnit.NANOSECONDS);
    }
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
