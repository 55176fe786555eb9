package io.graphmeta.bench.budget;

import io.graphmeta.error.GraphMetaException;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/**
 * A layer of the way that an operation takes. A sample belongs to that of the topmost frame of this
 * project: what a library does is charged to who called it.
 */
enum Layer {
  /** The caller, and TinkerPop where no provider is below it. */
  TINKERPOP("caller and TinkerPop"),
  /** The provider, and TinkerPop where it calls the provider's steps back. */
  PROVIDER("provider", "gremlin"),
  /** Transactions, pages of all shards as one answer, and traversals at the client's side. */
  TRANSACTION(
      "transaction",
      "engine",
      "tx",
      "reads",
      "records",
      "traversal",
      "gtravel",
      "provenance",
      "archive",
      "backup",
      "transfer"),
  /** The way to a shard. */
  CLIENT("client", "router", "transport", "protocol", "placement", "plan"),
  /** What a shard does, but for commits. */
  SHARD(
      "shard",
      "node",
      "move",
      "shard",
      "rows",
      "adjacency",
      "split",
      "stage",
      "frontier",
      "recording",
      "search"),
  /** Conflicts, stamps, groups and the log. */
  COMMITS("commits", "shard.commits", "log"),
  /** Bytes of rows, and what all layers are made of. */
  CODEC(
      "codec", "codec", "bytes", "model", "schema", "time", "config", "error", "heap", "stability"),
  /** The store. */
  STORAGE("RocksDB", "storage"),
  /**
   * Threads that are none of Java's: compiler, collector, flushes and compactions. Not sampled:
   * what the process took and no thread of Java did.
   */
  OTHER("compiler, collector, compaction");

  private static final String ROOT = "io.graphmeta.";
  private static final String BENCH = ROOT + "bench.";

  private final String title;
  private final List<String> packages;

  Layer(String title, String... packages) {
    this.title = title;
    this.packages = List.of(packages);
  }

  /** The frame that a sample is charged to: the topmost one of this project; null if none is. */
  static @Nullable RecordedMethod method(RecordedStackTrace stack) {
    for (RecordedFrame frame : stack.getFrames()) {
      String type = frame.getMethod().getType().getName();
      if (type.startsWith(ROOT) && !type.startsWith(BENCH)) {
        return frame.getMethod();
      }
    }
    return null;
  }

  /** The layer of a class of this project: that of the longest name of a package that it is in. */
  static Layer ofClass(String type) {
    String name = type.substring(ROOT.length());
    Layer found = null;
    int longest = 0;
    for (Layer layer : values()) {
      for (String inside : layer.packages) {
        if (name.startsWith(inside + ".") && inside.length() > longest) {
          found = layer;
          longest = inside.length();
        }
      }
    }
    if (found == null) {
      throw GraphMetaException.internal(
          "Class " + type + " is in no layer of " + Arrays.toString(values()));
    }
    return found;
  }

  @Override
  public String toString() {
    return title;
  }
}
