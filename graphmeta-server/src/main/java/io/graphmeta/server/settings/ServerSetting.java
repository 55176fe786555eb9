package io.graphmeta.server.settings;

import static io.graphmeta.config.SettingType.bytes;
import static io.graphmeta.config.SettingType.chars;
import static io.graphmeta.config.SettingType.choice;
import static io.graphmeta.config.SettingType.millis;
import static io.graphmeta.config.SettingType.number;
import static io.graphmeta.config.SettingType.text;

import io.graphmeta.config.DeclaredSetting;
import io.graphmeta.config.SettingDeclaration;
import io.graphmeta.config.SettingType;

/** Every setting of a server. The table in {@code docs/reference/server.md} is made from it. */
public enum ServerSetting implements DeclaredSetting {
  HOST("server.host", text("127.0.0.1"), "Address to listen on."),
  PORT("server.port", number(8182, 0, 65_535), "Port to listen on; 0 takes a free one."),
  ADMIN_HOST("server.admin-host", text("127.0.0.1"), "Address of health and metrics."),
  ADMIN_PORT(
      "server.admin-port",
      number(8183, -1, 65_535),
      "Port of health and metrics; 0 takes a free one, -1 serves none."),
  UI(
      "server.ui",
      choice("true", "false"),
      "Whether the view for browsers is served, at the path /ui/ of the port; it only reads."),
  UI_SEARCH_MILLIS(
      "server.ui.search-millis",
      millis(800, 1, 3_600_000),
      "Time that the searches of one page of the view may take, in milliseconds; what they have found by then is shown as a"
          + " partial answer. Files of a lineage that are saved from a page are searched without this limit."),
  READ_ONLY("server.read-only", choice("false", "true"), "Whether all writes are refused."),
  USERS_FILE(
      "server.users-file",
      text(""),
      "File of the users, made by 'graphmeta user'; with it, every client must log in."),
  LOG_IN(
      "server.log-in",
      choice("required", "none"),
      "Who may use the server: with 'required' the users of the file, and where none is given, clients that know the token"
          + " which the server makes when it starts; with 'none' every user of the machine."),
  TOKEN_FILE(
      "server.token-file",
      text(""),
      "File that the token is written into, for its owner only; ~/.graphmeta/MACHINE-PORT.token if none is given."),
  BACKUP_DIRECTORY(
      "server.backup-directory",
      text(""),
      "Directory below which 'graphmeta backup --connect' may have the server write; it takes no backups if none is given."),
  ADMINISTRATORS(
      "server.administrators",
      text(""),
      "Users of the file, separated by commas, who may have backups taken. Without a file of users it is who knows the"
          + " token of the server."),
  TLS_CERT("server.tls-cert", text(""), "Certificate chain in PEM."),
  TLS_KEY("server.tls-key", text(""), "Private key of the certificate, PKCS 8 in PEM."),
  TLS_KEYSTORE(
      "server.tls-keystore", text(""), "Certificate and key in a PKCS 12 file, instead of PEM."),
  TLS_KEYSTORE_PASSWORD_FILE(
      "server.tls-keystore-password-file",
      text(""),
      "File whose first line is the password of the key store."),
  AUDIT_FILE(
      "server.audit-file",
      text(""),
      "File that each request is written into; beside the database, with .audit.log at its end, if none is given. 'none'"
          + " writes none."),
  ALLOWED_HOSTS(
      "server.allowed-hosts",
      text(""),
      "Names, separated by commas, by which browsers and clients may call the server besides its address."),
  ALLOWED_ORIGINS(
      "server.allowed-origins",
      text(""),
      "Web pages that may use the server, by scheme, host and port, separated by commas, such as"
          + " https://portal.example:8443."),
  REHEARSAL_MILLIS(
      "server.rehearsal-millis",
      millis(2000, 0, 60_000),
      "Time that the server may take before it listens to ask itself questions over a small graph of its own, so that the"
          + " first queries are not slower than later ones; 0: none."),
  EVALUATION_TIMEOUT_MILLIS(
      "server.evaluation-timeout-millis",
      millis(30000, 1, 86_400_000),
      "Longest time for a request, waiting included; a client can ask for less."),
  SESSION_TIMEOUT_MILLIS(
      "server.session-timeout-millis",
      millis(600000, 10, 86_400_000),
      "Time without a request after which a session is rolled back and closed."),
  IDLE_TIMEOUT_MILLIS(
      "server.idle-timeout-millis",
      millis(90000, 3000, 86_400_000),
      "Time without a sign of life after which a connection is closed; a third of it passes before the server asks for"
          + " one."),
  FIRST_REQUEST_TIMEOUT_MILLIS(
      "server.first-request-timeout-millis",
      millis(10000, 100, 600_000),
      "Time for the head and the body of an HTTP request to arrive."),
  SHUTDOWN_TIMEOUT_MILLIS(
      "server.shutdown-timeout-millis",
      millis(10000, 100, 600_000),
      "Time for cancelled queries to end when the server stops."),
  QUERY_THREADS(
      "server.query-threads",
      number(8, 1, 1024),
      "Queries outside of sessions that run at the same time."),
  MAX_WAITING("server.max-waiting", number(256, 1, 100_000), "Requests that wait for a thread."),
  MAX_CONNECTIONS("server.max-connections", number(1000, 1, 100_000), "Connections."),
  MAX_SESSIONS(
      "server.max-sessions",
      number(100, 1, 10_000),
      "Sessions, which are the transactions of clients."),
  MAX_SESSION_WAITING(
      "server.max-session-waiting", number(64, 1, 10_000), "Requests that wait in one session."),
  MAX_REQUEST_BYTES(
      "server.max-request-bytes", bytes(4194304, 1024, 1 << 28), "Size of a request."),
  MAX_LOAD_BYTES(
      "server.max-load-bytes",
      bytes(33554432, 1024, 1 << 30),
      "Size of the records that one request of a loader holds, uncompressed."),
  MAX_RESPONSE_BYTES(
      "server.max-response-bytes",
      bytes(33554432, 1024, 1 << 30),
      "Size of one message to a client; a whole answer over HTTP."),
  MAX_RESULTS("server.max-results", number(10000000, 1, Long.MAX_VALUE), "Results of a request."),
  MAX_BATCH("server.max-batch", number(10000, 1, 1_000_000), "Results in one message."),
  MAX_SCRIPT_CHARS("server.max-script-chars", chars(65536, 16, 1 << 24), "Length of a script."),
  MAX_INSTRUCTIONS(
      "server.max-instructions",
      number(10000, 16, 1 << 20),
      "Steps of a traversal, nested ones included."),
  MAX_NESTING(
      "server.max-nesting",
      number(64, 4, 500),
      "Depth to which traversals, lists, maps and brackets can lie in one another."),
  MAX_PARAMETERS("server.max-parameters", number(256, 0, 100_000), "Parameters of a script."),
  MAX_FRONTIER(
      "server.max-frontier",
      number(1000000, 16, Integer.MAX_VALUE),
      "Traversers that a step of a query may gather."),
  MAX_LOOPS("server.max-loops", number(10000, 1, Integer.MAX_VALUE), "Rounds of repeat()."),
  MAX_VALUE_SIZE(
      "server.max-value-size",
      number(262144, 16, Integer.MAX_VALUE),
      "Characters of a text, or members of a list, set or map, that a step of a query may make.");

  private final SettingDeclaration declaration;

  ServerSetting(String key, SettingType type, String description) {
    this.declaration = new SettingDeclaration(key, type, description);
  }

  @Override
  public SettingDeclaration declaration() {
    return declaration;
  }
}
