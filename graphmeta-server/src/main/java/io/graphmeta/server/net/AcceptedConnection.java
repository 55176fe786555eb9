package io.graphmeta.server.net;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MessageCodec;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.transport.Transport;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The end of a connection that was called: it takes calls to the shards of this node and sends
 * their answers. While too many bytes of calls are being worked on, or of answers not taken, it
 * reads nothing, so that the caller's queue fills and the caller refuses.
 */
final class AcceptedConnection extends NodeConnection {
  /** A longer call is decoded by a thread on which it may take its time. */
  private static final int MAX_DECODED_HERE_BYTES = 1 << 15;

  /** Longer parts of transactions are begun by a thread each. */
  private static final int MAX_IN_TURN_BYTES = 1 << 12;

  /** An answer that nobody waits for goes with others, or after this time. */
  private static final long MAX_UNAWAITED_MILLIS = 5;

  private final ShardQueues shards;
  private final MessageCodec codec;
  private final Executor work;
  private final Owner owner;
  private final long maxQueuedBytes;
  private final int maxUnderWay;
  private final Queue<HeldCall> held = new ArrayDeque<>();
  private final Queue<Answer> given = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /** The snapshots that an envelope asks for, of the thread of the connection. */
  private final List<ShortCall> together = new ArrayList<>();

  /** Parts or outcomes of one transaction that an envelope has, of the thread of the connection. */
  private final List<ShortCall> parts = new ArrayList<>();

  private @Nullable TransactionId transaction;
  private int unawaited;
  private boolean takesUnawaited;
  private long bytesBeingWorkedOn;
  private int underWay;
  private boolean over;
  private volatile boolean leaving;
  private boolean told;

  /** Whom the connection belongs to. Called by the thread of the connection. */
  interface Owner {
    /** The two ends know each other. */
    void established(AcceptedConnection connection);

    /** The connection is over. */
    void ended(AcceptedConnection connection);
  }

  AcceptedConnection(
      Channel channel,
      FrameDecoder decoder,
      Handshake handshake,
      NodeSettings settings,
      Traffic traffic,
      ShardQueues shards,
      MessageCodec codec,
      Executor work,
      Owner owner) {
    super(channel, decoder, handshake, settings, traffic, EnvelopeReader.Side.TAKES_CALLS);
    this.shards = shards;
    this.codec = codec;
    this.work = work;
    this.owner = owner;
    this.maxUnderWay = settings.integer(NodeSetting.SHARD_QUEUE);
    this.maxQueuedBytes = settings.number(NodeSetting.MAX_QUEUED_BYTES);
  }

  /** A call that came in the envelope of others whose answers are not taken. */
  private record HeldCall(long id, int shard, byte[] bytes) {}

  /** A call that is begun with others of its envelope. */
  private record ShortCall(long id, int length, Transport.Addressed call) {
    boolean isAwaited() {
      return !(call.call().request() instanceof Request.Unawaited);
    }
  }

  /** An answer, the length of the call that it answers, and whether somebody waits for it. */
  private record Answer(long id, ByteWriter bytes, int callBytes, boolean isAwaited)
      implements OutgoingMessage {
    @Override
    public int shard() {
      return -1;
    }

    @Override
    public boolean isWanted() {
      return true;
    }

    @Override
    public void written() {
      // Nobody waits for that here.
    }

    @Override
    public void notWritten() {
      // The caller sees that the connection is over.
    }
  }

  @Override
  void met(Greeting greeting) {
    send(handshake.greeting());
  }

  @Override
  void ready(byte[] frame) {
    ClockOffset clock = handshake.meetReady(frame);
    NodeIdentity peer = peer();
    if (peer != null) {
      establish(peer, clock);
      owner.established(this);
    }
  }

  @Override
  void message(long id, int shard, byte[] bytes) {
    traffic.messagesReceived.increment();
    bytesBeingWorkedOn += bytes.length;
    underWay++;
    if (underWay > maxUnderWay) {
      answer(id, bytes.length, null, tooManyCalls());
    } else if (writer.waitingBytes() > maxQueuedBytes) {
      held.add(new HeldCall(id, shard, bytes));
    } else {
      take(id, shard, bytes);
    }
    readOrNot();
  }

  private GraphMetaException tooManyCalls() {
    return new GraphMetaException(
        ErrorCode.OVERLOADED,
        "The node works on "
            + maxUnderWay
            + " calls of one caller, as many as it may; nothing was done, try again later");
  }

