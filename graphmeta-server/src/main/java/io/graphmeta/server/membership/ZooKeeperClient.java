package io.graphmeta.server.membership;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.jspecify.annotations.Nullable;

/**
 * A connection to ZooKeeper, with its log-in, its limits of time and its errors in words. It makes
 * a session anew when one has ended. Safe for use by many threads.
 */
final class ZooKeeperClient implements AutoCloseable {
  private static final long PAUSE_MILLIS = 100;
  private static final int MAX_CLOSE_MILLIS = 1000;

  private final ZooKeeperSettings settings;
  private final @Nullable SaslLogin login;
  private final CuratorFramework curator;
  private volatile boolean refused;

  /** Something that is asked of ZooKeeper, and that can be asked again when nobody answered. */
  interface Question<T> {
    /** Asks it; what was answered. */
    T ask(CuratorFramework curator) throws Exception;
  }

  private ZooKeeperClient(ZooKeeperSettings settings) {
    this.settings = settings;
    login =
        settings.has(ZooKeeperSetting.USER)
            ? new SaslLogin(settings.get(ZooKeeperSetting.USER), settings.password())
            : null;
    int session = settings.integer(ZooKeeperSetting.SESSION_TIMEOUT_MILLIS);
    curator =
        CuratorFrameworkFactory.builder()
            .connectString(settings.get(ZooKeeperSetting.HOSTS))
            // The servers are those of the settings, and not what ZooKeeper thinks of itself.
            .ensembleTracker(false)
            .sessionTimeoutMs(session)
            .connectionTimeoutMs(Math.max(250, session / 4))
            .maxCloseWaitMs(MAX_CLOSE_MILLIS)
            // Questions are repeated here, as long as the time allows.
            .retryPolicy(new RetryNTimes(0, 0))
            .aclProvider(new Rights(rights(settings)))
            .zkClientConfig(clientConfig(settings, login))
            .build();
  }

  /**
   * Connects, and waits until ZooKeeper has answered.
   *
   * @throws GraphMetaException {@code UNAVAILABLE} if it does not in time, {@code
   *     INVALID_CONFIGURATION} if it does not take the log-in
   */
  static ZooKeeperClient connect(ZooKeeperSettings settings) {
    ZooKeeperClient client = new ZooKeeperClient(settings);
    try {
      client.start();
      return client;
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  private void start() {
    curator
        .getCuratorListenable()
        .addListener(
            (own, event) -> {
              if (event.getType() == CuratorEventType.WATCHED
                  && event.getWatchedEvent().getState() == Watcher.Event.KeeperState.AuthFailed) {
                refused = true;
              }
            });
    curator.start();
    // An answer is what counts: a connection can be there before the log-in is refused.
    ask(each -> each.checkExists().forPath("/"));
  }

  /** Everybody, or with a log-in this user alone: addresses and names of a centre are its own. */
  private static List<ACL> rights(ZooKeeperSettings settings) {
    return settings.has(ZooKeeperSetting.USER)
        // Not List.of(), which does not bear ZooKeeper's question whether it contains null.
        ? Collections.singletonList(
            new ACL(ZooDefs.Perms.ALL, new Id("sasl", settings.get(ZooKeeperSetting.USER))))
        : ZooDefs.Ids.OPEN_ACL_UNSAFE;
  }

  private static ZKClientConfig clientConfig(
      ZooKeeperSettings settings, @Nullable SaslLogin login) {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, String.valueOf(login != null));
    if (login != null) {
      config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, login.name());
      // MD5 is not what FIPS allows; ZooKeeper takes no passwords by SASL in another way.
      config.setProperty("zookeeper.fips-mode", "false");
    }
    if (settings.has(ZooKeeperSetting.TLS_CA)) {
      config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
      config.setProperty(
          ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET,
          "org.apache.zookeeper.ClientCnxnSocketNetty");
      config.setProperty("zookeeper.ssl.hostnameVerification", "true");
      config.setProperty(
          "zookeeper.ssl.trustStore.location", settings.get(ZooKeeperSetting.TLS_CA));
      config.setProperty("zookeeper.ssl.trustStore.type", "PEM");
      if (settings.has(ZooKeeperSetting.TLS_IDENTITY)) {
        config.setProperty(
            "zookeeper.ssl.keyStore.location", settings.get(ZooKeeperSetting.TLS_IDENTITY));
        config.setProperty("zookeeper.ssl.keyStore.type", "PEM");
      }
    }
    return config;
  }

