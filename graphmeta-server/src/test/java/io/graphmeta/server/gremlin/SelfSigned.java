package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A certificate for this machine that nobody vouches for.
 *
 * @param keystore both, in PKCS 12
 * @param cert the certificate in PEM
 * @param key its private key in PEM
 */
record SelfSigned(Path keystore, Path cert, Path key) {
  static final String STORE_PASSWORD = "not a secret";

  static SelfSigned make(Path directory) throws Exception {
    Path keystore = directory.resolve("server.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                keystore.toString(),
                "-storepass",
                STORE_PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.out").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore store = KeyStore.getInstance(keystore.toFile(), STORE_PASSWORD.toCharArray());
    Key secret = store.getKey("server", STORE_PASSWORD.toCharArray());
    Path cert = directory.resolve("server.crt");
    Path key = directory.resolve("server.key");
    Files.writeString(cert, pem("CERTIFICATE", store.getCertificate("server").getEncoded()));
    Files.writeString(key, pem("PRIVATE KEY", secret.getEncoded()));
    return new SelfSigned(keystore, cert, key);
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN "
        + kind
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
        + "\n-----END "
        + kind
        + "-----\n";
  }
}
