package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An authority and certificates that it signs, as files in a directory. */
public final class Certificates {
  private static final String PASSWORD = "not a secret";

  private final Path directory;

  /** A new authority. */
  public Certificates(Path directory) throws Exception {
    this.directory = Files.createDirectories(directory);
    keytool("ca", "-genkeypair", "-keyalg", "EC", "-dname", "CN=ca", "-ext", "bc:c");
    Files.writeString(
        authority(), pem("CERTIFICATE", store("ca").getCertificate("it").getEncoded()));
  }

  /** Its own certificate. */
  public Path authority() {
    return directory.resolve("ca.crt");
  }

  /** Settings with a certificate for a host, of this authority. */
  NodeSettings settings(String name, String host) throws Exception {
    sign(name, host);
    return TestCluster.SETTINGS
        .with(NodeSetting.TLS_CERT, cert(name))
        .with(NodeSetting.TLS_KEY, key(name))
        .with(NodeSetting.TLS_CA, authority());
  }

  /** A private key and a certificate for a host, of this authority, in one file. */
  public Path identity(String name, String host) throws Exception {
    sign(name, host);
    return Files.writeString(
        directory.resolve(name + ".pem"),
        Files.readString(key(name)) + Files.readString(cert(name)));
  }

  /** The certificate of a name that has an {@link #identity}. */
  public Path cert(String name) {
    return directory.resolve(name + ".crt");
  }

  /** Its private key. */
  public Path key(String name) {
    return directory.resolve(name + ".key");
  }

  private void sign(String name, String host) throws Exception {
    keytool(name, "-genkeypair", "-keyalg", "EC", "-dname", "CN=" + name);
    Path request = directory.resolve(name + ".csr");
    keytool(name, "-certreq", "-file", request.toString());
    keytool(
        "ca",
        "-gencert",
        "-rfc",
        "-ext",
        "SAN=" + (host.matches("[0-9.]+") ? "ip:" : "dns:") + host,
        "-infile",
        request.toString(),
        "-outfile",
        cert(name).toString());
    byte[] secret = store(name).getKey("it", PASSWORD.toCharArray()).getEncoded();
    Files.writeString(key(name), pem("PRIVATE KEY", secret));
  }

  private KeyStore store(String name) throws Exception {
    return KeyStore.getInstance(directory.resolve(name + ".p12").toFile(), PASSWORD.toCharArray());
  }

  private void keytool(String store, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-alias", "it", "-storetype", "PKCS12", "-storepass", PASSWORD));
    command.addAll(List.of("-keystore", directory.resolve(store + ".p12").toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.out").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(() -> output(directory.resolve("keytool.out"))).isZero();
  }

  private static String output(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
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
