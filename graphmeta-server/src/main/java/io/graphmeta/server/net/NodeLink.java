package io.graphmeta.server.net;

import io.graphmeta.engine.PeerStatus;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.MessageCodec;
import io.graphmeta.protocol.Request;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The way to one node: at most one connection, made when there is something to send.
 *
 * <p>Any thread gives calls; the thread of the connection takes all that were given when it comes
 * to it, and writes them together. After a connection that could not be made there is no other
 * attempt for a time that doubles.
 *
 * <p>A node that has been away for a short time is waited for, as one is that is started again:
 * calls that were not sent stay, and of those that a broken connection carried the {@linkplain
 * Request.Repeatable repeatable} ones; the next connection sends them. All others are failed as
 * soon as the connection breaks, and their owners decide. A node that has been away for longer
 * costs nothing: calls to it fail at once. One that hangs takes a connection and says nothing: it
 * goes on to be called, and calls wait for that no longer than for a sign of life.
 *
 * <p>Fields that are not final belong to the thread of the connection; others read those that are
 * volatile.
 */
final class NodeLink implements CalledConnection.Owner {
  /** How late a timeout can be, about. */
  private static final long ROUND_MILLIS = 20;

  /** Errors of a handshake that say what somebody has to set right. */
  private static final Set<ErrorCode> TOLD_AS_THEY_ARE =
      EnumSet.of(
          ErrorCode.WRONG_CLUSTER,
          ErrorCode.NEWER_FORMAT,
          ErrorCode.OLDER_FORMAT,
          ErrorCode.MISMATCHED_SETTINGS);

  /** What a node that stops answers when it could not do what it was asked for. */
  private static final Set<ErrorCode> GONE =
      EnumSet.of(ErrorCode.UNAVAILABLE, ErrorCode.UNREACHABLE, ErrorCode.CLOSED);

  /** An answer that is longer is no error. */
  private static final int MOST_ERROR_BYTES = 1 << 14;

  private volatile NodeAddress address;
  private final NodeIdentity self;
  private final InstantSource clock;
  private final NodeSettings settings;
  private final @Nullable NodeTls tls;
  private final MessageCodec codec;
  private final NetThreads threads;
  private final EventLoop loop;
  private final Traffic traffic;

  private final Queue<List<PendingCall>> given = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private volatile @Nullable CalledConnection connection;
  private volatile long incarnation;

  private final LongObjectHashMap<PendingCall> unanswered = new LongObjectHashMap<>();
  private @Nullable Channel connecting;
  private long connectingSinceNanos;

  /** To runs of the node that stop. One may be over before the end of another is seen. */
  private final List<CalledConnection> leaving = new ArrayList<>(2);

  private boolean closing;
  private boolean rounds;
  private long lastId;
  private int failures;
  private long notBeforeNanos;
  private boolean away;
  private long awaySinceNanos;
  private boolean willConnect;
  private @Nullable GraphMetaException lastFailure;

  NodeLink(
      NodeAddress address,
      NodeIdentity self,
      InstantSource clock,
      NodeSettings settings,
      @Nullable NodeTls tls,
      MessageCodec codec,
      NetThreads threads,
      Traffic traffic) {
    this.address = address;
    this.self = self;
    this.clock = clock;
    this.settings = settings;
    this.tls = tls;
    this.codec = codec;
    this.threads = threads;
    this.loop = threads.next();
    this.traffic = traffic;
  }

  /** Takes room for the bytes of a call; false if too many wait already. */
  boolean takeRoom(int sizeBytes) {
    long limit = settings.number(NodeSetting.MAX_QUEUED_BYTES);
    long before = queuedBytes.getAndAdd(sizeBytes);
    if (before > 0 && before + sizeBytes > limit) {
      queuedBytes.addAndGet(-sizeBytes);
      return false;
    }
    return true;
  }

  void leaveRoom(int sizeBytes) {
    queuedBytes.addAndGet(-sizeBytes);
  }

  NodeAddress address() {
    return address;
  }

  /** The node is there, and listens at an address: the next connection goes there at once. */
  void present(NodeAddress at) {
    address = at;
    try {
      loop.execute(
          () -> {
            failures = 0;
            if (connection == null && away) {
              awaySinceNanos = System.nanoTime(); // what comes now is waited for
            }
            connectIfNeeded();
          });
    } catch (RejectedExecutionException e) {
      return; // closed meanwhile
    }
  }

