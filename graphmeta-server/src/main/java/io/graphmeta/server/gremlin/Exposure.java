package io.graphmeta.server.gremlin;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Whom the server is open to. */
final class Exposure {
  private Exposure() {}

  /**
   * Refuses to listen beyond the own machine without log-in and TLS.
   *
   * @throws GraphMetaException if it was asked for
   */
  static void check(ServerSettings settings) {
    String host = settings.get(ServerSetting.HOST);
    boolean users = settings.has(ServerSetting.USERS_FILE);
    boolean tls = Tls.isConfigured(settings);
    if (isLoopback(host) || users && tls) {
      return;
    }
    throw new GraphMetaException(
        ErrorCode.INVALID_CONFIGURATION,
        "The address "
            + host
            + " can be reached from other machines, so "
            + (users ? "" : "users (--users FILE)")
            + (users || tls ? "" : " and ")
            + (tls ? "" : "a certificate (--tls-cert and --tls-key, or --tls-keystore)")
            + " must be given; or listen on 127.0.0.1");
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "The address " + host + " is unknown (" + e.getMessage() + ")",
          e);
    }
  }

  /**
   * The names by which it can be called, in lower case. Beyond the own machine any will do, since
   * there a client must log in.
   */
  static Set<String> hosts(ServerSettings settings) {
    Set<String> hosts = new HashSet<>();
    for (String host : settings.get(ServerSetting.ALLOWED_HOSTS).split(",")) {
      if (!host.isBlank()) {
        hosts.add(host.strip().toLowerCase(Locale.ROOT));
      }
    }
    String own = settings.get(ServerSetting.HOST);
    if (hosts.isEmpty() && !isLoopback(own)) {
      return Set.of();
    }
    hosts.addAll(List.of("localhost", "127.0.0.1", "[::1]", own.toLowerCase(Locale.ROOT)));
    return Set.copyOf(hosts);
  }
}