  private void take(long id, int shard, byte[] bytes) {
    if (bytes.length <= MAX_DECODED_HERE_BYTES) {
      begin(id, shard, bytes);
    } else {
      try {
        work.execute(() -> begin(id, shard, bytes));
      } catch (RejectedExecutionException e) {
        answer(id, bytes.length, null, stops());
      }
    }
  }

  private void begin(long id, int shard, byte[] bytes) {
    int length = bytes.length;
    try {
      Call call = codec.decodeCall(bytes);
      if (leaving) {
        answer(id, length, null, stops());
        return;
      }
      if (call.request() instanceof Request.Snapshot && length <= MAX_DECODED_HERE_BYTES) {
        together.add(new ShortCall(id, length, new Transport.Addressed(shard, call)));
        return;
      }
      TransactionId of = length <= MAX_IN_TURN_BYTES ? transactionOf(call.request()) : null;
      if (of != null) {
        if (!of.equals(transaction)) {
          beginParts();
          transaction = of;
        }
        parts.add(new ShortCall(id, length, new Transport.Addressed(shard, call)));
        return;
      }
      Response now = shards.answerAtOnce(shard, call);
      if (now != null) {
        answer(id, length, now, null);
      } else {
        answerLater(
            new ShortCall(id, length, new Transport.Addressed(shard, call)),
            shards.send(shard, call));
      }
    } catch (Throwable e) { // of the virtual machine too: the caller waits
      answer(id, length, null, e);
    }
  }

  private static @Nullable TransactionId transactionOf(Request request) {
    if (request instanceof Request.Prepare part) {
      return part.id();
    }
    return request instanceof Request.Resolve outcome ? outcome.id() : null;
  }

  private void answerLater(ShortCall call, CompletableFuture<Response> answer) {
    answer.whenComplete(
        (response, failure) ->
            answer(
                call.id(),
                call.length(),
                response,
                isClosed(failure) ? stopped(failure) : failure,
                call.isAwaited()));
  }

  /**
   * Begins the parts of a transaction that the envelope has, or its outcomes. They wait for no lock
   * and for no disk, and their owner waits for all or none, so that one thread will do.
   */
  private void beginParts() {
    if (parts.isEmpty()) {
      return;
    }
    List<ShortCall> calls = List.copyOf(parts);
    parts.clear();
    transaction = null;
    for (ShortCall each : calls) {
      if (!each.isAwaited()) {
        unawaited++;
        takeUnawaitedSoon();
      }
    }
    beginAsOne(calls);
  }

  /** Has one thread begin calls, one after the other. */
  private void beginAsOne(List<ShortCall> calls) {
    try {
      List<CompletableFuture<Response>> answers =
          shards.sendInTurn(calls.stream().map(ShortCall::call).toList());
      for (int i = 0; i < calls.size(); i++) {
        answerLater(calls.get(i), answers.get(i));
      }
    } catch (Throwable e) { // of the virtual machine too: the caller waits
      calls.forEach(call -> answer(call.id(), call.length(), null, e, call.isAwaited()));
    }
  }

