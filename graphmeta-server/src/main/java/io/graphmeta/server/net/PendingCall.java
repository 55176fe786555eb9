package io.graphmeta.server.net;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MessageCodec;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A call whose answer somebody waits for. It holds a place among the calls to its shard until it is
 * over, and room among the bytes that wait for its node until these are in frames. The fields that
 * are not final belong to the thread of the connection.
 */
final class PendingCall extends CompletableFuture<Response> implements OutgoingMessage {
  private static final ByteWriter EMPTY = new ByteWriter(0);

  /** Connections that may break over a call, which may be why they break. */
  private static final int MOST_BROKEN = 5;

  final NodeAddress node;
  private final int shard;
  private final String kind;
  private final long allowedMillis;
  private final long deadlineNanos;
  private final boolean repeatable;
  private final boolean awaited;
  private final Places places;
  private final int sizeBytes;
  private final AtomicBoolean holdsPlace = new AtomicBoolean(true);
  private final AtomicBoolean holdsRoom = new AtomicBoolean(true);
  private ByteWriter bytes;
  private long id;
  private int broken;
  private @Nullable CalledConnection carrier;
  private boolean underWay;

  /**
   * Null; or the thread that waits and will read the answer itself, so that no other has to be
   * woken for that; or the bytes of the answer that it was given. Who gives them and who waits no
   * longer change it from the thread to something else, and only one of the two succeeds.
   */
  private final AtomicReference<@Nullable Object> waiting = new AtomicReference<>();

  /** What calls hold while they are under way. Safe for use by many threads. */
  interface Places {
    /** A call to a shard is over. */
    void leave(int shard);

    /** So many bytes do not wait any more. */
    void leaveRoom(int sizeBytes);
  }

  PendingCall(
      NodeAddress node, int shard, Call call, long allowedMillis, ByteWriter bytes, Places places) {
    this.node = node;
    this.shard = shard;
    this.kind = call.request().getClass().getSimpleName();
    this.repeatable = call.request() instanceof Request.Repeatable;
    this.awaited = !(call.request() instanceof Request.Unawaited);
    this.allowedMillis = allowedMillis;
    this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(allowedMillis);
    this.bytes = bytes;
    this.sizeBytes = bytes.size();
    this.places = places;
  }

  int sizeBytes() {
    return sizeBytes;
  }

  void number(long number) {
    id = number;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public int shard() {
    return shard;
  }

  @Override
  public ByteWriter bytes() {
    return bytes;
  }

  @Override
  public boolean isWanted() {
    return !isDone();
  }

  /** Gives it to a connection, which writes it when it comes to that. */
  void giveTo(CalledConnection connection) {
    carrier = connection;
    connection.writer.add(this);
  }

  /** Whether it waits for a connection. */
  boolean waits() {
    return carrier == null;
  }

  /** Whether a connection has written it, and the node may be at work on it. */
  boolean isUnderWay() {
    return underWay;
  }

  /** Whether this connection has written it. */
  boolean isUnderWayOn(CalledConnection connection) {
    return underWay && carrier == connection;
  }

  /** The node that was given it does not do it: it waits for another connection. */
  void waitAgain() {
    underWay = false;
    carrier = null;
  }

  /** The connection that has written it broke: it waits for another. */
  void waitAfterBreak() {
    broken++;
    waitAgain();
  }

  @Override
  public void notWritten() {
    carrier = null;
  }

  @Override
  public void written() {
    underWay = true;
    if (!repeatable) {
      bytes = EMPTY;
    }
    leaveRoom();
  }

  /** Whether it is right to send it once more, though a node may have done what it asks for. */
  boolean isRepeatable() {
    return repeatable;
  }

  /** Whether it may wait for another connection after the one that has written it broke. */
  boolean outlivesBreak() {
    return repeatable && broken + 1 < MOST_BROKEN;
  }

  /** Whether something may depend on the answer. */
  boolean isAwaited() {
    return awaited;
  }

  /** It is over, whatever came of it. */
  void leave() {
    if (holdsPlace.compareAndSet(true, false)) {
      places.leave(shard);
    }
  }

  /** Its bytes wait for nothing any more. */
  void leaveRoom() {
    if (holdsRoom.compareAndSet(true, false)) {
      places.leaveRoom(sizeBytes);
    }
  }

  boolean isLate(long nowNanos) {
    return nowNanos - deadlineNanos >= 0;
  }

  GraphMetaException timeout() {
    return new GraphMetaException(
        ErrorCode.TIMEOUT,
        "Shard "
            + shard
            + " on node "
            + node
            + " did not answer "
            + kind
            + " within "
            + allowedMillis
            + " ms");
  }

  /** What its owner is told if its time is over before a connection could take it. */
  GraphMetaException notSent(@Nullable GraphMetaException why) {
    return new GraphMetaException(
        ErrorCode.UNAVAILABLE,
        "Node "
            + node
            + " was not reached within the "
            + allowedMillis
            + " ms of "
            + kind
            + "; nothing was done"
            + (why == null ? "" : ". " + why.getMessage()));
  }

  /** Gives the answer to the thread that waits for it; false if none does. */
  boolean hand(byte[] message) {
    if (waiting.get() instanceof Thread thread && waiting.compareAndSet(thread, message)) {
      LockSupport.unpark(thread);
      return true;
    }
    return false;
  }

  /**
   * Waits until it is complete, or this thread is interrupted, or at once if another thread waits
   * already: who wants to know looks at the future.
   */
  void awaitHere(MessageCodec codec) {
    if (beginToWait()) {
      waitHere(codec);
    }
  }

  /**
   * Lets this thread be the one that reads the answer, in {@link #waitHere}, which must follow;
   * false if it is complete, or another thread waits already.
   */
  boolean beginToWait() {
    return !isDone() && waiting.compareAndSet(null, Thread.currentThread());
  }

  /** Waits until it is complete, or this thread is interrupted. */
  void waitHere(MessageCodec codec) {
    Thread self = Thread.currentThread();
    while (!isDone() && waiting.get() == self && !self.isInterrupted()) {
      LockSupport.park(this);
    }
    if (!waiting.compareAndSet(self, null)) {
      answer(codec, (byte[]) Objects.requireNonNull(waiting.get()));
    }
  }

  /** Fails it. What became of its node is told with the shard that was asked. */
  void fail(GraphMetaException error) {
    boolean ofNode = error.code() == ErrorCode.UNAVAILABLE || error.code() == ErrorCode.UNREACHABLE;
    completeExceptionally(
        ofNode
            ? new GraphMetaException(
                error.code(), "Shard " + shard + " cannot be asked: " + error.getMessage(), error)
            : error);
    wake();
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean cancelled = super.cancel(mayInterrupt);
    wake();
    return cancelled;
  }

  private void wake() {
    if (waiting.get() instanceof Thread thread) {
      LockSupport.unpark(thread);
    }
  }

  /** Completes it with the answer that bytes hold. */
  void answer(MessageCodec codec, byte[] message) {
    Response answer = null;
    @Nullable GraphMetaException error = null;
    try {
      answer = codec.decodeAnswer(message);
    } catch (GraphMetaException e) {
      error = e;
    } catch (Throwable e) { // of the virtual machine too: somebody waits
      error =
          new GraphMetaException(
              ErrorCode.OUTCOME_UNKNOWN,
              "The answer of " + message.length + " bytes to " + kind + " cannot be read: " + e,
              e);
    }
    if (error == null) {
      complete(Objects.requireNonNull(answer));
      wake(); // who began to wait when the answer had been given to another thread
    } else {
      fail(error);
    }
  }
}
