package io.graphmeta.server.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a node: a file that tells which node of which cluster it is, and the database of
 * its shards below. Belongs to one thread.
 *
 * <p>It has an id of its own, drawn when it is made, by which the cluster knows it: a node that
 * comes with another directory has lost its shards. Once they were there, the file says so, and
 * they are never made again.
 *
 * <p>A second file is locked as long as the directory is open. The operating system lets go of it
 * when a process ends, however it ends; so who holds it knows that nobody still lives who held it
 * before. A copy of the directory has another file.
 */
final class NodeDirectory implements AutoCloseable {
  private static final String MARKER = "node.properties";
  private static final String LOCK = "node.lock";
  private static final String FORMAT = "1";

  /** Where in the directory the shards lie. */
  static final String SHARDS = "shards";

  /** Drawn by the kernel of Linux when it starts, and the same in all containers over it. */
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  private final Path directory;
  private final UUID cluster;
  private final String node;
  private final UUID id;
  private final FileChannel lock;
  private boolean ready;

  private NodeDirectory(Path directory, UUID cluster, String node, UUID id, boolean ready)
      throws IOException {
    this.directory = directory;
    this.lock = lock(directory);
    this.cluster = cluster;
    this.node = node;
    this.id = id;
    this.ready = ready;
  }

  /**
   * Looks at a directory, and makes it that of a node if it is empty or absent.
   *
   * @throws GraphMetaException {@code WRONG_CLUSTER} if it is of another cluster or node, {@code
   *     NOT_A_DATABASE} if it holds something else, {@code NEWER_FORMAT}, {@code CORRUPTION},
   *     {@code STORAGE_FAILURE}, {@code ALREADY_OPEN} if a process has it open
   */
  static NodeDirectory open(Path directory, UUID cluster, String node) {
    Path given = directory.toAbsolutePath().normalize();
    Path marker = given.resolve(MARKER);
    try {
      if (Files.exists(marker)) {
        return read(given, marker, cluster, node);
      }
      if (!isEmptyOrAbsent(given)) {
        throw new GraphMetaException(
            ErrorCode.NOT_A_DATABASE,
            given
                + " is not empty and holds no "
                + MARKER
                + "; expected the directory of a node, or none");
      }
      Files.createDirectories(given);
      NodeDirectory made = new NodeDirectory(given, cluster, node, UUID.randomUUID(), false);
      made.write();
      return made;
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, "Directory " + given + " cannot be used: " + e, e);
    }
  }

  /**
   * Makes a directory that is there, with a database of shards, that of a node.
   *
   * @param ready whether all that the node needs is there; else it makes the rest once
   * @throws GraphMetaException {@code STORAGE_FAILURE}
   */
  static void make(Path directory, UUID cluster, String node, boolean ready) {
    try (NodeDirectory made =
        new NodeDirectory(directory, cluster, node, UUID.randomUUID(), false)) {
      if (ready) {
        made.ready();
      } else {
        made.write();
      }
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, "Directory " + directory + " cannot be written: " + e, e);
    }
  }

  private static NodeDirectory read(Path directory, Path marker, UUID cluster, String node)
      throws IOException {
    Properties stored = new Properties();
    UUID ofCluster;
    UUID id;
    try {
      stored.load(new StringReader(Files.readString(marker)));
      ofCluster = UUID.fromString(stored.getProperty("cluster", ""));
      id = UUID.fromString(stored.getProperty("directory", ""));
    } catch (IllegalArgumentException | java.nio.charset.CharacterCodingException e) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION, marker + " is damaged: " + e.getMessage() + ". Restore it", e);
    }
    if (!FORMAT.equals(stored.getProperty("format"))) {
      throw new GraphMetaException(
          ErrorCode.NEWER_FORMAT,
          marker + " has format " + stored.getProperty("format") + "; this build reads " + FORMAT);
    }
    @Nullable String ofNode = stored.getProperty("node");
    if (!ofCluster.equals(cluster) || !node.equals(ofNode)) {
      throw new GraphMetaException(
          ErrorCode.WRONG_CLUSTER,
          directory
              + (" is that of node " + ofNode + " of cluster " + ofCluster)
              + ("; expected node " + node + " of cluster " + cluster));
    }
    boolean ready = Boolean.parseBoolean(stored.getProperty("ready"));
    return new NodeDirectory(directory, cluster, node, id, ready);
  }

  private static boolean isEmptyOrAbsent(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return true;
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean held = false;
    try {
      held = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // This process has it open already.
    } finally {
      if (!held) {
        channel.close();
      }
    }
    if (!held) {
      throw new GraphMetaException(
          ErrorCode.ALREADY_OPEN,
          "A process has " + directory + " open as that of a node; stop it first");
    }
    return channel;
  }

  /**
   * Which file is locked, in which run of which machine; empty if that cannot be told. Two
   * processes that hold the same lock do not live at the same time.
   */
  String lock() {
    try {
      Path file = directory.resolve(LOCK);
      return (Files.readString(BOOT).strip() + " " + Files.getAttribute(file, "unix:dev"))
          + (" " + Files.getAttribute(file, "unix:ino"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return "";
    }
  }

  /** Lets go of it. */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, "The lock of " + directory + " cannot be closed: " + e, e);
    }
  }

  /** What the cluster knows it by. */
  UUID id() {
    return id;
  }

  /** Where the shards lie. */
  Path shards() {
    return directory.resolve(SHARDS);
  }

  /** Where the logs of replicas lie. */
  Path logs() {
    return directory.resolve("logs");
  }

  /** Where replicas lie whose groups are at an end. */
  Path former() {
    return directory.resolve("former");
  }

  /** Whether the shards were there once. */
  boolean isReady() {
    return ready;
  }

  /** Notes that the shards are there. */
  void ready() {
    if (!ready) {
      ready = true;
      try {
        write();
      } catch (IOException e) {
        throw new GraphMetaException(
            ErrorCode.STORAGE_FAILURE, "Directory " + directory + " cannot be written: " + e, e);
      }
    }
  }

  private void write() throws IOException {
    Path fresh = directory.resolve(MARKER + ".new");
    Files.writeString(
        fresh,
        "# A node of a GraphMeta cluster. Do not edit.\n"
            + ("format=" + FORMAT + "\n")
            + ("cluster=" + cluster + "\n")
            + ("node=" + node + "\n")
            + ("directory=" + id + "\n")
            + ("ready=" + ready + "\n"));
    try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(
        fresh,
        directory.resolve(MARKER),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
