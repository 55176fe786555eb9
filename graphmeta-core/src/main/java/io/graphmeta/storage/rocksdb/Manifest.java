package io.graphmeta.storage.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What RocksDB's list of files says about the logs. It is a file in the form of a log, whose
 * records are changes: fields, each a tag and a value whose form follows from the tag. Changes that
 * belong together count when all of them are there.
 */
final class Manifest {
  private static final Pattern NAME = Pattern.compile("MANIFEST-(\\d+)");

  private static final int COMPARATOR = 1;
  private static final int LOG_NUMBER = 2;
  private static final int NEXT_FILE = 3;
  private static final int LAST_SEQUENCE = 4;
  private static final int COMPACT_CURSOR = 5;
  private static final int DELETED_FILE = 6;
  private static final int PREVIOUS_LOG = 9;
  private static final int LEAST_LOG = 10;
  private static final int NEW_FILE = 103;
  private static final int FAMILY = 200;
  private static final int FAMILY_ADDED = 201;
  private static final int FAMILY_DROPPED = 202;
  private static final int MOST_FAMILIES = 203;
  private static final int IN_GROUP = 300;
  private static final int PASSED_OVER = 1 << 13;

  private final Map<Long, Long> logOfFamily = new HashMap<>();
  private long leastLog;
  private long lastSequence;
  private long greatestInTables;

  private Manifest() {}

  /** Which list of files is in use: the number in the name of the file that CURRENT names. */
  static long currentNumber(Path directory) throws IOException {
    String name =
        Files.readString(directory.resolve("CURRENT"), StandardCharsets.ISO_8859_1).strip();
    var matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      throw StorageErrors.damagedFile(
          directory, "CURRENT", "it holds '" + name + "' instead of the name of a list of files");
    }
    return Long.parseLong(matcher.group(1));
  }

  static Path file(Path directory, long number) {
    return directory.resolve(String.format("MANIFEST-%06d", number));
  }

  /** Up to where a list is whole. */
  static long wholeBytes(Path file) throws IOException {
    try (LogFileReader reader = LogFileReader.of(file, 0)) {
      while (reader.next() && !reader.isBehindDamage()) {
        continue;
      }
      return reader.goodEnd();
    }
  }

  /** Reads the list that CURRENT names, up to the end or to damage, which others report. */
  static Manifest read(Path file) throws IOException {
    Manifest manifest = new Manifest();
    List<Change> group = new ArrayList<>();
    try (LogFileReader reader = LogFileReader.of(file, Integer.MAX_VALUE)) {
      while (reader.next() && !reader.isBehindDamage()) {
        Change change = new Change(reader.record());
        group.add(change);
        if (change.groupLeft == 0) {
          group.forEach(manifest::apply);
          group.clear();
        }
      }
    }
    return manifest;
  }

  private void apply(Change change) {
    if (change.isDrop) {
      logOfFamily.remove(change.family);
    } else if (change.isAdd) {
      logOfFamily.put(change.family, change.log);
    } else {
      logOfFamily.merge(change.family, change.log, Math::max);
    }
    leastLog = Math.max(leastLog, change.leastLog);
    lastSequence = Math.max(lastSequence, change.lastSequence);
    greatestInTables = Math.max(greatestInTables, change.greatestInTables);
  }

  /** The number of the first log that is needed: all before it lies in table files. */
  long firstLog() {
    return Math.max(
        leastLog, logOfFamily.values().stream().mapToLong(Long::longValue).min().orElse(0));
  }

  /**
   * A log with a smaller number was on disk as a whole: RocksDB syncs the logs before it writes
   * rows to a table file that are also in them.
   */
  long syncedBelowLog() {
    return logOfFamily.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** The greatest sequence number when the list was written last, in tables or not. */
  long lastSequence() {
    return lastSequence;
  }

  /** The greatest sequence number in table files, as far as the list has it. */
  long greatestInTables() {
    return greatestInTables;
  }

  /** One record of the list. */
  private static final class Change {
    private long family;
    private long log;
    private long leastLog;
    private long lastSequence;
    private long greatestInTables;
    private long groupLeft;
    private boolean isAdd;
    private boolean isDrop;

    Change(ByteBuffer in) {
      while (in.hasRemaining()) {
        int tag = (int) varint(in);
        switch (tag) {
          case LOG_NUMBER -> log = varint(in);
          case LAST_SEQUENCE -> lastSequence = varint(in);
          case LEAST_LOG -> leastLog = varint(in);
          case FAMILY -> family = varint(in);
          case IN_GROUP -> groupLeft = varint(in);
          case FAMILY_DROPPED -> isDrop = true;
          case FAMILY_ADDED -> {
            isAdd = true;
            skipBytes(in);
          }
          case NEW_FILE -> newFile(in);
          case NEXT_FILE, PREVIOUS_LOG, MOST_FAMILIES -> varint(in);
          case DELETED_FILE -> {
            varint(in);
            varint(in);
          }
          case COMPACT_CURSOR -> {
            varint(in);
            skipBytes(in);
          }
          default -> {
            if (tag != COMPARATOR && tag < PASSED_OVER) {
              throw new IllegalArgumentException("tag " + tag);
            }
            skipBytes(in);
          }
        }
      }
    }

    private void newFile(ByteBuffer in) {
      varint(in); // level
      varint(in); // number
      varint(in); // size
      skipBytes(in); // least key
      skipBytes(in); // greatest key
      varint(in); // least sequence number
      greatestInTables = Math.max(greatestInTables, varint(in));
      while (varint(in) != 1) { // further fields up to an end
        skipBytes(in);
      }
    }

    private static void skipBytes(ByteBuffer in) {
      int bytes = (int) varint(in);
      in.position(in.position() + bytes);
    }

    private static long varint(ByteBuffer in) {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE; shift += 7) {
        byte next = in.get();
        value |= (long) (next & 0x7f) << shift;
        if (next >= 0) {
          return value;
        }
      }
      throw new IllegalArgumentException("number of more than 64 bits");
    }
  }
}
