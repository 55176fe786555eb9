package io.graphmeta.node;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.codec.FormatVersion;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.Placements;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.CutRecovery;
import io.graphmeta.storage.rocksdb.LogCuts;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.io.IOException;
import java.io.StringReader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a database: a marker file that tells what it is, and a directory for each shard.
 *
 * <p>The marker is written before the first store with {@code state=creating} and again behind the
 * last with {@code state=ready}; a database whose creation was cut off is created again, and one
 * that is ready is never created over.
 *
 * <p>A database of an older format is upgraded before it is opened, version by version. The marker
 * says {@code state=upgrading} and the version to come from before the first row is changed until
 * the last is on disk: an older build refuses the database from then on, and an upgrade that was
 * cut off is done again from the beginning of its version.
 *
 * <p>The marker names the identity of the database, and a file in the directory of each shard says
 * which shard of which database it is, so that a directory that was lost, or put in the place of
 * another, is noticed before any store is opened. Databases without an identity have one shard.
 */
public final class DatabaseDirectory {
  static final String MARKER = "graphmeta.properties";
  private static final String READY = "ready";
  private static final String CREATING = "creating";
  private static final String UPGRADING = "upgrading";
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseDirectory.class);

  /**
   * That of databases whose marker names none: all edges lie with their ends, as unsplit ones do.
   */
  private static final String EARLIER_PLACEMENT = Placements.DIDO.name();

  private static final String CHECKSUM = "checksum=";
  private static final String SHARD_MARKER = "graphmeta-shard.properties";

  /** Names of version 1, when shards were called servers. Stores of that time keep theirs. */
  private static final String EARLIER_SHARDS = "servers";

  private static final String EARLIER_STORE = "server-";
  private static final String EARLIER_MARKER = "graphmeta-server.properties";
  private static final String EARLIER_NUMBER = "server";

  private final Path directory;
  private final GraphMetaConfig config;
  private final Hosting hosting;
  private final String identity;
  private final boolean creating;

  private DatabaseDirectory(
      Path directory, GraphMetaConfig config, Hosting hosting, String identity, boolean creating) {
    this.directory = directory;
    this.config = config;
    this.hosting = hosting;
    this.identity = identity;
    this.creating = creating;
  }

  /**
   * Looks at the directory of a configuration, and begins a new database there if it is empty or
   * absent. Upgrades a database of an older format.
   *
   * @throws GraphMetaException {@code NOT_A_DATABASE}, {@code NEWER_FORMAT}, {@code OLDER_FORMAT},
   *     {@code MISMATCHED_SETTINGS}, {@code CORRUPTION}, {@code STORAGE_FAILURE}, {@code
   *     ALREADY_OPEN}; nothing is changed then, but by an upgrade that was cut off and goes on when
   *     the directory is opened again
   */
  public static DatabaseDirectory open(GraphMetaConfig config) {
    return open(config, Hosting.whole(config), FormatUpgrades.ALL);
  }

  /** As {@link #open(GraphMetaConfig)}, of the shards that a process hosts. */
  static DatabaseDirectory open(GraphMetaConfig config, Hosting hosting) {
    return open(config, hosting, FormatUpgrades.ALL);
  }

  static DatabaseDirectory open(GraphMetaConfig config, Hosting hosting, FormatUpgrades upgrades) {
    Path directory = config.directory().toAbsolutePath().normalize();
    try {
      Path marker = directory.resolve(MARKER);
      if (Files.exists(marker)) {
        Properties stored = load(marker);
        boolean creating = isCreating(stored, marker); // the last line but the checksum
        List<FormatUpgrade> steps = steps(stored, marker, upgrades);
        requireRowsStay(hosting, steps, marker);
        checkSettings(stored, marker, config);
        checkHosting(stored, marker, hosting);
        DatabaseDirectory found =
            new DatabaseDirectory(
                directory,
                config,
                creating || !hosting.replicated() ? hosting : withFound(directory, hosting),
                stored.getProperty("database", ""),
                creating);
        found.checkShards();
        PrivateDirectory.warnIfOpen(directory);
        if (!creating) {
          CutRecovery.run(directory, found.shards(), found.settings().store(false));
        }
        if (!steps.isEmpty() && !creating) {
          found.upgrade(marker, upgrades);
        }
        return found;
      }
      if (Files.isDirectory(shard(directory, 0))) {
        throw new GraphMetaException(
            ErrorCode.CORRUPTION,
            directory
                + " holds the store of a shard and has lost its "
                + MARKER
                + "; restore it from a backup");
      }
      if (!isEmptyOrAbsent(directory)) {
        throw new GraphMetaException(
            ErrorCode.NOT_A_DATABASE,
            directory
                + " is not empty and holds no "
                + MARKER
                + "; expected a GraphMeta database or an empty directory");
      }
      if (config.get(Setting.CREATE).equals("false")) {
        throw new GraphMetaException(
            ErrorCode.NOT_A_DATABASE,
            directory + " holds no database, and " + Setting.CREATE.key() + " is false");
      }
      PrivateDirectory.create(directory);
      DatabaseDirectory created =
          new DatabaseDirectory(
              directory,
              config,
              hosting,
              hosting.isWhole() ? UUID.randomUUID().toString() : hosting.identity(),
              true);
      created.writeMarker(FormatVersion.CURRENT.number(), CREATING);
      return created;
    } catch (NotDirectoryException e) {
      throw new GraphMetaException(
          ErrorCode.NOT_A_DATABASE, directory + " is a file; expected a directory", e);
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, "Directory " + directory + " cannot be used: " + reason(e), e);
    }
  }

  /**
   * Looks at the directory of a configuration that another process may write. Nothing in it is
   * changed.
   *
   * @throws GraphMetaException {@code NOT_A_DATABASE}, {@code NEWER_FORMAT}, {@code OLDER_FORMAT},
   *     {@code MISMATCHED_SETTINGS}, {@code CORRUPTION} or {@code STORAGE_FAILURE}
   */
  public static DatabaseDirectory openToRead(GraphMetaConfig config) {
    if (!config.isPersistent()) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          Setting.READ_ONLY.key()
              + " is true, and the database is in memory; expected a directory");
    }
    Path directory = config.directory().toAbsolutePath().normalize();
    Path marker = directory.resolve(MARKER);
    if (!Files.isRegularFile(marker)) {
      throw new GraphMetaException(
          ErrorCode.NOT_A_DATABASE,
          directory + " holds no " + MARKER + " that can be read; expected a GraphMeta database");
    }
    try {
      Properties stored = load(marker);
      if (isCreating(stored, marker)) {
        throw new GraphMetaException(
            ErrorCode.NOT_A_DATABASE,
            directory + " is being created; open it when its first opening is through");
      }
      if (!steps(stored, marker, FormatUpgrades.ALL).isEmpty()) {
        throw new GraphMetaException(
            ErrorCode.OLDER_FORMAT,
            directory + " was written by an earlier version; open it once to write, to upgrade it");
      }
      checkSettings(stored, marker, config);
      Hosting whole = Hosting.whole(config);
      checkHosting(stored, marker, whole);
      DatabaseDirectory found =
          new DatabaseDirectory(
              directory, config, whole, stored.getProperty("database", ""), false);
      found.checkShards();
      return found;
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, "Directory " + directory + " cannot be read: " + reason(e), e);
    }
  }

  /**
   * A configuration with the settings that were fixed when the database in its directory was
   * created; the same configuration if there is none.
   *
   * @throws GraphMetaException {@code CORRUPTION}, {@code INVALID_CONFIGURATION} or {@code
   *     STORAGE_FAILURE} if the marker cannot be read or says what cannot be
   */
  public static GraphMetaConfig asCreated(GraphMetaConfig config) {
    Path marker = config.directory().toAbsolutePath().normalize().resolve(MARKER);
    if (!Files.isRegularFile(marker)) {
      return config;
    }
    try {
      Properties stored = load(marker);
      return config
          .with(Setting.SHARDS, number(stored, shards(stored), marker))
          .with(Setting.VIRTUAL_NODES, number(stored, "virtual-nodes", marker))
          .with(Setting.PLACEMENT, stored.getProperty("placement", EARLIER_PLACEMENT));
    } catch (IOException e) {
      throw new GraphMetaException(ErrorCode.STORAGE_FAILURE, marker + " cannot be read: " + e, e);
    }
  }

  private static boolean isEmptyOrAbsent(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return true;
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }

  private static Properties load(Path marker) throws IOException {
    Properties stored = new Properties();
    try {
      String text = Files.readString(marker);
      int end = text.lastIndexOf(CHECKSUM);
      if (end >= 0 && !text.substring(end).equals(checksum(text.substring(0, end)))) {
        throw new GraphMetaException(
            ErrorCode.CORRUPTION,
            marker + " is damaged: it does not have its checksum. Restore it from a backup");
      }
      stored.load(new StringReader(text));
    } catch (IllegalArgumentException | java.nio.charset.CharacterCodingException e) {
      throw new GraphMetaException(ErrorCode.CORRUPTION, marker + " cannot be read: " + e, e);
    }
    return stored;
  }

  /** The last line of a marker, over all before it. Earlier versions wrote none. */
  private static String checksum(String text) {
    CRC32C sum = new CRC32C();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return CHECKSUM + Long.toHexString(sum.getValue()) + "\n";
  }

  /** The steps that the database of a marker has still to take. */
  private static List<FormatUpgrade> steps(
      Properties stored, Path marker, FormatUpgrades upgrades) {
    int format = number(stored, "format", marker);
    boolean cutOff = stored.getProperty("state", "").equals(UPGRADING);
    return upgrades.from(cutOff ? format - 1 : format, marker);
  }

  /** Replicas change their rows together, by entries of their log, or would not be equal. */
  private static void requireRowsStay(Hosting hosting, List<FormatUpgrade> steps, Path marker) {
    if (hosting.replicated() && steps.stream().anyMatch(FormatUpgrade::changesRows)) {
      throw new GraphMetaException(
          ErrorCode.OLDER_FORMAT,
          marker
              + " has format version "
              + steps.get(0).from()
              + ", from which this build cannot upgrade replicas. Back the cluster up with the"
              + " version that wrote it, and restore the backup for a new cluster with this one");
    }
  }

  /** Takes the database to the format of this build, while nobody else can open a store of it. */
  private void upgrade(Path marker, FormatUpgrades upgrades) throws IOException {
    List<StorageEngine> stores = new ArrayList<>();
    try {
      for (int shard : hosting.shards()) {
        stores.add(RocksDbStorage.open(shard(shard), settings().store(false)));
      }
      for (FormatUpgrade step : steps(load(marker), marker, upgrades)) {
        int to = step.from() + 1;
        LOG.info("Upgrading {} from format version {} to {}", directory, step.from(), to);
        writeMarker(to, UPGRADING);
        for (StorageEngine store : stores) {
          step.rewrite().accept(store);
          store.sync();
        }
        writeMarker(to, READY);
      }
    } finally {
      stores.forEach(StorageEngine::close);
    }
  }

  /** Checks the marker against the configuration. */
  private static void checkSettings(Properties stored, Path marker, GraphMetaConfig config) {
    mustBe(
        marker,
        shards(stored),
        stored.getProperty(shards(stored), ""),
        config.get(Setting.SHARDS),
        Setting.SHARDS);
    mustBe(
        marker,
        "virtual-nodes",
        stored.getProperty("virtual-nodes", ""),
        config.get(Setting.VIRTUAL_NODES),
        Setting.VIRTUAL_NODES);
    mustBe(
        marker,
        "placement",
        stored.getProperty("placement", EARLIER_PLACEMENT),
        config.get(Setting.PLACEMENT),
        Setting.PLACEMENT);
  }

  /** Checks that the directory holds the shards that are to be opened. */
  private static void checkHosting(Properties stored, Path marker, Hosting hosting) {
    String hosted = stored.getProperty("hosts", "");
    // Earlier builds named the shards of replicas.
    boolean isOfReplicas = hosting.replicated() && hosted.endsWith("(replicas)");
    if (!hosted.equals(hosting.text()) && !isOfReplicas) {
      throw new GraphMetaException(
          ErrorCode.MISMATCHED_SETTINGS,
          marker
              + (hosted.isEmpty()
                  ? " is that of a whole database; expected one of a node"
                  : hosting.isWhole()
                      ? " is that of a node, which has shards "
                          + hosted
                          + " of a cluster; ask the cluster"
                      : " says that shards " + hosted + " lie there; expected " + hosting.text()));
    }
    String database = stored.getProperty("database", "");
    if (!hosting.isWhole() && !hosting.identity().equals(database)) {
      throw new GraphMetaException(
          ErrorCode.WRONG_CLUSTER,
          marker + " is of cluster " + database + "; expected cluster " + hosting.identity());
    }
  }

  /** The key of the number of shards. */
  private static String shards(Properties stored) {
    return stored.containsKey(EARLIER_SHARDS) ? EARLIER_SHARDS : "shards";
  }

  /** True if the creation was cut off. */
  private static boolean isCreating(Properties stored, Path marker) {
    String state = stored.getProperty("state", "");
    if (!List.of(READY, CREATING, UPGRADING).contains(state)) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          marker
              + (" has state '" + state + "'; expected ")
              + (READY + ", " + CREATING + " or " + UPGRADING));
    }
    return state.equals(CREATING);
  }

  private static int number(Properties stored, String key, Path marker) {
    String value = stored.getProperty(key, "");
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION, marker + " has " + key + " '" + value + "'; expected a number", e);
    }
  }

  private static void mustBe(
      Path marker, String key, String stored, String configured, Setting setting) {
    if (!stored.equals(configured)) {
      throw new GraphMetaException(
          ErrorCode.MISMATCHED_SETTINGS,
          marker
              + " has "
              + key
              + " "
              + stored
              + ", fixed at creation; set "
              + setting.key()
              + " to it instead of "
              + configured);
    }
  }

  /** With the shards of which there are replicas that were added later. */
  private static Hosting withFound(Path directory, Hosting hosting) throws IOException {
    SortedSet<Integer> shards = new TreeSet<>(StorePlace.recover(directory));
    shards.addAll(hosting.shards());
    return hosting.withShards(List.copyOf(shards));
  }

  /** Fails if the directory of a shard is not there or is another's. */
  private void checkShards() throws IOException {
    for (int shard : creating ? List.<Integer>of() : hosting.shards()) {
      Path store = shard(shard);
      if (!Files.isDirectory(store)) {
        throw new GraphMetaException(
            ErrorCode.CORRUPTION,
            store
                + " is missing; expected the store of shard "
                + shard
                + ". Put it back, or restore the database from a backup");
      }
      if (!identity.isEmpty()) {
        checkShard(shard, store);
      }
    }
  }

  private void checkShard(int shard, Path store) throws IOException {
    boolean isEarlier = store.getFileName().toString().startsWith(EARLIER_STORE);
    Path marker = store.resolve(isEarlier ? EARLIER_MARKER : SHARD_MARKER);
    Properties stored = Files.exists(marker) ? load(marker) : new Properties();
    String database = stored.getProperty("database", "no database");
    String number = stored.getProperty(isEarlier ? EARLIER_NUMBER : "shard", "none");
    if (!database.equals(identity) || !number.equals(Integer.toString(shard))) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          store
              + " holds the store of shard "
              + number
              + " of database "
              + database
              + "; expected shard "
              + shard
              + " of database "
              + identity
              + ". Put each shard's directory back in its place");
    }
  }

  /**
   * Cuts of the logs of all shards, if a loss of power could part what they have in common: where
   * commits are not synced, no shard is on another machine, and the system tells its end from that
   * of a process.
   */
  public @Nullable LogCuts cuts() {
    boolean several = config.number(Setting.SHARDS) > 1;
    return several && hosting.isWhole() && !config.syncCommits() && LogCuts.arePossible()
        ? new LogCuts(directory, config.number(Setting.BACKGROUND_SYNC_MILLIS))
        : null;
  }

  /** The directories of all stores, by the numbers of their shards. */
  List<Path> shards() {
    return hosting.shards().stream().map(this::shard).toList();
  }

  private HostSettings settings() {
    return new HostSettings(config, hosting);
  }

  /** The directory of a shard's store. */
  public Path shard(int shard) {
    return shard(directory, shard);
  }

  static Path shard(Path directory, int shard) {
    Path earlier = directory.resolve(EARLIER_STORE + shard);
    return Files.isDirectory(earlier) ? earlier : directory.resolve("shard-" + shard);
  }

  /** True if the stores of this database are still to be created. */
  public boolean isCreating() {
    return creating;
  }

  /** Where the database lies. */
  Path path() {
    return directory;
  }

  /** What a backup of it at a stamp is of. */
  public BackedUpDatabase backedUpAt(long stamp) {
    return new BackedUpDatabase(
        identity,
        FormatVersion.CURRENT.number(),
        stamp,
        (int) config.number(Setting.SHARDS),
        config.virtualNodes(),
        config.get(Setting.PLACEMENT));
  }

  /** Notes that all stores are there. */
  public void ready() {
    restored(FormatVersion.CURRENT.number());
  }

  /** Notes that all stores are there, with rows of some version of the format. */
  void restored(int format) {
    if (creating) {
      try {
        for (int shard : hosting.shards()) {
          mark(shard, shard(shard));
        }
        writeMarker(format, READY);
      } catch (IOException e) {
        throw new GraphMetaException(
            ErrorCode.STORAGE_FAILURE, "Directory " + directory + " cannot be written: " + e, e);
      }
    }
  }

  /** The numbers of the shards of which there are stores. */
  List<Integer> numbers() {
    return hosting.shards();
  }

  /** Where the store of a shard lies, or is to lie, of which this process has a replica. */
  StorePlace place(int shard) {
    return new StorePlace(
        shard(shard),
        store -> {
          try {
            mark(shard, store);
          } catch (IOException e) {
            throw new GraphMetaException(
                ErrorCode.STORAGE_FAILURE, "Directory " + store + " cannot be written: " + e, e);
          }
        });
  }

  /** Notes in the directory of a store which shard of which database it is. */
  private void mark(int shard, Path store) throws IOException {
    String text =
        "# The store of one shard of a GraphMeta database. Do not edit.\n"
            + ("database=" + identity + "\n")
            + ("shard=" + shard + "\n");
    replace(store.resolve(SHARD_MARKER), text);
  }

  private void writeMarker(int format, String state) throws IOException {
    String text =
        "# A GraphMeta database. Do not edit.\n"
            + ("format=" + format + "\n")
            + ("database=" + identity + "\n")
            + ("shards=" + config.get(Setting.SHARDS) + "\n")
            + ("virtual-nodes=" + config.virtualNodes() + "\n")
            + ("placement=" + config.get(Setting.PLACEMENT) + "\n")
            + (hosting.isWhole() ? "" : "hosts=" + hosting.text() + "\n")
            + ("state=" + state + "\n");
    replace(directory.resolve(MARKER), text);
  }

  /** Replaces a file as a whole, on disk when it returns. */
  private static void replace(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(fresh, text + checksum(text));
    try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel channel = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** What the file system says, without the names of classes by which Java says it. */
  private static String reason(IOException e) {
    if (e instanceof FileAlreadyExistsException taken) {
      return taken.getFile() + " is a file; expected a directory, or none";
    }
    if (e instanceof AccessDeniedException denied) {
      return "no permission for " + denied.getFile();
    }
    return String.valueOf(e.getMessage());
  }
}
