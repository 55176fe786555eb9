package io.graphmeta.server.gremlin.wire;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;

/** Certificate and key of the server: PEM files or a PKCS 12 key store. */
public final class Tls {
  private Tls() {}

  /** True if a certificate is given. */
  public static boolean isConfigured(ServerSettings settings) {
    return settings.has(ServerSetting.TLS_CERT)
        || settings.has(ServerSetting.TLS_KEY)
        || settings.has(ServerSetting.TLS_KEYSTORE);
  }

  /**
   * TLS 1.3 and 1.2; null if none is configured.
   *
   * @throws GraphMetaException if a file cannot be taken
   */
  public static @Nullable SslContext context(ServerSettings settings) {
    if (!isConfigured(settings)) {
      return null;
    }
    try {
      return builder(settings)
          .sslProvider(SslProvider.JDK)
          .protocols(List.of("TLSv1.3", "TLSv1.2"))
          .build();
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw invalid("The certificate or its key cannot be taken: " + e.getMessage(), e);
    }
  }

  private static SslContextBuilder builder(ServerSettings settings)
      throws IOException, GeneralSecurityException {
    if (!settings.has(ServerSetting.TLS_KEYSTORE)) {
      if (!settings.has(ServerSetting.TLS_CERT) || !settings.has(ServerSetting.TLS_KEY)) {
        throw invalid(
            "One of "
                + ServerSetting.TLS_CERT.key()
                + " and "
                + ServerSetting.TLS_KEY.key()
                + " is missing; expected both",
            null);
      }
      return SslContextBuilder.forServer(
          file(settings, ServerSetting.TLS_CERT), file(settings, ServerSetting.TLS_KEY));
    }
    if (settings.has(ServerSetting.TLS_CERT) || settings.has(ServerSetting.TLS_KEY)) {
      throw invalid("Both PEM files and a key store are given; expected one of them", null);
    }
    char[] password = new char[0];
    if (settings.has(ServerSetting.TLS_KEYSTORE_PASSWORD_FILE)) {
      Path file = file(settings, ServerSetting.TLS_KEYSTORE_PASSWORD_FILE).toPath();
      password = Files.readString(file).lines().findFirst().orElse("").toCharArray();
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in =
        Files.newInputStream(file(settings, ServerSetting.TLS_KEYSTORE).toPath())) {
      store.load(in, password);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    return SslContextBuilder.forServer(keys);
  }

  private static File file(ServerSettings settings, ServerSetting setting) {
    File file = new File(settings.get(setting));
    if (!file.isFile()) {
      throw invalid("Setting " + setting.key() + " names " + file + ", which is no file", null);
    }
    return file;
  }

  private static GraphMetaException invalid(String message, @Nullable Exception cause) {
    return new GraphMetaException(ErrorCode.INVALID_CONFIGURATION, message, cause);
  }
}
