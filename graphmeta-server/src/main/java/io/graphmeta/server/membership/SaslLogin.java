package io.graphmeta.server.membership;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.jspecify.annotations.Nullable;

/**
 * The log-in of one client of ZooKeeper. ZooKeeper asks the configuration of log-ins of the JVM for
 * it by name, at each connection. So there is one for all of the JVM, laid over the one that was
 * there before, and each log-in has a name that nobody else has. Safe for use by many threads.
 */
final class SaslLogin implements AutoCloseable {
  private static final Overlay OVERLAY = new Overlay();

  private final String name;

  /** Makes it known under a name of its own. */
  SaslLogin(String user, String password) {
    name = "graphmeta-" + UUID.randomUUID();
    OVERLAY.put(
        name,
        new AppConfigurationEntry(
            DigestLoginModule.class.getName(),
            LoginModuleControlFlag.REQUIRED,
            Map.of("username", user, "password", password)));
  }

  String name() {
    return name;
  }

  @Override
  public void close() {
    OVERLAY.entries.remove(name);
  }

  private static final class Overlay extends Configuration {
    private final Map<String, AppConfigurationEntry> entries = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private boolean laid;

    @GuardedBy("this")
    private @Nullable Configuration below;

    /**
     * Adds a log-in. With the first this becomes the configuration of the JVM. It does so once: who
     * lays another over it later may ask this one, which must not ask back.
     */
    synchronized void put(String name, AppConfigurationEntry entry) {
      entries.put(name, entry);
      if (!laid) {
        laid = true;
        below = currentOrNull();
        Configuration.setConfiguration(this);
      }
    }

    /** A JVM without a file of log-ins has none, and says so by an exception. */
    private static @Nullable Configuration currentOrNull() {
      try {
        return Configuration.getConfiguration();
      } catch (SecurityException e) {
        return null;
      }
    }

    @Override
    public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String name) {
      AppConfigurationEntry own = entries.get(name);
      if (own != null) {
        return new AppConfigurationEntry[] {own};
      }
      Configuration other;
      synchronized (this) {
        other = below;
      }
      return other == null ? null : other.getAppConfigurationEntry(name);
    }
  }
}
