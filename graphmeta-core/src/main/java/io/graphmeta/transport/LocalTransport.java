package io.graphmeta.transport;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MessageCodec;
import io.graphmeta.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The transport to servers in this process. By default the caller's thread does the work of the
 * server, so that an embedded graph pays for no hand-over; with {@link Options} servers have
 * threads of their own, and messages pass as bytes. Safe for use by many threads.
 *
 * <p>Actions that depend on a future of {@link #send} run in whatever thread completes it, a
 * server's or that of the timer; they must not wait.
 */
public final class LocalTransport implements Transport {
  private final List<LocalServer> servers = new ArrayList<>();
  private final @Nullable MessageCodec codec;

  /** A transport to these servers, whose work the caller's thread does. */
  public LocalTransport(List<? extends RequestHandler> servers) {
    this(servers, Options.DEFAULT);
  }

  /** A transport to these servers. Close it before them. */
  public LocalTransport(List<? extends RequestHandler> servers, Options options) {
    Promise.prepare();
    Deadlines deadlines = new Deadlines();
    codec = options.encodeMessages() ? new MessageCodec(MessageCodec.DEFAULT_MAX_BYTES) : null;
    for (RequestHandler server : servers) {
      RequestHandler handler = codec == null ? server : new EncodedAnswers(server, codec);
      int number = this.servers.size();
      this.servers.add(
          options.serverThreads() == 0
              ? new CallerThreads(number, handler, deadlines)
              : new ServerThreads(
                  number, handler, options.serverThreads(), options.queueLimit(), deadlines));
    }
  }

  /**
   * How servers are reached.
   *
   * @param serverThreads threads of each server; 0 if the caller's thread does its work
   * @param queueLimit most calls that wait for a thread of a server; it refuses more as {@code
   *     OVERLOADED}
   * @param encodeMessages whether calls and answers pass as bytes, as over a network
   */
  public record Options(int serverThreads, int queueLimit, boolean encodeMessages) {
    /** The caller's thread and nothing between. */
    public static final Options DEFAULT = new Options(0, 1024, false);

    /** Fails for numbers out of range. */
    public Options {
      if (serverThreads < 0 || queueLimit < 1) {
        throw GraphMetaException.invalid(
            serverThreads
                + " threads with a queue of "
                + queueLimit
                + "; expected at least 0 threads and a queue of at least 1");
      }
    }
  }

  @Override
  public CompletableFuture<Response> send(int server, Call call) {
    if (server < 0 || server >= servers.size()) {
      return CompletableFuture.failedFuture(
          GraphMetaException.internal("No server " + server + "; there are " + servers.size()));
    }
    Call arrived = call;
    if (codec != null) {
      try {
        arrived = codec.decodeCall(codec.encodeCall(call));
      } catch (GraphMetaException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
    return servers.get(server).send(arrived);
  }

  /**
   * Takes no more calls, if servers have threads of their own, and waits until the calls that they
   * took have begun and the threads are done.
   */
  @Override
  public void close() {
    servers.forEach(LocalServer::close);
  }
}