  /** The node is known to be away, and not to come back soon: calls do not wait for it. */
  void absent() {
    try {
      loop.execute(
          () -> {
            if (connection == null) {
              away = true;
              awaySinceNanos =
                  System.nanoTime()
                      - TimeUnit.MILLISECONDS.toNanos(settings.number(NodeSetting.WAIT_MILLIS));
            }
          });
    } catch (RejectedExecutionException e) {
      return; // closed meanwhile
    }
  }

  PeerStatus status() {
    CalledConnection now = connection;
    ClockOffset offset = now == null ? null : now.offset();
    return new PeerStatus(
        address.node(),
        now != null,
        incarnation,
        offset == null ? 0 : offset.micros(),
        queuedBytes.get());
  }

  /** Sends calls that belong to one moment, in one envelope if they fit. */
  void send(List<PendingCall> calls) {
    given.add(calls);
    if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
      try {
        loop.execute(this::takeGiven);
      } catch (RejectedExecutionException e) {
        scheduled.set(false);
        calls.forEach(call -> end(call, closedError()));
      }
    }
  }

  /** Takes no more calls; the future completes when all that were taken are over. */
  CompletableFuture<Void> close() {
    try {
      loop.execute(
          () -> {
            takeGiven();
            closing = true;
            closeIfDone();
          });
    } catch (RejectedExecutionException e) {
      closed.complete(null);
    }
    return closed;
  }

  private void takeGiven() {
    scheduled.set(false); // before the queue is read, so that what is added later is seen
    List<PendingCall> calls = given.poll();
    while (calls != null) {
      calls.forEach(this::take);
      calls = given.poll();
    }
    CalledConnection now = connection;
    if (now != null) {
      now.flush();
    }
  }

  private void take(PendingCall call) {
    if (closing) {
      end(call, closedError());
      return;
    }
    CalledConnection now = connection;
    if (now == null && isHung(System.nanoTime())) {
      end(call, hung());
      return;
    }
    if (now == null && connecting == null) {
      long waitNanos = failures == 0 ? 0 : notBeforeNanos - System.nanoTime();
      if (waitNanos > 0 && !isWaitedFor()) {
        end(call, notCalled(waitNanos));
        return;
      }
      connectIn(waitNanos);
    }
    call.number(++lastId);
    unanswered.put(lastId, call);
    if (now != null) {
      call.giveTo(now);
    }
    if (!rounds) {
      rounds = true;
      loop.schedule(this::endWhatIsLate, ROUND_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private GraphMetaException closedError() {
    return new GraphMetaException(
        ErrorCode.CLOSED, "The transport to node " + address + " is closed");
  }

  private GraphMetaException notCalled(long waitNanos) {
    return new GraphMetaException(
        lastFailure == null ? ErrorCode.UNAVAILABLE : lastFailure.code(),
        "Node "
            + address
            + " could not be reached "
            + failures
            + " times and is called again in "
            + (1 + waitNanos / 1_000_000)
            + " ms; nothing was done"
            + (lastFailure == null ? "" : ". " + lastFailure.getMessage()));
  }

  /** Whether a node that was away is being called, and has said nothing for some time. */
  private boolean isHung(long nowNanos) {
    return connecting != null
        && away
        && !isWaitedFor()
        && nowNanos - connectingSinceNanos
            > TimeUnit.MILLISECONDS.toNanos(settings.number(NodeSetting.HEARTBEAT_MILLIS));
  }

  private GraphMetaException hung() {
    return new GraphMetaException(
        ErrorCode.UNAVAILABLE,
        "Node " + address + " is being called and says nothing; nothing was done");
  }

  /** Whether the node has not been away for long. */
  private boolean isWaitedFor() {
    long patienceMillis = settings.number(NodeSetting.WAIT_MILLIS);
    return patienceMillis > 0
        && !closing
        && (!away
            || System.nanoTime() - awaySinceNanos < TimeUnit.MILLISECONDS.toNanos(patienceMillis));
  }

  /** The node is away from now on, unless it was before. */
  private void goneSince() {
    if (!away) {
      away = true;
      awaySinceNanos = System.nanoTime();
    }
  }

  /** Makes a connection some time from now, if by then there is none and calls wait for it. */
  private void connectIn(long nanos) {
    if (nanos <= 0) {
      connect();
    } else if (!willConnect) {
      willConnect = true;
      loop.schedule(this::connectIfNeeded, nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void connectIfNeeded() {
    willConnect = false;
    if (connection == null && connecting == null && anyWaits()) {
      connect();
    }
  }

  private void connect() {
    int handshakeMillis = settings.integer(NodeSetting.HANDSHAKE_TIMEOUT_MILLIS);
    ChannelFuture connect =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, handshakeMillis)
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    addHandlers(channel);
                  }
                })
            .connect(address.host(), address.port());
    connecting = connect.channel();
    connectingSinceNanos = System.nanoTime();
    connect.addListener(
        done -> {
          if (!done.isSuccess()) {
            notConnected(
                new GraphMetaException(
                    ErrorCode.UNREACHABLE,
                    String.valueOf(done.cause().getMessage()),
                    done.cause()));
          }
        });
  }

  private void addHandlers(Channel channel) {
    FrameDecoder decoder = new FrameDecoder();
    Handshake handshake = new Handshake(self, clock, settings);
    CalledConnection called =
        new CalledConnection(channel, decoder, handshake, settings, traffic, address, this);
    if (tls != null) {
      channel.pipeline().addLast(tls.calling(channel.alloc(), address.host(), address.port()));
    }
    channel.pipeline().addLast(decoder, called);
    called.limitHandshake();
  }

  @Override
  public void established(CalledConnection made) {
    connection = made;
    connecting = null;
    NodeIdentity peer = made.peer();
    incarnation = peer == null ? 0 : peer.incarnation();
    failures = 0;
    away = false;
    lastFailure = null;
    giveWhatWaits(made);
  }

  private void giveWhatWaits(CalledConnection to) {
    for (PendingCall call : unanswered.values()) {
      if (call.waits()) {
        call.giveTo(to);
      }
    }
    to.flush();
  }

  /**
   * The node stops. What it has been given it answers, or else the end of this connection tells;
   * all else waits for the next one, which the node makes possible when it is started again.
   */
  @Override
  public void left(CalledConnection over) {
    if (connection == over) {
      leaving.add(over);
      notConnectedAnyMore(over);
      connectIfNeeded();
      endLeaving();
    }
  }

  private void notConnectedAnyMore(CalledConnection over) {
    connection = null;
    over.writer.clear();
    goneSince();
  }

  private boolean anyWaits() {
    for (PendingCall call : unanswered.values()) {
      if (call.waits()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void ended(CalledConnection over, GraphMetaException why) {
    if (leaving.remove(over)) {
      over.writer.clear();
    } else if (connection == over) {
      notConnectedAnyMore(over);
    } else {
      notConnected(why);
      return;
    }
    boolean waited = isWaitedFor();
    // What was under way may have been done, whatever the connection ended by.
    end(
        call -> call.isUnderWayOn(over) && !(waited && call.outlivesBreak()),
        new GraphMetaException(ErrorCode.UNREACHABLE, String.valueOf(why.getMessage()), why));
    for (PendingCall call : unanswered.values()) {
      if (call.isUnderWayOn(over)) {
        call.waitAfterBreak();
      }
    }
    giveWhatWaits();
  }

  /** Gives what waits to the connection that is there, or sees to it that there will be one. */
  private void giveWhatWaits() {
    CalledConnection now = connection;
    if (now != null) {
      giveWhatWaits(now);
    }
    connectIfNeeded();
  }

  /** Why a node was not reached, as callers are told. */
  private GraphMetaException told(GraphMetaException why) {
    return TOLD_AS_THEY_ARE.contains(why.code())
        ? why
        : new GraphMetaException(
            ErrorCode.UNAVAILABLE,
            "Node " + address + " cannot be reached: " + why.getMessage() + " (nothing was done)",
            why);
  }

  private void notConnected(GraphMetaException why) {
    if (connecting == null) {
      return; // told by the attempt and by its channel
    }
    connecting = null;
    failures++;
    long first = settings.number(NodeSetting.RECONNECT_MILLIS);
    long most = settings.number(NodeSetting.MAX_RECONNECT_MILLIS);
    long millis = Math.min(most, first << Math.min(failures - 1, 20));
    // Not all callers of a node that comes back come at once.
    double share = ThreadLocalRandom.current().nextDouble(0.5, 1);
    notBeforeNanos = System.nanoTime() + (long) (share * TimeUnit.MILLISECONDS.toNanos(millis));
    GraphMetaException told = told(why);
    lastFailure = told;
    goneSince();
    boolean waited = told.code() == ErrorCode.UNAVAILABLE && isWaitedFor();
    end(call -> !waited && call.waits(), told);
    if (anyWaits()) {
      connectIn(notBeforeNanos - System.nanoTime());
    }
  }

  private void end(Predicate<PendingCall> which, GraphMetaException why) {
    List<PendingCall> calls = new ArrayList<>();
    Iterator<LongObjectMap.PrimitiveEntry<PendingCall>> each = unanswered.entries().iterator();
    while (each.hasNext()) {
      PendingCall call = each.next().value();
      if (which.test(call)) {
        calls.add(call);
        each.remove();
      }
    }
    // Whoever is told can send again, and finds the places of all others empty.
    calls.forEach(PendingCall::leave);
    calls.forEach(PendingCall::leaveRoom);
    calls.forEach(call -> end(call, why));
    closeIfDone();
  }

  /** Fails a call by a thread on which what depends on it may take its time. */
  private void end(PendingCall call, GraphMetaException why) {
    call.leave();
    call.leaveRoom();
    work(() -> call.fail(why));
  }

  private void work(Runnable task) {
    try {
      threads.work().execute(task);
    } catch (RejectedExecutionException e) {
      task.run(); // at the end of the process, when there is no other thread
    }
  }

  @Override
  public void answered(long id, byte[] message) {
    PendingCall call = unanswered.get(id);
    if (call == null) {
      return; // its time was over, or nobody waits for it any more
    }
    if (!leaving.isEmpty()
        && leaving.stream().anyMatch(call::isUnderWayOn)
        && call.isRepeatable()
        && isGoneBy(message)) {
      call.waitAgain();
      giveWhatWaits();
    } else {
      unanswered.remove(id);
      call.leave();
      if (!call.hand(message)) {
        if (call.isAwaited()) {
          work(() -> call.answer(codec, message));
        } else {
          call.answer(codec, message);
        }
      }
    }
    endLeaving();
    closeIfDone();
  }

  /** Whether an answer of a node that stops is the error of one that cannot do it any more. */
  private boolean isGoneBy(byte[] message) {
    if (message.length > MOST_ERROR_BYTES) {
      return false;
    }
    try {
      codec.decodeAnswer(message);
      return false;
    } catch (GraphMetaException e) {
      return GONE.contains(e.code());
    }
  }

  /** Closes the connection to a node that stops once nothing is under way on it. */
  private void endLeaving() {
    for (CalledConnection each : leaving.isEmpty() ? leaving : List.copyOf(leaving)) {
      if (!anyUnderWayOn(each)) {
        each.channel.close();
      }
    }
  }

  private boolean anyUnderWayOn(CalledConnection over) {
    for (PendingCall call : unanswered.values()) {
      if (call.isUnderWayOn(over)) {
        return true;
      }
    }
    return false;
  }

  private void endWhatIsLate() {
    long now = System.nanoTime();
    GraphMetaException failed = lastFailure;
    if (connection == null && connecting == null && failed != null && !isWaitedFor()) {
      end(PendingCall::waits, failed);
    }
    if (isHung(now)) {
      end(PendingCall::waits, hung());
    }
    Iterator<LongObjectMap.PrimitiveEntry<PendingCall>> each = unanswered.entries().iterator();
    while (each.hasNext()) {
      PendingCall call = each.next().value();
      boolean late = call.isLate(now);
      if (late || call.isDone()) {
        each.remove();
        call.leave();
        if (connection == null) {
          call.leaveRoom(); // no connection has been given it, which would
        }
      }
      if (late) {
        GraphMetaException why = call.isUnderWay() ? call.timeout() : call.notSent(failed);
        work(() -> call.fail(why));
      }
    }
    endLeaving();
    rounds = !unanswered.isEmpty();
    if (rounds) {
      loop.schedule(this::endWhatIsLate, ROUND_MILLIS, TimeUnit.MILLISECONDS);
    }
    closeIfDone();
  }

  private static void close(@Nullable Channel channel) {
    if (channel != null) {
      channel.close();
    }
  }

  private void closeIfDone() {
    if (!closing || !unanswered.isEmpty()) {
      return;
    }
    CalledConnection now = connection;
    close(now == null ? connecting : now.channel);
    List.copyOf(leaving).forEach(each -> close(each.channel));
    closed.complete(null);
  }
}
