package io.graphmeta.server.cli.server;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.graphmeta.server.users.LogIns;
import io.graphmeta.server.users.PasswordCheck;
import io.graphmeta.server.users.Token;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Who may log in at a server: the users of a file, the clients that know the token of the server,
 * or everybody. The default is the token, since on a machine of many users all of them reach
 * 127.0.0.1.
 *
 * @param passwords null if nobody is asked
 * @param token null if there is none
 * @param tokenFile where the token goes; null for the usual place
 */
record LogIn(@Nullable PasswordCheck passwords, @Nullable Token token, @Nullable Path tokenFile) {

  /** What a server tells of its log-in, for as long as it runs. */
  interface Announced extends AutoCloseable {
    String text();

    @Override
    void close() throws IOException;
  }

  /**
   * The log-in that settings ask for.
   *
   * @throws GraphMetaException if they contradict one another, or users cannot be read
   */
  static LogIn of(ServerSettings settings) throws IOException {
    boolean required = settings.get(ServerSetting.LOG_IN).equals("required");
    boolean users = settings.has(ServerSetting.USERS_FILE);
    if (users && !required) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Both "
              + ServerSetting.USERS_FILE.key()
              + " and "
              + ServerSetting.LOG_IN.key()
              + "=none are set; expected users who log in, or nobody who does");
    }
    if (users) {
      return new LogIn(new LogIns(Path.of(settings.get(ServerSetting.USERS_FILE))), null, null);
    }
    if (!required) {
      return new LogIn(null, null, null);
    }
    Token token = Token.create();
    String file = settings.get(ServerSetting.TOKEN_FILE);
    return new LogIn(token, token, file.isBlank() ? null : Path.of(file));
  }

  /** Writes the token, if there is one, for those who look for it by the port of the server. */
  Announced announce(int port, boolean readOnly) {
    if (token == null) {
      String without = readOnly ? "can read the database" : "can read and change the database";
      return new Told(
          passwords == null
              ? "no log-in: every user of this machine " + without
              : "log in with a name and a password");
    }
    Path file = tokenFile == null ? Token.file(port) : tokenFile;
    token.write(file);
    return new Written(token, file);
  }

  private record Told(String text) implements Announced {
    @Override
    public void close() {}
  }

  private record Written(Token token, Path file) implements Announced {
    @Override
    public String text() {
      return "log in as " + Token.USER + "; the password is in " + file;
    }

    @Override
    public void close() throws IOException {
      token.remove(file);
    }
  }
}