  /**
   * Asks until there is an answer. The question may be asked again after it was answered and the
   * answer was lost, so it looks first whether it has done already what it is to do.
   *
   * @throws GraphMetaException {@code UNAVAILABLE} if there is none in time
   */
  <T> T ask(Question<T> question) {
    long limit = settings.number(ZooKeeperSetting.DEADLINE_MILLIS);
    long start = System.nanoTime();
    while (true) {
      try {
        return question.ask(curator);
      } catch (KeeperException.ConnectionLossException
          | KeeperException.OperationTimeoutException
          | KeeperException.SessionExpiredException e) {
        if (refused) {
          throw notLetIn(e);
        }
        if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + PAUSE_MILLIS >= limit) {
          throw unavailable(limit, e);
        }
        pause(PAUSE_MILLIS);
      } catch (Exception e) {
        throw failure(e);
      }
    }
  }

  /** Asks once; what cannot be answered is an error at once. */
  <T> T askOnce(Question<T> question) {
    try {
      return question.ask(curator);
    } catch (KeeperException.ConnectionLossException
        | KeeperException.OperationTimeoutException
        | KeeperException.SessionExpiredException e) {
      throw refused ? notLetIn(e) : unavailable(0, e);
    } catch (Exception e) {
      throw failure(e);
    }
  }

  private GraphMetaException failure(Exception error) {
    if (error instanceof GraphMetaException known) {
      return known;
    }
    if (error instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return new GraphMetaException(
          ErrorCode.CANCELLED, "Interrupted while ZooKeeper was asked", error);
    }
    if (error instanceof KeeperException.NoAuthException
        || error instanceof KeeperException.AuthFailedException
        || error instanceof KeeperException.SessionClosedRequireAuthException) {
      return notLetIn(error);
    }
    return new GraphMetaException(
        ErrorCode.INTERNAL,
        "ZooKeeper at " + hosts() + " was asked and failed (" + error.getMessage() + ")",
        error);
  }

  private GraphMetaException notLetIn(Exception error) {
    return new GraphMetaException(
        ErrorCode.INVALID_CONFIGURATION,
        "ZooKeeper at "
            + hosts()
            + " does not let "
            + (login == null
                ? "those in who do not log in"
                : "user '" + settings.get(ZooKeeperSetting.USER) + "' in")
            + " ("
            + error.getMessage()
            + "); set "
            + ZooKeeperSetting.USER.key()
            + " and "
            + ZooKeeperSetting.PASSWORD_FILE.key()
            + " to those that the cluster was made with",
        error);
  }

  private GraphMetaException unavailable(long waited, Exception error) {
    return new GraphMetaException(
        ErrorCode.UNAVAILABLE,
        "ZooKeeper at "
            + hosts()
            + " has not answered"
            + (waited == 0 ? "" : " within " + waited + " milliseconds")
            + " ("
            + error.getMessage()
            + "); see that it runs, that "
            + ZooKeeperSetting.HOSTS.key()
            + " names it, and whether it wants TLS",
        error);
  }

  private String hosts() {
    return settings.get(ZooKeeperSetting.HOSTS);
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GraphMetaException(
          ErrorCode.CANCELLED, "Interrupted while ZooKeeper was waited for", e);
    }
  }

  /** Has each change at and below a path told from now on, as long as the session lives. */
  void watch(String path, Runnable changed) {
    askOnce(
        each ->
            each.watchers()
                .add()
                .withMode(AddWatchMode.PERSISTENT_RECURSIVE)
                .usingWatcher((Watcher) event -> changed.run())
                .forPath(path));
  }

  /** Tells of each connection that was lost (false) or made (true). */
  void onConnection(Consumer<Boolean> listener) {
    curator
        .getConnectionStateListenable()
        .addListener(
            (own, state) ->
                listener.accept(
                    state == ConnectionState.CONNECTED || state == ConnectionState.RECONNECTED));
  }

  /** The time after which ZooKeeper takes a session for ended, as both have agreed. */
  long sessionTimeoutMillis() {
    return askOnce(each -> each.getZookeeperClient().getZooKeeper()).getSessionTimeout();
  }

  @Override
  public void close() {
    curator.close();
    if (login != null) {
      login.close();
    }
  }

  /**
   * Who may use what is made.
   *
   * @param all the same for every path
   */
  private record Rights(List<ACL> all) implements ACLProvider {
    @Override
    public List<ACL> getDefaultAcl() {
      return all;
    }

    @Override
    public List<ACL> getAclForPath(String path) {
      return all;
    }
  }
}
