package io.graphmeta.server.gremlin;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.access.Loopback;
import io.graphmeta.server.gremlin.wire.Tls;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;

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
    if (Loopback.includes(host) || users && tls) {
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
}
