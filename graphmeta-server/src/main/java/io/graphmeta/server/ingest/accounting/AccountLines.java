package io.graphmeta.server.ingest.accounting;

import static io.graphmeta.server.ingest.accounting.AccountingFormatException.shown;

import io.graphmeta.server.ingest.JobAccount;
import io.graphmeta.server.ingest.lines.LineInput;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Accounts that stand on a line each. Used by one thread. */
abstract class AccountLines implements AccountingReader {
  /** The year 2200, which a stamp can hold; what is beyond is no time of a job. */
  private static final long LAST_SECOND = 7_258_118_400L;

  private final LineInput lines;
  private final String source;

  AccountLines(InputStream in, String source) {
    this.source = source;
    this.lines = new LineInput(in, MAX_LINE_BYTES, this::fault);
  }

  /** The account of a line that is not blank; empty if the line is of something else. */
  abstract Optional<JobAccount> account(String line) throws IOException;

  @Override
  public final Optional<JobAccount> next() throws IOException {
    for (@Nullable String line = lines.next(); line != null; line = lines.next()) {
      Optional<JobAccount> account = line.isBlank() ? Optional.empty() : account(line);
      if (account.isPresent()) {
        return account;
      }
    }
    return Optional.empty();
  }

  final long number(String name, String text) throws IOException {
    if (!text.matches("-?\\d{1,18}")) {
      throw fault(name + " is " + shown(text) + ", expected a whole number");
    }
    return Long.parseLong(text);
  }

  /** A time in seconds since 1970; null for 0, which is none. */
  final @Nullable Instant time(String name, long seconds) throws IOException {
    if (seconds < 0 || seconds > LAST_SECOND) {
      throw fault(name + " is " + seconds + ", expected seconds since 1970");
    }
    return seconds == 0 ? null : Instant.ofEpochSecond(seconds);
  }

  final AccountingFormatException fault(String reason) {
    return fault(lines.lineNumber(), reason);
  }

  private AccountingFormatException fault(long lineNumber, String reason) {
    return new AccountingFormatException(source, lineNumber, reason);
  }

  @Override
  public final void close() throws IOException {
    lines.close();
  }
}
