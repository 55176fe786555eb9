package io.graphmeta.config;

import static io.graphmeta.config.SettingType.bytes;
import static io.graphmeta.config.SettingType.choice;
import static io.graphmeta.config.SettingType.millis;
import static io.graphmeta.config.SettingType.number;
import static io.graphmeta.config.SettingType.powerOfTwo;
import static io.graphmeta.config.SettingType.text;

import io.graphmeta.stability.Experimental;
import io.graphmeta.stability.Internal;

/** Every setting of a graph. The page {@code docs/reference/configuration.md} is made from it. */
public enum Setting implements DeclaredSetting {
  DIRECTORY(
      "graphmeta.directory", text(""), "Directory of the database; needed for storage rocksdb."),
  STORAGE(
      "graphmeta.storage",
      choice("rocksdb", "memory"),
      "Where rows are kept; memory loses them on close."),
  CLUSTER(
      "graphmeta.cluster",
      text(""),
      "Name of the cluster whose graph is opened, instead of a directory; needs graphmeta.zookeeper. Settings that are"
          + " fixed at creation, and those of its shards, are the cluster's."),
  ZOOKEEPER(
      "graphmeta.zookeeper",
      text(""),
      "Where the cluster is found: HOST:PORT of each ZooKeeper server, with commas between."),
  CLUSTER_SETTINGS(
      "graphmeta.cluster-settings",
      text(""),
      "File of properties with the settings of connections to the nodes (node.*) and to ZooKeeper (graphmeta.zookeeper.*)."),
  CREATE(
      "graphmeta.create",
      choice("true", "false"),
      "Whether to create the database if the directory is absent or empty."),
  READ_ONLY(
      "graphmeta.read-only",
      choice("false", "true"),
      "Whether to open the database to be read as it is now, beside the process that writes it, or without the right to"
          + " write; what is committed later is not seen."),
  DURABILITY(
      "graphmeta.durability",
      choice("sync", "background"),
      "sync: an acknowledged commit is on disk. background: it survives the end of the process, and the loss of power but"
          + " for the newest commits, as many as fit into graphmeta.background-sync-millis;"
          + " what is lost is the end of all that was done, on all shards alike. A database of several shards"
          + " that was not closed goes back to its last background sync, too, if it is opened after a restart of"
          + " the machine, on another machine, or as a copy."),
  BACKGROUND_SYNC_MILLIS(
      "graphmeta.background-sync-millis", millis(100, 1, 60_000), "Time between background syncs."),
  LOG_RECOVERY(
      "graphmeta.log-recovery",
      choice("refuse-damage", "to-last-good-batch"),
      "What to do when a write-ahead log has lost what was synced. An end that was lost with the power and was not"
          + " synced is given up in any case. refuse-damage: do not open. to-last-good-batch: open with what was"
          + " written before the damage, and give up what was written behind it."),
  SHARDS("graphmeta.shards", number(1, 1, 64), "Number of shards, fixed at creation."),
  VIRTUAL_NODES(
      "graphmeta.virtual-nodes",
      powerOfTwo(1024, 1, 65_536),
      "Number of virtual nodes, fixed at creation."),
  PLACEMENT(
      "graphmeta.placement",
      choice("dido").orExperimental("edge-cut", "vertex-cut", "giga"),
      "How the edges of a vertex are spread over shards, fixed at creation. dido: when they pass the threshold, each"
          + " towards the vertex at its other end. giga: likewise, each by its hash. edge-cut: never. vertex-cut: from"
          + " the start."),
  SPLIT_THRESHOLD(
      "graphmeta.split-threshold",
      number(128, 2, 1 << 24),
      "Edges of one vertex in one direction on one shard above which they are split, with placement dido or giga."),
  MOVED_ROWS_KEPT_MILLIS(
      "graphmeta.moved-rows-kept-millis",
      millis(600_000, 0, 86_400_000),
      "How long edges that were moved to another shard by a split are kept at the old place too, for transactions that"
          + " began before; older ones are refused."),
  BLOCK_CACHE_BYTES(
      "graphmeta.block-cache-bytes",
      bytes(268435456, 1 << 20, Long.MAX_VALUE),
      "Memory for cached blocks; that of the whole database, shared out evenly over its shards."),
  ADJACENCY_CACHE_BYTES(
      "graphmeta.adjacency-cache-bytes",
      bytes(268435456, 0, Long.MAX_VALUE),
      "Memory for cached neighbours of vertices, and rows of vertices, edges and ids, at most a quarter"
          + " of the heap; that of the whole database, shared out evenly over its shards. 0: none are cached."),
  WRITE_BUFFER_BYTES(
      "graphmeta.write-buffer-bytes",
      bytes(67108864, 1 << 16, 1L << 32),
      "Memory for the newest rows of each family of each shard before they are written to a file."),
  MAX_TRANSACTION_BYTES(
      "graphmeta.max-transaction-bytes",
      bytes(536870912, 1 << 10, 1L << 30),
      "Largest size of the writes of one transaction, at most a quarter of the heap."),
  MAX_VALUE_BYTES(
      "graphmeta.max-value-bytes",
      bytes(16777216, 16, 1 << 28),
      "Largest size of one property value."),
  MAX_ID_BYTES(
      "graphmeta.max-id-bytes", bytes(8192, 16, 32_768), "Largest size of an id in UTF-8."),
  MAX_FRONTIER(
      "graphmeta.max-frontier",
      number(10000000, 1, Integer.MAX_VALUE),
      "Most vertices in one frontier."),
  MAX_NAMES(
      "graphmeta.max-names",
      number(3000, 16, 65_535),
      "Most names of each kind that are defined: vertex labels, of which there can be 4095 at most, edge labels,"
          + " property keys. A name is defined when it is first committed, and stays."),
  SEARCH_DEFAULTS(
      "graphmeta.search-defaults",
      choice("true", "false"),
      "Whether the first load into a new graph creates indexes over what loads write: ids and names of files and"
          + " directories, command lines, names, states and times of jobs and processes, names of"
          + " users."),
  SEARCH_UNINDEXED(
      "graphmeta.search-unindexed",
      choice("warn", "allow", "refuse"),
      "What to do with a traversal that begins with all vertices or edges of a label, to keep those that a condition is true"
          + " of, or the first in an order, where an index could name them. warn: when it has read 5,000 of the label, tell"
          + " the log once which command makes the index. refuse: do not run it, however few there are, and tell the"
          + " command. allow: nothing."),
  PAGE_BYTES(
      "graphmeta.page-bytes",
      bytes(1048576, 1 << 10, 1 << 28),
      "Size at which a page of results ends."),
  REQUEST_TIMEOUT_MILLIS(
      "graphmeta.request-timeout-millis",
      millis(60000, 1, 86_400_000),
      "Time allowed for one request."),
  @Internal
  SHARD_THREADS(
      "graphmeta.shard-threads",
      number(0, 0, 1024),
      "Threads of each shard; 0: the calling thread does the work of the shard."),
  @Experimental
  TRAVERSAL_THREADS(
      "graphmeta.traversal-threads",
      number(0, 0, 1024),
      "Threads of each shard that take part in the large steps of traversals and read ahead, beside those that run"
          + " the traversals. 0: one less than there are processors, shared out evenly over the shards, but at least"
          + " one, which takes part in steps only where there are several processors."),
  @Internal
  SLICE_ELEMENTS(
      "graphmeta.slice-elements",
      number(16, 1, 1 << 20),
      "Elements that a traversal begins to follow first when few results of it are wanted, or are taken one by one;"
          + " then twice as many each time."),
  OPEN_TRAVERSALS(
      "graphmeta.open-traversals",
      number(1024, 1, 1 << 14),
      "Traversals with results left that the shards keep for this process at a time. If there are more, the one of"
          + " which results were asked for the longest time ago is ended; to go on with it is an error."),
  @Experimental
  SHARED_STEP_ELEMENTS(
      "graphmeta.shared-step-elements",
      number(8192, 1, Integer.MAX_VALUE),
      "The least number of elements in a step of a traversal that several threads share. Small steps are done before"
          + " another thread is awake, or slowed by one that has to wait for a processor."),
  @Internal
  SHARD_QUEUE(
      "graphmeta.shard-queue",
      number(1024, 1, 1 << 20),
      "Most requests that wait for a thread of a shard, if it has its own; more are refused."),
  @Internal
  ENCODE_MESSAGES(
      "graphmeta.encode-messages",
      choice("false", "true"),
      "Whether messages to and from shards pass as bytes, as over a network; for tests."),
  RESERVED_DISK_BYTES(
      "graphmeta.reserved-disk-bytes",
      bytes(256L << 20, 0, Long.MAX_VALUE),
      "Where less than this is free on the disk of the database, commits are refused until there is room again, so that"
          + " reads and the work under way go on. 0: fill the disk."),
  MAX_CLOCK_OFFSET_MILLIS(
      "graphmeta.max-clock-offset-millis",
      millis(500, 0, 60_000),
      "How far a stamp may lie ahead of this shard's clock before it is refused.");

  private final SettingDeclaration declaration;

  Setting(String key, SettingType type, String description) {
    this.declaration = new SettingDeclaration(key, type, description);
  }

  @Override
  public SettingDeclaration declaration() {
    return declaration;
  }
}
