package io.graphmeta.server.ingest.accounting;

import static io.graphmeta.server.ingest.accounting.AccountingFormatException.shown;

import io.graphmeta.server.ingest.JobAccount;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the accounting files of PBS, see the documentation of the package. Used by one thread. */
public final class PbsReader extends AccountLines {
  private static final Pattern RECORD =
      Pattern.compile(
          "\\d{2}/\\d{2}/\\d{4} \\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?;([A-Za-z]+);([^;]*);(.*)",
          Pattern.DOTALL);

  /** A task of an array has its index in brackets, the array itself nothing there. */
  private static final Pattern ID = Pattern.compile("(\\d{1,18})(?:\\[(\\d{0,9})])?(?:\\..*)?");

  private static final String STARTED = "S";
  private static final String ENDED = "E";
  private static final Set<String> NO_PROJECT = Set.of("_pbs_project_default", "NULL", "null", "");

  /** From here on an exit status is a signal and this. */
  private static final long SIGNALLED = 256;

  /**
   * Reads a stream, which the reader closes with itself.
   *
   * @param source name of the stream for messages
   */
  public PbsReader(InputStream in, String source) {
    super(in, source);
  }

  @Override
  Optional<JobAccount> account(String line) throws IOException {
    Matcher record = RECORD.matcher(line);
    if (!record.matches()) {
      throw fault(
          shown(line) + ", expected MM/DD/YYYY HH:MM:SS;TYPE;ID;KEY=VALUE ... as PBS writes it");
    }
    boolean ended = record.group(1).equals(ENDED);
    return ended || record.group(1).equals(STARTED)
        ? Optional.of(account(record.group(2), ended, values(record.group(3))))
        : Optional.empty();
  }

  private JobAccount account(String id, boolean ended, Map<String, String> values)
      throws IOException {
    Matcher number = ID.matcher(id);
    if (!number.matches()) {
      throw fault("the id " + shown(id) + ", expected one such as 1234.server or 1234[5].server");
    }
    String index = number.group(2);
    Long status = ended ? number(values, "Exit_status") : null;
    String account = text(values, "account");
    if (account == null) {
      account = text(values, "project");
    }
    Instant submitted = time(values, "ctime");
    JobAccount job =
        new JobAccount(
            index == null || index.isEmpty() ? number.group(1) : number.group(1) + "_" + index,
            text(values, "user"),
            null,
            text(values, "jobname"),
            account == null || NO_PROJECT.contains(account) ? null : account,
            text(values, "queue"),
            ended ? state(status) : null,
            status == null ? null : exitCode(status),
            submitted == null ? time(values, "qtime") : submitted,
            time(values, "start"),
            ended ? time(values, "end") : null,
            number(values, "Resource_List.nodect"),
            number(values, "Resource_List.mpiprocs"),
            null,
            null);
    if (job.start() == null && job.submit() == null && job.end() == null) {
      throw fault(
          "no time of job " + shown(id) + ", expected ctime, start or end among the values");
    }
    return job;
  }

  private static @Nullable String state(@Nullable Long status) {
    return status == null ? null : status == 0 ? "COMPLETED" : "FAILED";
  }

  private static String exitCode(long status) {
    return status >= SIGNALLED ? "0:" + (status - SIGNALLED) : status + ":0";
  }

  /** The values by their keys; one that is there twice counts as it stands last. */
  private Map<String, String> values(String text) throws IOException {
    Map<String, String> values = new HashMap<>();
    int at = 0;
    while (at < text.length()) {
      if (text.charAt(at) == ' ' || text.charAt(at) == '\t') {
        at++;
        continue;
      }
      int equals = text.indexOf('=', at);
      int blank = text.indexOf(' ', at);
      if (equals < 0 || blank >= 0 && blank < equals) {
        String word = text.substring(at, blank < 0 ? text.length() : blank);
        throw fault(shown(word) + ", expected KEY=VALUE");
      }
      int from = equals + 1;
      char quote = from < text.length() ? text.charAt(from) : ' ';
      int end;
      if (quote == '"' || quote == '\'') {
        end = text.indexOf(quote, ++from);
        if (end < 0) {
          throw fault(shown(text.substring(at)) + ", expected a quote at the end of the value");
        }
        values.put(text.substring(at, equals), text.substring(from, end));
        at = end + 1;
      } else {
        end = text.indexOf(' ', from);
        end = end < 0 ? text.length() : end;
        values.put(text.substring(at, equals), text.substring(from, end));
        at = end;
      }
    }
    return values;
  }

  private static @Nullable String text(Map<String, String> values, String key) {
    String value = values.get(key);
    return value == null || value.isEmpty() ? null : value;
  }

  private @Nullable Long number(Map<String, String> values, String key) throws IOException {
    String value = text(values, key);
    return value == null ? null : Long.valueOf(number(key, value));
  }

  private @Nullable Instant time(Map<String, String> values, String key) throws IOException {
    Long seconds = number(values, key);
    return seconds == null ? null : time(key, seconds);
  }
}
