package io.graphmeta.server.ingest.sacct;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** Turns lines into records, by the columns of the header. */
final class LineParser {
  private static final String JOB_ID = "JobID";
  private static final Set<String> NO_VALUE = Set.of("Unknown", "None", "N/A");
  private static final Set<String> FREE_TEXT =
      Set.of("submitline", "comment", "admincomment", "systemcomment", "jobname");
  private static final String TIME_EXPECTED = "a time such as 2026-11-21T00:33:44, or Unknown";
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .appendPattern("[XXX][XX][X]")
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private final String source;
  private final ZoneId zone;
  private final List<String> columns;
  private final Map<String, Integer> indexes = new HashMap<>();

  LineParser(String source, ZoneId zone, List<String> columns) throws SacctFormatException {
    this.source = source;
    this.zone = zone;
    this.columns = columns;
    for (String column : columns) {
      if (column.isEmpty()) {
        throw error(
            1,
            "an empty column name, expected the header of sacct --parsable2 (--parsable ends lines with |)");
      }
      if (indexes.putIfAbsent(column.toLowerCase(Locale.ROOT), indexes.size()) != null) {
        throw error(1, "the column " + column + " twice, expected each column once");
      }
    }
    if (!indexes.containsKey(JOB_ID.toLowerCase(Locale.ROOT))) {
      throw error(
          1,
          "the columns "
              + columns
              + ", expected the header of sacct --parsable2 with a column "
              + JOB_ID);
    }
  }

  SacctRecord parse(String text, long lineNumber) throws SacctFormatException {
    Line line = new Line(split(text, lineNumber), lineNumber);
    return new SacctRecord(
        lineNumber,
        line.required(JOB_ID, SacctJobId::parse, SacctJobId.EXPECTED),
        line.text("JobName"),
        line.text("User"),
        line.number("UID"),
        line.text("Account"),
        line.text("Partition"),
        line.parsed("State", SacctState::parse, SacctState.EXPECTED),
        line.parsed("ExitCode", SacctExitCode::parse, SacctExitCode.EXPECTED),
        line.parsed("Submit", this::time, TIME_EXPECTED),
        line.parsed("Start", this::time, TIME_EXPECTED),
        line.parsed("End", this::time, TIME_EXPECTED),
        line.number("NNodes"),
        line.number("NTasks"),
        line.text("WorkDir"),
        line.text("SubmitLine"),
        line.fields());
  }

  private List<String> split(String text, long lineNumber) throws SacctFormatException {
    boolean lastIsFree =
        FREE_TEXT.contains(columns.get(columns.size() - 1).toLowerCase(Locale.ROOT));
    List<String> values = List.of(text.split("\\|", lastIsFree ? columns.size() : -1));
    if (values.size() != columns.size()) {
      throw error(
          lineNumber,
          "\""
              + shortened(text)
              + "\" has "
              + values.size()
              + " columns, expected "
              + columns.size()
              + " as in the header");
    }
    return values;
  }

  private Optional<Instant> time(String text) {
    try {
      TemporalAccessor time = TIME.parseBest(text, ZonedDateTime::from, LocalDateTime::from);
      return Optional.of(
          time instanceof ZonedDateTime zoned
              ? zoned.toInstant()
              : ((LocalDateTime) time).atZone(zone).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private SacctFormatException error(long lineNumber, String reason) {
    return new SacctFormatException(source, lineNumber, reason);
  }

  private static String shortened(String text) {
    return text.length() <= 200 ? text : text.substring(0, 200) + "...";
  }

  /** The values of one line. */
  private final class Line {
    private final List<String> values;
    private final long lineNumber;

    Line(List<String> values, long lineNumber) {
      this.values = values;
      this.lineNumber = lineNumber;
    }

    Optional<String> text(String column) {
      Integer index = indexes.get(column.toLowerCase(Locale.ROOT));
      return index == null || values.get(index).isEmpty()
          ? Optional.empty()
          : Optional.of(values.get(index));
    }

    /** A value that is not plain text, where Slurm also prints words for none. */
    <T> Optional<T> parsed(String column, Function<String, Optional<T>> parse, String expected)
        throws SacctFormatException {
      Optional<String> text = text(column);
      if (text.isEmpty() || NO_VALUE.contains(text.get())) {
        return Optional.empty();
      }
      Optional<T> value = parse.apply(text.get());
      if (value.isEmpty()) {
        throw error(
            lineNumber, column + " is \"" + shortened(text.get()) + "\", expected " + expected);
      }
      return value;
    }

    <T> T required(String column, Function<String, Optional<T>> parse, String expected)
        throws SacctFormatException {
      Optional<T> value = parsed(column, parse, expected);
      if (value.isEmpty()) {
        throw error(lineNumber, column + " is empty, expected " + expected);
      }
      return value.get();
    }

    OptionalLong number(String column) throws SacctFormatException {
      Optional<Long> value =
          parsed(
              column,
              text ->
                  text.matches("\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty(),
              "a whole number");
      return value.isPresent() ? OptionalLong.of(value.get()) : OptionalLong.empty();
    }

    Map<String, String> fields() {
      Map<String, String> fields = new LinkedHashMap<>();
      for (int i = 0; i < values.size(); i++) {
        fields.put(columns.get(i), values.get(i));
      }
      return Collections.unmodifiableMap(fields);
    }
  }
}
