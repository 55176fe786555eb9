package io.graphmeta.server.ingest.accounting;

import static io.graphmeta.server.ingest.accounting.AccountingFormatException.shown;

import io.graphmeta.server.ingest.JobAccount;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads LSF's {@code lsb.acct}, see the documentation of the package. Used by one thread. */
public final class LsfReader extends AccountLines {
  private static final String FINISHED = "\"JOB_FINISH\"";

  // Places of fields, the type of the record being 0.
  private static final int EVENT_TIME = 2;
  private static final int JOB_ID = 3;
  private static final int USER_ID = 4;
  private static final int PROCESSORS = 6;
  private static final int SUBMIT_TIME = 7;
  private static final int START_TIME = 10;
  private static final int USER_NAME = 11;
  private static final int QUEUE = 12;
  private static final int WORK_DIR = 17;
  private static final int ASKED_HOSTS = 22;

  // Places behind the hosts it ran on.
  private static final int STATUS = 0;
  private static final int JOB_NAME = 2;
  private static final int COMMAND = 3;
  private static final int PROJECT = 24;
  private static final int EXIT_STATUS = 25;
  private static final int INDEX = 29;

  private static final long DONE = 0x40;

  /**
   * Reads a stream, which the reader closes with itself.
   *
   * @param source name of the stream for messages
   */
  public LsfReader(InputStream in, String source) {
    super(in, source);
  }

  @Override
  Optional<JobAccount> account(String line) throws IOException {
    if (line.startsWith(FINISHED)) {
      return Optional.of(account(fields(line)));
    }
    if (!line.matches("\"[A-Z0-9_]+\" .*")) {
      throw fault(
          shown(line) + ", expected the type of a record in quotes first, such as " + FINISHED);
    }
    return Optional.empty();
  }

  private JobAccount account(List<String> fields) throws IOException {
    int ranHosts = ASKED_HOSTS + 1 + count(fields, ASKED_HOSTS, "numAskedHosts");
    int ran = count(fields, ranHosts, "numExHosts");
    int after = ranHosts + 1 + ran;
    long index = fields.size() > after + INDEX ? number(fields, after + INDEX, "idx") : 0;
    Instant start = time(fields, START_TIME, "startTime");
    boolean done = number(fields, after + STATUS, "jStatus") == DONE;
    return new JobAccount(
        number(fields, JOB_ID, "jobId") + (index > 0 ? "_" + index : ""),
        text(fields, USER_NAME, "userName"),
        number(fields, USER_ID, "userId"),
        text(fields, after + JOB_NAME, "jobName"),
        text(fields, after + PROJECT, "projectName"),
        text(fields, QUEUE, "queue"),
        done ? "COMPLETED" : start == null ? "CANCELLED" : "FAILED",
        exitCode(number(fields, after + EXIT_STATUS, "exitStatus")),
        time(fields, SUBMIT_TIME, "submitTime"),
        start,
        time(fields, EVENT_TIME, "eventTime"),
        hosts(fields.subList(ranHosts + 1, after)),
        number(fields, PROCESSORS, "numProcessors"),
        text(fields, WORK_DIR, "cwd"),
        text(fields, after + COMMAND, "command"));
  }

  /** As {@code wait} gives it. */
  private static String exitCode(long status) {
    return (status >> 8 & 0xff) + ":" + (status & 0x7f);
  }

  /** Different hosts; some have the number of processors before the name. */
  private static @Nullable Long hosts(List<String> hosts) {
    Set<String> different = new HashSet<>();
    hosts.forEach(host -> different.add(host.replaceFirst("^\\d+\\*", "")));
    return different.isEmpty() ? null : Long.valueOf(different.size());
  }

  /** The fields of a line, texts without their quotes. */
  private List<String> fields(String line) throws IOException {
    List<String> fields = new ArrayList<>();
    int at = 0;
    while (at < line.length()) {
      if (line.charAt(at) == ' ') {
        at++;
      } else if (line.charAt(at) == '"') {
        int end = endOfText(line, at);
        fields.add(line.substring(at + 1, end).replace("\"\"", "\""));
        at = end + 1;
      } else {
        int end = line.indexOf(' ', at);
        end = end < 0 ? line.length() : end;
        fields.add(line.substring(at, end));
        at = end;
      }
    }
    return fields;
  }

  private int endOfText(String line, int begin) throws IOException {
    int end = line.indexOf('"', begin + 1);
    while (end >= 0 && end + 1 < line.length() && line.charAt(end + 1) == '"') {
      end = line.indexOf('"', end + 2);
    }
    if (end < 0) {
      throw fault(shown(line.substring(begin)) + ", expected a quote at the end of the text");
    }
    return end;
  }

  private String field(List<String> fields, int place, String name) throws IOException {
    if (place >= fields.size()) {
      throw fault(fields.size() + " fields, expected " + name + " in field " + (place + 1));
    }
    return fields.get(place);
  }

  private @Nullable String text(List<String> fields, int place, String name) throws IOException {
    String text = field(fields, place, name);
    return text.isEmpty() ? null : text;
  }

  private long number(List<String> fields, int place, String name) throws IOException {
    long number = number(name, field(fields, place, name));
    if (number < 0) {
      throw fault(name + " is " + number + ", expected 0 or more");
    }
    return number;
  }

  /** How many fields follow. */
  private int count(List<String> fields, int place, String name) throws IOException {
    long count = number(fields, place, name);
    if (count > fields.size() - place - 1) {
      throw fault(name + " is " + count + ", expected so many hosts behind it");
    }
    return (int) count;
  }

  private @Nullable Instant time(List<String> fields, int place, String name) throws IOException {
    return time(name, number(fields, place, name));
  }
}
