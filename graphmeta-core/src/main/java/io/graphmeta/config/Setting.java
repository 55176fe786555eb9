package io.graphmeta.config;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.List;

/**
 * Every setting of a graph: name, kind, default, range and what it does. The reference page is made
 * from it.
 */
public enum Setting {
  DIRECTORY(
      "graphmeta.directory",
      Kind.TEXT,
      "",
      0,
      0,
      "Directory of the database; needed for storage rocksdb."),
  STORAGE(
      "graphmeta.storage",
      Kind.CHOICE,
      "rocksdb|memory",
      0,
      0,
      "Where rows are kept; memory loses them on close."),
  CREATE(
      "graphmeta.create",
      Kind.CHOICE,
      "true|false",
      0,
      0,
      "Whether to create the database if the directory is absent or empty."),
  DURABILITY(
      "graphmeta.durability",
      Kind.CHOICE,
      "sync|background",
      0,
      0,
      "sync: an acknowledged commit is on disk. background: it survives the end of the process, and the loss of power but"
          + " for the newest commits, as many as fit into graphmeta.background-sync-millis."),
  BACKGROUND_SYNC_MILLIS(
      "graphmeta.background-sync-millis",
      Kind.NUMBER,
      "100",
      1,
      60_000,
      "Time between background syncs, in milliseconds."),
  SERVERS("graphmeta.servers", Kind.NUMBER, "1", 1, 1, "Number of in-process servers."),
  VIRTUAL_NODES(
      "graphmeta.virtual-nodes",
      Kind.NUMBER,
      "1024",
      1,
      65_536,
      "Number of virtual nodes, a power of two, fixed at creation."),
  BLOCK_CACHE_BYTES(
      "graphmeta.block-cache-bytes",
      Kind.NUMBER,
      "268435456",
      1 << 20,
      Long.MAX_VALUE,
      "Memory for cached blocks, in bytes."),
  WRITE_BUFFER_BYTES(
      "graphmeta.write-buffer-bytes",
      Kind.NUMBER,
      "67108864",
      1 << 16,
      1L << 32,
      "Memory for the newest rows of each family before they are written to a file, in bytes."),
  MAX_TRANSACTION_BYTES(
      "graphmeta.max-transaction-bytes",
      Kind.NUMBER,
      "536870912",
      1 << 10,
      1L << 30,
      "Largest size of the writes of one transaction, in bytes."),
  MAX_VALUE_BYTES(
      "graphmeta.max-value-bytes",
      Kind.NUMBER,
      "16777216",
      16,
      1 << 28,
      "Largest size of one property value, in bytes."),
  MAX_ID_BYTES(
      "graphmeta.max-id-bytes",
      Kind.NUMBER,
      "8192",
      16,
      32_768,
      "Largest size of an id in UTF-8, in bytes."),
  MAX_FRONTIER(
      "graphmeta.max-frontier",
      Kind.NUMBER,
      "10000000",
      1,
      Integer.MAX_VALUE,
      "Most vertices in one frontier."),
  PAGE_BYTES(
      "graphmeta.page-bytes",
      Kind.NUMBER,
      "1048576",
      1 << 10,
      1 << 28,
      "Size at which a page of results ends, in bytes."),
  REQUEST_TIMEOUT_MILLIS(
      "graphmeta.request-timeout-millis",
      Kind.NUMBER,
      "60000",
      1,
      86_400_000,
      "Time allowed for one request, in milliseconds."),
  MAX_CLOCK_OFFSET_MILLIS(
      "graphmeta.max-clock-offset-millis",
      Kind.NUMBER,
      "500",
      0,
      60_000,
      "How far a stamp may lie ahead of this server's clock before it is refused, in milliseconds.");

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

  Setting(String key, Kind kind, String domain, long min, long max, String description) {
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

  /** What values it takes. */
  public Kind kind() {
    return kind;
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
