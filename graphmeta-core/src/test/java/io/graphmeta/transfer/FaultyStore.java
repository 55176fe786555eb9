package io.graphmeta.transfer;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A store that changes from checkpoint to checkpoint, behind a connection on which everything
 * happens: answers are lost, late, damaged, those of another question, and the checkpoint expires.
 */
final class FaultyStore implements CheckpointFiles {
  private static final int MOST_BYTES = 20_000;

  /** The process that copies has ended. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final Random random;
  private final Path scratch;

  /** What files with a name have ever held. */
  final Map<String, Set<String>> everHeld = new HashMap<>();

  private final Map<String, byte[]> immutable = new TreeMap<>();
  private Map<String, byte[]> checkpoint = Map.of();
  private boolean lost = true;

  /** Answers that were given, of this and of other files. */
  private final List<FileRange> answered = new ArrayList<>();

  private long number;
  private int files;

  /** One in so many questions meets a fault of each sort; 0: none does. */
  int faults;

  /** After so many questions the process ends; -1: never. */
  int killAfter = -1;

  /** Passes with each answer, and while the copier waits. */
  long nanos;

  long sent;
  long sums;

  FaultyStore(Random random, Path scratch) {
    this.random = random;
    this.scratch = scratch;
    faults = 0;
  }

  private boolean happens() {
    return faults > 0 && random.nextInt(faults) == 0;
  }

  private byte[] content() {
    byte[] bytes = new byte[random.nextInt(8) == 0 ? 0 : random.nextInt(MOST_BYTES)];
    random.nextBytes(bytes);
    return bytes;
  }

  private void asked() {
    nanos += 1000 + random.nextInt(1_000_000);
    if (killAfter >= 0 && killAfter-- == 0) {
      throw new Killed();
    }
    if (happens()) {
      throw new GraphMetaException(ErrorCode.UNREACHABLE, "The connection broke");
    }
    if (happens()) {
      nanos += 20_000_000_000L;
      throw new GraphMetaException(ErrorCode.TIMEOUT, "No answer in time");
    }
  }

  private void requireKept() {
    if (faults > 0 && random.nextInt(4 * faults) == 0) {
      lost = true;
    }
    if (lost) {
      throw new GraphMetaException(ErrorCode.CHECKPOINT_LOST, "It is not kept any more");
    }
  }

  @Override
  public List<FileEntry> take() {
    if (killAfter >= 0 && killAfter-- == 0) {
      throw new Killed();
    }
    lost = false;
    number = random.nextLong();
    if (immutable.isEmpty() || random.nextBoolean()) {
      immutable.keySet().removeIf(name -> random.nextInt(3) == 0);
      for (int i = random.nextInt(4); i >= 0; i--) {
        immutable.put(String.format("%06d.sst", ++files), content());
      }
    }
    Map<String, byte[]> now = new TreeMap<>(immutable);
    now.put(
        "CURRENT", ("MANIFEST-" + files + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
    now.put("000001.log", content());
    checkpoint = now;
    List<FileEntry> listed = new ArrayList<>();
    now.forEach(
        (name, bytes) -> {
          everHeld.computeIfAbsent(name, any -> new HashSet<>()).add(Arrays.toString(bytes));
          String origin = name.endsWith(".sst") ? name.hashCode() + "@1" : FileEntry.UNKNOWN;
          listed.add(new FileEntry(name, bytes.length, origin));
        });
    return listed;
  }

  @Override
  public long checkpoint() {
    return number;
  }

  @Override
  public Supplier<FileRange> read(String name, long offset, int length) {
    if (killAfter >= 0 && killAfter-- == 0) {
      throw new Killed();
    }
    long of = number;
    // What is asked of a checkpoint is answered when it is waited for, by what is there then.
    return () -> answer(of, name, offset, length);
  }

  private FileRange answer(long of, String name, long offset, int length) {
    asked();
    requireKept();
    if (of != number) {
      throw new GraphMetaException(ErrorCode.CHECKPOINT_LOST, "It is not kept any more");
    }
    if (happens() && !answered.isEmpty()) {
      return before(offset, length);
    }
    byte[] bytes = Arrays.copyOfRange(checkpoint.get(name), (int) offset, (int) offset + length);
    sent += length;
    FileRange range = new FileRange(offset, FileRange.checksum(number, name, offset, bytes), bytes);
    answered.add(range);
    if (happens()) {
      byte[] damaged = bytes.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      return new FileRange(offset, range.checksum(), damaged);
    }
    if (happens()) {
      return new FileRange(offset, range.checksum(), Arrays.copyOf(bytes, random.nextInt(length)));
    }
    return range;
  }

  /** One that was given before, if there is one that could be taken for the right one. */
  private FileRange before(long offset, int length) {
    List<FileRange> alike =
        answered.stream()
            .filter(each -> each.offset() == offset && each.bytes().length == length)
            .toList();
    List<FileRange> some = alike.isEmpty() ? answered : alike;
    return some.get(random.nextInt(some.size()));
  }

  @Override
  public byte[] sum(String name, long offset, int length) {
    asked();
    requireKept();
    sums++;
    try {
      Path file = Files.write(scratch, checkpoint.get(name));
      try (FileChannel in = FileChannel.open(file)) {
        byte[] sum = StoreCopier.sha256(in, offset, length);
        if (happens()) {
          sum[random.nextInt(sum.length)] ^= 1;
        }
        return sum;
      }
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  /** What the last checkpoint has. */
  Map<String, byte[]> held() {
    return checkpoint;
  }
}
