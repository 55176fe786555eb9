package io.graphmeta.bench.peers.postgres;

import io.graphmeta.bench.peers.runner.search.SearchData;
import io.graphmeta.bench.peers.runner.search.SearchQuestion;
import io.graphmeta.bench.peers.runner.search.SearchSubject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;

/**
 * PostgreSQL with {@code pg_trgm}: a table of files as they are now, B-trees for equality, order
 * and prefixes, a trigram index of paths, and one of the words of command lines. The system
 * property {@code graphmeta.bench.postgres} has the address of an empty database.
 */
public final class PostgresSearch implements SearchSubject {
  private static final String FILES = "SELECT number FROM file WHERE ";
  private static final Map<SearchQuestion, String> QUERIES = new EnumMap<>(SearchQuestion.class);

  static {
    QUERIES.put(SearchQuestion.EXACT, FILES + "name = ?");
    QUERIES.put(SearchQuestion.PREFIX, FILES + "path LIKE ?");
    QUERIES.put(SearchQuestion.FRAGMENT, FILES + "path LIKE ?");
    QUERIES.put(SearchQuestion.REGEX, FILES + "path ~ ?");
    QUERIES.put(
        SearchQuestion.WORD,
        "SELECT number FROM process WHERE to_tsvector('simple', command_line) @@ to_tsquery('simple', ?)");
    QUERIES.put(SearchQuestion.LARGEST, FILES + "size > ? ORDER BY size DESC LIMIT " + SearchQuestion.MOST);
    QUERIES.put(SearchQuestion.THREE, FILES + "owner = ? AND state = 'closed' AND size > ?");
    QUERIES.put(SearchQuestion.COUNT, "SELECT count(*) FROM file WHERE owner = ?");
  }

  private final Map<SearchQuestion, PreparedStatement> prepared =
      new EnumMap<>(SearchQuestion.class);
  private Connection connection;
  private SearchData data;
  private ProcessHandle backend;

  @Override
  public void create(Path directory, SearchData made) throws SQLException {
    data = made;
    connection = DriverManager.getConnection(System.getProperty("graphmeta.bench.postgres"));
    backend =
        ProcessHandle.of(connection.unwrap(PGConnection.class).getBackendPID()).orElseThrow();
    try (Statement statement = connection.createStatement()) {
      for (String each :
          List.of(
              "CREATE EXTENSION pg_trgm",
              "CREATE TABLE file (number bigint PRIMARY KEY, path text, name text, owner text,"
                  + " size bigint, state text)",
              "CREATE TABLE process (number bigint PRIMARY KEY, command_line text)",
              "CREATE INDEX ON file (name)",
              "CREATE INDEX ON file (owner)",
              "CREATE INDEX ON file (size)",
              "CREATE INDEX ON file (state)",
              "CREATE INDEX ON file (path text_pattern_ops)",
              "CREATE INDEX ON file USING gin (path gin_trgm_ops)",
              "CREATE INDEX ON process USING gin (to_tsvector('simple', command_line))")) {
        statement.execute(each);
      }
    }
    connection.setAutoCommit(false);
    for (Map.Entry<SearchQuestion, String> each : QUERIES.entrySet()) {
      prepared.put(each.getKey(), connection.prepareStatement(each.getValue()));
    }
  }

  @Override
  public void addFiles(int from, int to) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO file VALUES (?, ?, ?, ?, ?, ?)")) {
      for (int file = from; file < to; file++) {
        set(
            insert,
            (long) file,
            data.path(file),
            data.name(file),
            data.owner(file),
            data.size(file),
            data.state(file));
        insert.addBatch();
      }
      insert.executeBatch();
    }
    connection.commit();
  }

  @Override
  public void addProcesses(int from, int to) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO process VALUES (?, ?)")) {
      for (int process = from; process < to; process++) {
        set(insert, (long) process, data.commandLine(process));
        insert.addBatch();
      }
      insert.executeBatch();
    }
    connection.commit();
  }

  @Override
  public void change(int from, int to) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE file SET size = ?, state = ? WHERE number = ?")) {
      for (int change = from; change < to; change++) {
        set(update, data.newSize(change), data.newState(change), (long) data.changed(change));
        update.addBatch();
      }
      update.executeBatch();
    }
    connection.commit();
  }

  private static void set(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  @Override
  public void settle() throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("VACUUM ANALYZE");
    }
    connection.setAutoCommit(false);
  }

  @Override
  public long[] ask(SearchQuestion question, int number, boolean past) throws SQLException {
    if (past) {
      throw new IllegalArgumentException("These tables keep the present only");
    }
    PreparedStatement query = prepared.get(question);
    switch (question) {
      case EXACT -> set(query, data.name(number));
      case PREFIX -> set(query, data.directory(number) + "%");
      case FRAGMENT -> set(query, "%" + SearchQuestion.fragment(number).replace("_", "\\_") + "%");
      case REGEX -> set(query, SearchQuestion.regex(number));
      case WORD -> set(query, data.word(number));
      case LARGEST -> set(query, SearchQuestion.largeBytes(number));
      case THREE -> set(query, data.owner(number), SearchQuestion.halfBytes());
      case COUNT -> set(query, data.owner(number));
    }
    List<Long> found = new ArrayList<>();
    try (ResultSet rows = query.executeQuery()) {
      while (rows.next()) {
        found.add(rows.getLong(1));
      }
    }
    connection.commit();
    return found.stream().mapToLong(Long::longValue).toArray();
  }

  @Override
  public long bytes(Path directory) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet size = statement.executeQuery("SELECT pg_database_size(current_database())")) {
      size.next();
      return size.getLong(1);
    } finally {
      connection.commit();
    }
  }

  @Override
  public long otherCpuNanos() {
    return backend == null
        ? 0
        : backend.info().totalCpuDuration().map(java.time.Duration::toNanos).orElse(0L);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
