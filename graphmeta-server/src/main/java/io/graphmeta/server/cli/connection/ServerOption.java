package io.graphmeta.server.cli.connection;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.access.Loopback;
import io.graphmeta.server.client.RemoteGraph;
import io.graphmeta.server.users.Token;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The option {@code --connect}, and those that say how to be let in. */
public final class ServerOption {
  public static final int DEFAULT_PORT = 8182;

  private static final String VARIABLE = "GRAPHMETA_CONNECT";
  private static final String PASSWORD = "GRAPHMETA_PASSWORD";
  private static final String TRUST_STORE_PASSWORD = "GRAPHMETA_TRUST_STORE_PASSWORD";
  private static final String TOKEN = "GRAPHMETA_TOKEN";

  @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
  private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--connect",
      paramLabel = "HOST[:PORT]",
      description =
          "Ask a server that 'graphmeta server' started; port 8182 if none is given. Default: the environment variable "
              + VARIABLE
              + ", unless --db is given.")
  private @Nullable String server;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description =
          "Name to log in with; the password is asked for, or taken from the environment variable "
              + PASSWORD
              + ". Without it the token of the server is used: that of the environment variable "
              + TOKEN
              + ", or else of a server that you started on this machine.")
  private @Nullable String user;

  @Option(names = "--tls", description = "Encrypt the connection to the server.")
  private boolean tls;

  @Option(
      names = "--trust-store",
      paramLabel = "FILE",
      description =
          "PKCS12 file with the certificates to trust, instead of those of the Java; its password is taken from "
              + TRUST_STORE_PASSWORD
              + ".")
  private @Nullable Path trustStore;

  /** Whether the option itself is given, not the variable alone. */
  boolean isGiven() {
    return server != null;
  }

  /**
   * The server to ask; null for none.
   *
   * @param db which excludes it
   */
  @Nullable String address(DatabaseOption db) {
    String variable = System.getenv(VARIABLE);
    @Nullable String asked = server;
    if (asked != null && db.isGiven()) {
      throw usage("Options --db and --connect exclude each other; give one of them");
    } else if (asked == null && !db.isGiven() && variable != null && !variable.isBlank()) {
      asked = variable;
    }
    if (asked != null && db.hasShards()) {
      throw usage(
          "Option --shards is for a database that is made here, and the server at "
              + asked
              + " is asked; leave one of them out");
    }
    return asked;
  }

  /** Connects to a server. */
  RemoteGraph connect(String given) throws IOException {
    int colon = given.lastIndexOf(':');
    boolean hasPort = colon >= 0 && given.indexOf(']', colon) < 0;
    String host = hasPort ? given.substring(0, colon) : given;
    String port = hasPort ? given.substring(colon + 1) : String.valueOf(DEFAULT_PORT);
    if (host.isEmpty() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
      throw usage("'" + given + "' is no address; expected one such as localhost:8182");
    }
    if (trustStore != null) {
      checkTrustStore(trustStore);
    }
    String token = user == null ? token(host, Integer.parseInt(port)) : null;
    return RemoteGraph.connect(
        new RemoteGraph.Address(
            host,
            Integer.parseInt(port),
            token == null ? user : Token.USER,
            user == null ? token : password(),
            tls || trustStore != null,
            trustStore,
            System.getenv(TRUST_STORE_PASSWORD)));
  }

  /** The driver only says that no server answers, when it cannot read the file. */
  private static void checkTrustStore(Path file) throws IOException {
    String given = System.getenv(TRUST_STORE_PASSWORD);
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore.getInstance("PKCS12").load(in, given == null ? null : given.toCharArray());
    } catch (NoSuchFileException | AccessDeniedException e) {
      throw e;
    } catch (IOException | GeneralSecurityException e) {
      throw new GraphMetaException(
          ErrorCode.INVALID_ARGUMENT,
          file
              + " is no trust store that can be read ("
              + e.getMessage()
              + "); expected a PKCS12 file, and its password in "
              + TRUST_STORE_PASSWORD,
          e);
    }
  }

  /** The token to log in with; null if none is known. It is only ever sent to this machine. */
  private static @Nullable String token(String host, int port) throws IOException {
    String given = System.getenv(TOKEN);
    if (given != null) {
      return given;
    }
    return Loopback.includes(host.replaceAll("^\\[|]$", "")) ? Token.read(Token.file(port)) : null;
  }

  private String password() {
    String variable = System.getenv(PASSWORD);
    if (variable != null) {
      return variable;
    }
    if (System.console() == null) {
      throw usage("No password for " + user + ": there is no terminal to ask at; set " + PASSWORD);
    }
    char[] typed = System.console().readPassword("Password of %s: ", user);
    return typed == null ? "" : new String(typed);
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }
}