  private void takeUnawaitedSoon() {
    if (!takesUnawaited) {
      takesUnawaited = true;
      channel
          .eventLoop()
          .schedule(this::takeUnawaited, MAX_UNAWAITED_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void takeUnawaited() {
    takesUnawaited = false;
    takeGiven();
    if (unawaited > 0) {
      takeUnawaitedSoon();
    }
  }

  /**
   * Begins the snapshots that the envelope has asked for. A transaction begins with those of all
   * shards of the node and waits for all, so that nothing is gained by a thread for each. Where a
   * shard is asked again, another transaction begins, which the first does not keep waiting.
   */
  @Override
  void envelopeRead() {
    beginParts();
    int from = 0;
    Set<Integer> asked = new HashSet<>();
    for (int i = 0; i < together.size(); i++) {
      if (!asked.add(together.get(i).call().shard())) {
        beginInTurn(List.copyOf(together.subList(from, i)));
        asked.clear();
        asked.add(together.get(i).call().shard());
        from = i;
      }
    }
    if (!together.isEmpty()) {
      beginInTurn(List.copyOf(together.subList(from, together.size())));
      together.clear();
    }
  }

  private void beginInTurn(List<ShortCall> calls) {
    try {
      if (!answerAtOnce(calls)) {
        beginAsOne(calls);
      }
    } catch (Throwable e) { // of the virtual machine too: the caller waits
      calls.forEach(call -> answer(call.id(), call.length(), null, e));
    }
  }

  /** Answers all of some calls here, or none: in one frame, either way, if nothing is slow. */
  private boolean answerAtOnce(List<ShortCall> calls) {
    List<Response> answers = new ArrayList<>(calls.size());
    for (ShortCall each : calls) {
      Response now = shards.answerAtOnce(each.call().shard(), each.call().call());
      if (now == null) {
        return false;
      }
      answers.add(now);
    }
    for (int i = 0; i < answers.size(); i++) {
      answer(calls.get(i).id(), calls.get(i).length(), answers.get(i), null);
    }
    return true;
  }

  /** Takes no more calls, and tells the caller, if it is one that understands. */
  void leave() {
    leaving = true;
    if (!told && closesItself()) {
      told = true;
      send(new ByteWriter(1).putByte(Frames.LEAVING));
    }
  }

  private static boolean isClosed(@Nullable Throwable failure) {
    return failure instanceof GraphMetaException known && known.code() == ErrorCode.CLOSED;
  }

  /** To a caller, a shard that was closed under a call is away. */
  private static GraphMetaException stopped(Throwable closed) {
    return new GraphMetaException(
        ErrorCode.UNREACHABLE, "The node stops: " + closed.getMessage() + "; try again", closed);
  }

  private static GraphMetaException stops() {
    return new GraphMetaException(
        ErrorCode.UNAVAILABLE, "The node stops; nothing was done, try again");
  }

  private void answer(
      long id, int callBytes, @Nullable Response response, @Nullable Throwable failure) {
    answer(id, callBytes, response, failure, true);
  }

  /** Gives the answer to the connection. Called by any thread. */
  private void answer(
      long id,
      int callBytes,
      @Nullable Response response,
      @Nullable Throwable failure,
      boolean isAwaited) {
    given.add(new Answer(id, bytes(response, failure), callBytes, isAwaited));
    if (isAwaited && !scheduled.get() && scheduled.compareAndSet(false, true)) {
      try {
        channel.eventLoop().execute(this::takeGiven);
      } catch (RejectedExecutionException e) {
        scheduled.set(false); // the process stops, and the connection with it
      }
    }
  }

  private ByteWriter bytes(@Nullable Response response, @Nullable Throwable failure) {
    try {
      return failure == null && response != null
          ? codec.writeAnswer(response)
          : codec.writeError(error(failure));
    } catch (Throwable e) { // an answer over the limit, or no memory for it
      return codec.writeError(error(e));
    }
  }

  private static GraphMetaException error(@Nullable Throwable failure) {
    return failure instanceof GraphMetaException known
        ? known
        : new GraphMetaException(
            ErrorCode.INTERNAL, "A shard failed to answer: " + failure, failure);
  }

  private void takeGiven() {
    scheduled.set(false); // before the queue is read, so that what is added later is seen
    Answer answer = given.poll();
    while (answer != null) {
      underWay--;
      unawaited -= answer.isAwaited() ? 0 : 1;
      bytesBeingWorkedOn -= answer.callBytes();
      if (!over) {
        writer.add(answer);
      }
      answer = given.poll();
    }
    flush();
  }

  @Override
  void flushed() {
    while (!held.isEmpty() && writer.waitingBytes() <= maxQueuedBytes) {
      HeldCall call = held.remove();
      take(call.id(), call.shard(), call.bytes());
    }
    envelopeRead();
    readOrNot();
  }

  private void readOrNot() {
    boolean read = bytesBeingWorkedOn <= maxQueuedBytes && writer.waitingBytes() <= maxQueuedBytes;
    if (read != channel.config().isAutoRead()) {
      channel.config().setAutoRead(read);
    }
  }

  @Override
  void left() {
    throw Frames.corrupt("A caller sent what only a node sends");
  }

  @Override
  boolean expectsSigns() {
    return channel.config().isAutoRead();
  }

  /** Whether the caller will close the connection when it has taken its answers. */
  boolean closesItself() {
    return handshake.protocol() >= Frames.LEAVING_PROTOCOL;
  }

  /** Whether all calls that came are answered and the answers sent. */
  boolean isIdle() {
    return underWay == 0 && writer.isEmpty();
  }

  @Override
  void ended(GraphMetaException why) {
    over = true;
    held.clear();
    writer.clear();
    owner.ended(this);
  }
}
