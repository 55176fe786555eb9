package io.graphmeta.transport;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MessageCodec;
import io.graphmeta.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The transport to shards in this process. By default the caller's thread does the work of the
 * shard, so that an embedded graph pays for no hand-over; with {@link Options} shards have threads
 * of their own, and messages pass as bytes. Safe for use by many threads.
 *
 * <p>Actions that depend on a future of {@link #send} run in whatever thread completes it, a
 * shard's or that of the timer; they must not wait.
 */
public final class LocalTransport implements Transport {
  private final Options options;
  private final Deadlines deadlines = new Deadlines();
  private final @Nullable MessageCodec codec;
  private final AtomicInteger turns = new AtomicInteger();
  private volatile List<LocalShard> shards = List.of();

  /** A transport to these shards, whose work the caller's thread does. */
  public LocalTransport(List<? extends RequestHandler> shards) {
    this(shards, Options.DEFAULT);
  }

  /** A transport to these shards. Close it before them. */
  public LocalTransport(List<? extends RequestHandler> shards, Options options) {
    Promise.prepare();
    this.options = options;
    codec = options.encodeMessages() ? new MessageCodec(MessageCodec.DEFAULT_MAX_BYTES) : null;
    shards.forEach(this::add);
  }

  /** Goes to one more shard. Returns its number here: the next one that was never given. */
  public synchronized int add(RequestHandler shard) {
    RequestHandler handler = codec == null ? shard : new EncodedAnswers(shard, codec);
    int number = shards.size();
    List<LocalShard> all = new ArrayList<>(shards);
    all.add(
        options.shardThreads() == 0
            ? new CallerThreads(number, handler, deadlines)
            : new ShardThreads(
                number, handler, options.shardThreads(), options.queueLimit(), deadlines));
    shards = List.copyOf(all);
    return number;
  }

  /** Takes no more calls to a shard, as {@link #close} does for all. */
  public void end(int shard) {
    shards.get(shard).close();
  }

  /**
   * How shards are reached.
   *
   * @param shardThreads threads of each shard; 0 if the caller's thread does its work
   * @param queueLimit most calls that wait for a thread of a shard; it refuses more as {@code
   *     OVERLOADED}
   * @param encodeMessages whether calls and answers pass as bytes, as over a network
   */
  public record Options(int shardThreads, int queueLimit, boolean encodeMessages) {
    /** The caller's thread and nothing between. */
    public static final Options DEFAULT = new Options(0, 1024, false);

    /** Fails for numbers out of range. */
    public Options {
      if (shardThreads < 0 || queueLimit < 1) {
        throw GraphMetaException.invalid(
            shardThreads
                + " threads with a queue of "
                + queueLimit
                + "; expected at least 0 threads and a queue of at least 1");
      }
    }
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    List<LocalShard> all = shards;
    if (shard < 0 || shard >= all.size()) {
      return CompletableFuture.failedFuture(
          GraphMetaException.internal("No shard " + shard + "; there are " + all.size()));
    }
    Call arrived = call;
    if (codec != null) {
      try {
        arrived = codec.decodeCall(codec.encodeCall(call));
      } catch (GraphMetaException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
    return all.get(shard).send(arrived);
  }

  /**
   * The answer of a shard with threads to a call that needs none of them; null if it needs one, or
   * if messages pass as bytes.
   */
  public @Nullable Response answerAtOnce(int shard, Call call) {
    return shards.get(shard) instanceof ShardThreads own ? own.answerAtOnce(call) : null;
  }

  /**
   * As {@link #sendAll}; where shards have threads, one of them begins all calls in turn. For short
   * calls that are waited for together: one thread is woken then, and not one for each shard.
   */
  public List<CompletableFuture<Response>> sendInTurn(List<Addressed> calls) {
    List<LocalShard> all = shards;
    List<ShardThreads> threads = new ArrayList<>(calls.size());
    for (Addressed each : calls) {
      if (each.shard() >= 0
          && each.shard() < all.size()
          && all.get(each.shard()) instanceof ShardThreads own) {
        threads.add(own);
      }
    }
    return codec == null && !calls.isEmpty() && threads.size() == calls.size()
        ? ShardThreads.sendInTurn(
            threads,
            calls.stream().map(Addressed::call).toList(),
            Math.floorMod(turns.getAndIncrement(), calls.size()))
        : sendAll(calls);
  }

  /**
   * Takes no more calls, if shards have threads of their own, and waits until the calls that they
   * took have begun and the threads are done.
   */
  @Override
  public void close() {
    shards.forEach(LocalShard::close);
  }
}
