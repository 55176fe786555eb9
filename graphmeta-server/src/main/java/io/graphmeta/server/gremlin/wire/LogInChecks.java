package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.run.NamedThreads;
import io.graphmeta.server.gremlin.run.QueryLog;
import io.graphmeta.server.users.PasswordCheck;
import io.netty.channel.ChannelHandlerContext;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks names and passwords on a thread of its own, since that takes computing on purpose, and
 * tells the outcome on the thread of the connection. Safe for use by many threads.
 */
public final class LogInChecks implements AutoCloseable {
  private static final int MAX_WAITING = 256;

  private final PasswordCheck passwords;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_WAITING),
          new NamedThreads("log-in"));
  private final QueryLog log;

  /** A name and a password as they came. */
  record Credentials(String name, char[] password) {}

  /** Is told whether a log-in succeeded. */
  interface Outcome {
    /**
     * The check has ended.
     *
     * @param failure why it failed; null if it did not
     */
    void ended(@Nullable String failure);
  }

  /**
   * @param passwords those who may log in
   * @param log is told of each log-in
   */
  public LogInChecks(PasswordCheck passwords, QueryLog log) {
    this.passwords = passwords;
    this.log = log;
  }

  void check(ChannelHandlerContext ctx, Credentials given, Outcome outcome) {
    InetSocketAddress remote = (InetSocketAddress) ctx.channel().remoteAddress();
    String address = remote.getAddress().getHostAddress();
    try {
      thread.execute(
          () -> {
            PasswordCheck.Outcome result = passwords.check(given.name(), given.password(), address);
            Arrays.fill(given.password(), '\0');
            log.loggedIn(
                given.name(), String.valueOf(remote), result == PasswordCheck.Outcome.WELCOME);
            ctx.executor().execute(() -> outcome.ended(failure(result)));
          });
    } catch (RejectedExecutionException e) {
      outcome.ended("Too many log-ins at once; try again later");
    }
  }

  /** Log-ins that wait are not checked any more. */
  @Override
  public void close() {
    thread.shutdownNow();
  }

  private static @Nullable String failure(PasswordCheck.Outcome result) {
    return switch (result) {
      case WELCOME -> null;
      case WRONG -> "The name or the password is wrong";
      case PAUSED -> "Too many log-ins from this address failed; try again later";
    };
  }
}
