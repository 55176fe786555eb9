package io.graphmeta.server.settings;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.List;

/**
 * Every setting of the server: name, default, range and what it does. The reference page is made
 * from it.
 */
public enum ServerSetting {
  HOST("server.host", Kind.TEXT, "127.0.0.1", 0, 0, "Address to listen on."),
  PORT("server.port", Kind.NUMBER, "8182", 0, 65_535, "Port to listen on; 0 takes a free one."),
  ADMIN_HOST("server.admin-host", Kind.TEXT, "127.0.0.1", 0, 0, "Address of health and metrics."),
  ADMIN_PORT(
      "server.admin-port",
      Kind.NUMBER,
      "8183",
      -1,
      65_535,
      "Port of health and metrics; 0 takes a free one, -1 serves none."),
  READ_ONLY("server.read-only", Kind.CHOICE, "false|true", 0, 0, "Whether all writes are refused."),
  USERS_FILE(
      "server.users-file",
      Kind.TEXT,
      "",
      0,
      0,
      "File of the users, made by 'graphmeta user'; with it, every client must log in."),
  TLS_CERT("server.tls-cert", Kind.TEXT, "", 0, 0, "Certificate chain in PEM."),
  TLS_KEY("server.tls-key", Kind.TEXT, "", 0, 0, "Private key of the certificate, PKCS 8 in PEM."),
  TLS_KEYSTORE(
      "server.tls-keystore",
      Kind.TEXT,
      "",
      0,
      0,
      "Certificate and key in a PKCS 12 file, instead of PEM."),
  TLS_KEYSTORE_PASSWORD_FILE(
      "server.tls-keystore-password-file",
      Kind.TEXT,
      "",
      0,
      0,
      "File whose first line is the password of the key store."),
  AUDIT_FILE(
      "server.audit-file",
      Kind.TEXT,
      "",
      0,
      0,
      "File that each request is written into; beside the database, with .audit.log at its end, if none is given. 'none'"
          + " writes none."),
  ALLOWED_HOSTS(
      "server.allowed-hosts",
      Kind.TEXT,
      "",
      0,
      0,
      "Names, separated by commas, by which browsers and clients may call the server besides its address; and web pages of"
          + " which may use it."),
  EVALUATION_TIMEOUT_MILLIS(
      "server.evaluation-timeout-millis",
      Kind.NUMBER,
      "30000",
      1,
      86_400_000,
      "Longest time for a request, waiting included; a client can ask for less."),
  SESSION_TIMEOUT_MILLIS(
      "server.session-timeout-millis",
      Kind.NUMBER,
      "600000",
      10,
      86_400_000,
      "Time without a request after which a session is rolled back and closed."),
  IDLE_TIMEOUT_MILLIS(
      "server.idle-timeout-millis",
      Kind.NUMBER,
      "90000",
      3000,
      86_400_000,
      "Time without a sign of life after which a connection is closed; a third of it passes before the server asks for"
          + " one."),
  FIRST_REQUEST_TIMEOUT_MILLIS(
      "server.first-request-timeout-millis",
      Kind.NUMBER,
      "10000",
      100,
      600_000,
      "Time for the head and the body of an HTTP request to arrive."),
  SHUTDOWN_TIMEOUT_MILLIS(
      "server.shutdown-timeout-millis",
      Kind.NUMBER,
      "10000",
      100,
      600_000,
      "Time for cancelled queries to end when the server stops."),
  QUERY_THREADS(
      "server.query-threads",
      Kind.NUMBER,
      "8",
      1,
      1024,
      "Queries outside of sessions that run at the same time."),
  MAX_WAITING(
      "server.max-waiting", Kind.NUMBER, "256", 1, 100_000, "Requests that wait for a thread."),
  MAX_CONNECTIONS("server.max-connections", Kind.NUMBER, "1000", 1, 100_000, "Connections."),
  MAX_SESSIONS(
      "server.max-sessions",
      Kind.NUMBER,
      "100",
      1,
      10_000,
      "Sessions, which are the transactions of clients."),
  MAX_SESSION_WAITING(
      "server.max-session-waiting",
      Kind.NUMBER,
      "64",
      1,
      10_000,
      "Requests that wait in one session."),
  MAX_REQUEST_BYTES(
      "server.max-request-bytes", Kind.NUMBER, "4194304", 1024, 1 << 28, "Size of a request."),
  MAX_RESPONSE_BYTES(
      "server.max-response-bytes",
      Kind.NUMBER,
      "33554432",
      1024,
      1 << 30,
      "Size of one message to a client; a whole answer over HTTP."),
  MAX_RESULTS(
      "server.max-results", Kind.NUMBER, "10000000", 1, Long.MAX_VALUE, "Results of a request."),
  MAX_BATCH("server.max-batch", Kind.NUMBER, "10000", 1, 1_000_000, "Results in one message."),
  MAX_SCRIPT_CHARS(
      "server.max-script-chars", Kind.NUMBER, "65536", 16, 1 << 24, "Length of a script."),
  MAX_INSTRUCTIONS(
      "server.max-instructions",
      Kind.NUMBER,
      "10000",
      16,
      1 << 20,
      "Steps of a traversal, nested ones included."),
  MAX_NESTING(
      "server.max-nesting",
      Kind.NUMBER,
      "64",
      4,
      500,
      "Depth to which traversals, lists, maps and brackets can lie in one another."),
  MAX_PARAMETERS(
      "server.max-parameters", Kind.NUMBER, "256", 0, 100_000, "Parameters of a script."),
  MAX_FRONTIER(
      "server.max-frontier",
      Kind.NUMBER,
      "1000000",
      16,
      Integer.MAX_VALUE,
      "Traversers that a step of a query may gather."),
  MAX_LOOPS("server.max-loops", Kind.NUMBER, "10000", 1, Integer.MAX_VALUE, "Rounds of repeat()."),
  MAX_VALUE_SIZE(
      "server.max-value-size",
      Kind.NUMBER,
      "262144",
      16,
      Integer.MAX_VALUE,
      "Characters of a text, or members of a list, set or map, that a step of a query may make.");

  /** What values a setting takes. */
  public enum Kind {
    TEXT,
    CHOICE,
    NUMBER
  }

  private final String key;
  private final Kind kind;
  private final String domain;
  private final long min;
  private final long max;
  private final String description;

  ServerSetting(String key, Kind kind, String domain, long min, long max, String description) {
    this.key = key;
    this.kind = kind;
    this.domain = domain;
    this.min = min;
    this.max = max;
    this.description = description;
  }

  /** The name in configuration files. */
  public String key() {
    return key;
  }

  /** What it does, in a sentence. */
  public String description() {
    return description;
  }

  /** The value when none is given. The first of the choices. */
  public String defaultValue() {
    return kind == Kind.CHOICE ? domain.substring(0, domain.indexOf('|')) : domain;
  }

  /** The values it takes, for people. */
  public String range() {
    return switch (kind) {
      case TEXT -> "text";
      case CHOICE -> domain.replace("|", ", ");
      case NUMBER -> min + " to " + max;
    };
  }

  String check(String value) {
    boolean good =
        switch (kind) {
          case TEXT -> true;
          case CHOICE -> List.of(domain.split("\\|")).contains(value);
          case NUMBER -> inRange(value);
        };
    if (!good) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Setting " + key + " is '" + value + "'; expected " + range());
    }
    return value;
  }

  private boolean inRange(String value) {
    try {
      long number = Long.parseLong(value);
      return number >= min && number <= max;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
