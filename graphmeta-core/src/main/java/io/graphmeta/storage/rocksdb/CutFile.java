package io.graphmeta.storage.rocksdb;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file of a database that says where the logs of its shards are cut after a loss of power. It
 * has room for two cuts, which are written in turn, so that one of them is whole whatever becomes
 * of the other. It is there from the first cut of a run to its orderly end.
 *
 * <p>All numbers have eight bytes, the most significant first. A cut is: the form, the number of
 * the cut, the {@linkplain Place place} in four numbers, the number of shards, for each of them its
 * {@linkplain CutLog#opening opening} and its {@linkplain CutLog#position position}, and the CRC32C
 * of all that. Each cut begins at a multiple of 4 KiB.
 *
 * <p>Belongs to one thread.
 */
final class CutFile implements AutoCloseable {
  static final String NAME = "graphmeta-cuts";

  private static final long FORM = 1;
  private static final int PAGE_BYTES = 4096;
  private static final int HEAD_BYTES = 7 * Long.BYTES;
  private static final int SHARD_BYTES = 2 * Long.BYTES;

  /**
   * Where and when a file was written. While both are the same, the system has kept all that it was
   * given: only the process can have ended.
   *
   * @param boot the identity of the run of the system; of a virtual machine, its own
   * @param device the device of the file
   * @param file the number of the file on it
   */
  record Place(UUID boot, long device, long file) {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    /** The run of this system, or null if it does not tell. */
    static @Nullable UUID bootOfSystem() {
      try {
        return UUID.fromString(Files.readString(BOOT).strip());
      } catch (IOException | IllegalArgumentException e) {
        return null;
      }
    }

    private static long number(Path file, String attribute) throws IOException {
      return ((Number) Objects.requireNonNull(Files.getAttribute(file, attribute))).longValue();
    }

    /** That of a file now. No file was written there where the system tells nothing of it. */
    static Place of(Path file) throws IOException {
      UUID boot = bootOfSystem();
      if (boot == null) {
        return new Place(new UUID(0, 0), -1, -1);
      }
      return new Place(boot, number(file, "unix:dev"), number(file, "unix:ino"));
    }
  }

  /**
   * What a cut says of a store.
   *
   * @param opening which opening of the store wrote the rows, or {@link #ANY}
   */
  record Position(long opening, long row) {
    /** The stores are being taken back, for which they are opened. */
    static final long ANY = -1;
  }

  /** A cut. */
  record Cut(long number, Place place, List<Position> positions) {
    byte[] encode() {
      int bytes = HEAD_BYTES + positions.size() * SHARD_BYTES + Long.BYTES;
      ByteBuffer out = ByteBuffer.allocate(slotBytes(positions.size()));
      out.putLong(FORM).putLong(number);
      out.putLong(place.boot.getMostSignificantBits());
      out.putLong(place.boot.getLeastSignificantBits());
      out.putLong(place.device).putLong(place.file).putLong(positions.size());
      positions.forEach(position -> out.putLong(position.opening).putLong(position.row));
      out.putLong(checksum(out.array(), bytes - Long.BYTES));
      return out.array();
    }

    /** The cut of some bytes; null if they are not those of a whole cut of so many shards. */
    static @Nullable Cut decode(byte[] slot, int shards) {
      ByteBuffer in = ByteBuffer.wrap(slot);
      int bytes = HEAD_BYTES + shards * SHARD_BYTES;
      if (in.getLong() != FORM || in.getLong(bytes) != checksum(slot, bytes)) {
        return null;
      }
      long number = in.getLong();
      UUID boot = new UUID(in.getLong(), in.getLong());
      Place place = new Place(boot, in.getLong(), in.getLong());
      if (in.getLong() != shards) {
        return null;
      }
      List<Position> positions = new ArrayList<>();
      for (int shard = 0; shard < shards; shard++) {
        positions.add(new Position(in.getLong(), in.getLong()));
      }
      return new Cut(number, place, positions);
    }

    private static long checksum(byte[] bytes, int length) {
      CRC32C sum = new CRC32C();
      sum.update(bytes, 0, length);
      return sum.getValue();
    }
  }

  private final Path directory;
  private final Path path;
  private final FileChannel channel;

  private CutFile(Path directory, FileChannel channel) {
    this.directory = directory;
    this.path = directory.resolve(NAME);
    this.channel = channel;
  }

  static int slotBytes(int shards) {
    int bytes = HEAD_BYTES + shards * SHARD_BYTES + Long.BYTES;
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  }

  /** Whether a directory has such a file. */
  static boolean exists(Path directory) {
    return Files.exists(directory.resolve(NAME));
  }

  /** A new file with a first cut, on disk as a whole when this returns. */
  static CutFile create(Path directory, List<Position> first) throws IOException {
    Path fresh = directory.resolve(NAME + ".new");
    FileChannel channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    boolean done = false;
    try {
      byte[] slot = new Cut(0, Place.of(fresh), first).encode();
      write(channel, slot, 0);
      write(channel, new byte[slot.length], slot.length); // room for the next, taken at once
      channel.force(true);
      Files.move(
          fresh,
          directory.resolve(NAME),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      LogRecovery.sync(directory);
      done = true;
      return new CutFile(directory, channel);
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  /**
   * The file of a directory, which no other process can open so at the same time; null if it went
   * away meanwhile.
   *
   * @throws GraphMetaException {@code ALREADY_OPEN}
   */
  static @Nullable CutFile open(Path directory) throws IOException {
    Path path = directory.resolve(NAME);
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    boolean done = false;
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw StorageErrors.alreadyOpen(directory, null);
      }
      done = Files.exists(path);
      return done ? new CutFile(directory, channel) : null;
    } catch (OverlappingFileLockException e) {
      throw StorageErrors.alreadyOpen(directory, e);
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  /**
   * The newest whole cut of so many shards.
   *
   * @throws GraphMetaException {@code CORRUPTION} if there is none
   */
  Cut newest(int shards) throws IOException {
    Cut newest = null;
    for (int slot = 0; slot < 2; slot++) {
      ByteBuffer bytes = ByteBuffer.allocate(slotBytes(shards));
      while (bytes.hasRemaining()
          && channel.read(bytes, (long) slot * bytes.capacity() + bytes.position()) > 0) {
        continue;
      }
      Cut cut = Cut.decode(bytes.array(), shards);
      if (cut != null && (newest == null || cut.number > newest.number)) {
        newest = cut;
      }
    }
    if (newest == null) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "File "
              + path
              + " is damaged: it holds no whole cut of "
              + shards
              + " shards. Check the disk, put the file back, or restore the database from a backup; or open it with"
              + " graphmeta.log-recovery=to-last-good-batch, which takes each log as it is. Nothing was changed");
    }
    return newest;
  }

  /** Where the file lies now, and by which run of the system it is read. */
  Place place() throws IOException {
    return Place.of(path);
  }

  /** Writes a cut over the last but one; on disk when this returns. */
  void write(long number, List<Position> positions) throws IOException {
    write(new Cut(number, place(), positions));
  }

  /** Notes that the stores are taken back to a cut, whatever is found to have opened them. */
  void begin(Cut cut) throws IOException {
    List<Position> positions =
        cut.positions.stream().map(at -> new Position(Position.ANY, at.row)).toList();
    write(new Cut(cut.number + 1, cut.place, positions));
  }

  private void write(Cut cut) throws IOException {
    byte[] slot = cut.encode();
    write(channel, slot, cut.number % 2 * slot.length);
    channel.force(false);
  }

  private static void write(FileChannel channel, byte[] bytes, long at) throws IOException {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    while (from.hasRemaining()) {
      channel.write(from, at + from.position());
    }
  }

  /** Takes the file away, for good when this returns. */
  void delete() throws IOException {
    Files.delete(path);
    LogRecovery.sync(directory);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
