package io.graphmeta.server.net;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.access.Loopback;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 between nodes, with certificates on both sides: whoever has none of the authority of the
 * cluster gets no further than the handshake. Immutable, safe for use by many threads.
 */
final class NodeTls {
  private static final String PROTOCOL = "TLSv1.3";

  private final SslContext calling;
  private final SslContext called;

  private NodeTls(SslContext calling, SslContext called) {
    this.calling = calling;
    this.called = called;
  }

  /**
   * What the settings say; null if connections are not encrypted.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if a file is missing or holds
   *     something else
   */
  static @Nullable NodeTls of(NodeSettings settings) {
    if (!settings.has(NodeSetting.TLS_CERT)
        && !settings.has(NodeSetting.TLS_KEY)
        && !settings.has(NodeSetting.TLS_CA)) {
      return null;
    }
    File cert = file(settings, NodeSetting.TLS_CERT);
    File key = file(settings, NodeSetting.TLS_KEY);
    File authority = file(settings, NodeSetting.TLS_CA);
    try {
      return new NodeTls(
          SslContextBuilder.forClient()
              .keyManager(cert, key)
              .trustManager(authority)
              .endpointIdentificationAlgorithm("HTTPS")
              .sslProvider(SslProvider.JDK)
              .protocols(PROTOCOL)
              .build(),
          SslContextBuilder.forServer(cert, key)
              .trustManager(authority)
              .clientAuth(ClientAuth.REQUIRE)
              .sslProvider(SslProvider.JDK)
              .protocols(PROTOCOL)
              .build());
    } catch (IOException | IllegalArgumentException e) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "The certificates of a node cannot be taken ("
              + cert
              + ", "
              + key
              + ", "
              + authority
              + "): "
              + e.getMessage(),
          e);
    }
  }

  private static File file(NodeSettings settings, NodeSetting setting) {
    File file = new File(settings.get(setting));
    if (!settings.has(setting) || !file.isFile()) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Setting "
              + setting.key()
              + " names '"
              + settings.get(setting)
              + "', which is no file; expected certificate, key and authority, or none of them");
    }
    return file;
  }

  /**
   * Refuses to talk beyond the own machine in the clear.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION}
   */
  static void require(@Nullable NodeTls tls, String host) {
    if (tls == null && !Loopback.includes(host)) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "The address "
              + host
              + " is on the way of other machines, so that nodes talk by TLS; set "
              + NodeSetting.TLS_CERT.key()
              + ", "
              + NodeSetting.TLS_KEY.key()
              + " and "
              + NodeSetting.TLS_CA.key());
    }
  }

  /** Calls a node, whose certificate must be for this name. */
  SslHandler calling(ByteBufAllocator buffers, String host, int port) {
    return calling.newHandler(buffers, host, port);
  }

  /** Answers whoever has a certificate. */
  SslHandler called(ByteBufAllocator buffers) {
    return called.newHandler(buffers);
  }
}
