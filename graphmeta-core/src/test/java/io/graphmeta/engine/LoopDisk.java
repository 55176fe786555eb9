package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A file system on a loop device whose power can be taken while programs write to it.
 *
 * <p>File systems are stacked, each in a file on the one below:
 *
 * <pre>
 * disk     ext4 in disk.img: here the programs write
 * device   ext4 in device.img: only for a disk whose cache is volatile
 * host     ext4 in host.img: frozen for the copy
 * </pre>
 *
 * A copy of a file that changes is of no moment. So the host is frozen, which holds back every
 * write to the file in it, between one block request and the next, while the disk above knows
 * nothing of it and its programs go on until they wait for it. What is copied is then what the disk
 * had been given at that moment: pages of the disk's file system that were not written back are not
 * in it, nor is anything of a sync that had not come through. That is a loss of power, of a disk
 * that keeps what it was given.
 *
 * <p>A disk with a volatile cache may lose all that was not flushed. With the device between, what
 * the disk is given lies in the pages of the device's file system until a flush, which is a sync of
 * disk.img, brings it to device.img; that is the file which is copied then.
 *
 * <p>Not modelled: blocks torn in the middle, and disks that say they have flushed and have not.
 *
 * <p>Needs root, ext4 and loop devices. Belongs to one thread.
 */
public final class LoopDisk implements AutoCloseable {
  private static final String HOST_BYTES = "3G";
  private static final String DEVICE_BYTES = "2G";
  private static final String DISK_BYTES = "1G";
  private static final String FILLER = "filler";
  private static final long LEFT_BYTES = 32 << 20;

  private final Path base;
  private final boolean volatileCache;
  private final Deque<Path> mounted = new ArrayDeque<>();

  private LoopDisk(Path base, boolean volatileCache) {
    this.base = base;
    this.volatileCache = volatileCache;
  }

  /**
   * A new disk.
   *
   * @param base an empty directory
   * @param volatileCache whether it loses what was not flushed
   * @throws IOException if this machine or user cannot have one
   */
  public static LoopDisk create(Path base, boolean volatileCache)
      throws IOException, InterruptedException {
    LoopDisk disk = new LoopDisk(base, volatileCache);
    try {
      Path host = disk.format(base.resolve("host.img"), HOST_BYTES);
      disk.mount(host, base.resolve("host"));
      disk.format(disk.copied(), volatileCache ? DEVICE_BYTES : DISK_BYTES);
      if (volatileCache) {
        disk.mount(disk.copied(), base.resolve("device"));
        disk.format(base.resolve("device").resolve("disk.img"), DISK_BYTES);
        run("umount", base.resolve("device").toString());
        disk.mounted.pop();
      }
      disk.powerOn();
      return disk;
    } catch (IOException | InterruptedException | RuntimeException e) {
      disk.close();
      throw e;
    }
  }

  /** The image that a loss of power leaves. */
  private Path copied() {
    return base.resolve("host").resolve(volatileCache ? "device.img" : "disk.img");
  }

  /** Where programs write. */
  public Path directory() {
    return base.resolve("disk");
  }

  private void powerOn() throws IOException, InterruptedException {
    if (volatileCache) {
      mount(copied(), base.resolve("device"));
      mount(base.resolve("device").resolve("disk.img"), directory());
    } else {
      mount(copied(), directory());
    }
  }

  /**
   * Keeps what a loss of power at this moment would leave; programs go on writing.
   *
   * @return the image
   */
  public Path snapshot() throws IOException, InterruptedException {
    Path host = base.resolve("host");
    Path image = base.resolve("left.img");
    run("mountpoint", "-q", host.toString());
    run("fsfreeze", "--freeze", host.toString());
    try {
      run("cp", "--sparse=always", copied().toString(), image.toString());
    } finally {
      run("fsfreeze", "--unfreeze", host.toString());
    }
    return image;
  }

  /** Goes on with what a loss of power left, as if all since then had not been. */
  public void restartFrom(Path image) throws IOException, InterruptedException {
    while (mounted.size() > 1) {
      unmount();
    }
    run("cp", "--sparse=always", image.toString(), copied().toString());
    powerOn();
  }

  /** Holds back all writes from now on, as a disk does that is slow. */
  public void stall() throws IOException, InterruptedException {
    run("fsfreeze", "--freeze", base.resolve("host").toString());
  }

  /** Goes on. */
  public void goOn() throws IOException, InterruptedException {
    run("fsfreeze", "--unfreeze", base.resolve("host").toString());
  }

  /** Takes all the room that is left, as other programs do. */
  public void fill() throws IOException, InterruptedException {
    fill(directory());
  }

  /** Gives that room back. */
  public void makeRoom() throws IOException {
    Files.delete(directory().resolve(FILLER));
  }

  /**
   * Has what is written fail from now on, but where something was before: the host has no blocks
   * left for it. The file system above takes it for a disk that is broken.
   */
  public void fail() throws IOException, InterruptedException {
    fill(base.resolve("host"));
  }

  /** Mends the disk, after its programs have ended, and what is on it. */
  public void repair() throws IOException, InterruptedException {
    assertThat(volatileCache).as("has a cache").isFalse();
    unmount();
    Files.delete(base.resolve("host").resolve(FILLER));
    int mended = end(List.of("e2fsck", "-f", "-y", copied().toString()));
    assertThat(mended).as("what e2fsck says").isBetween(0, 1);
    powerOn();
  }

  /** The file system keeps some room to itself, and what was taken when it ran out stays taken. */
  private static void fill(Path at) throws IOException, InterruptedException {
    long free = Files.getFileStore(at).getUnallocatedSpace();
    end(List.of("fallocate", "--length", "" + free, at.resolve(FILLER).toString()));
    assertThat(Files.getFileStore(at).getUnallocatedSpace())
        .as("room on %s, where %d bytes were free", at, free)
        .isLessThan(Math.max(LEFT_BYTES, free / 8));
  }

  private Path format(Path image, String bytes) throws IOException, InterruptedException {
    run("truncate", "--size=" + bytes, image.toString());
    run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", image.toString());
    return image;
  }

  private void mount(Path image, Path at) throws IOException, InterruptedException {
    Files.createDirectories(at);
    run("mount", "-o", "loop", image.toString(), at.toString());
    mounted.push(at);
  }

  private void unmount() throws IOException, InterruptedException {
    run("umount", mounted.peek().toString());
    mounted.pop();
  }

  static void run(String... command) throws IOException, InterruptedException {
    StringBuilder output = new StringBuilder();
    int end = end(List.of(command), output);
    if (end != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + end + ": " + output);
    }
  }

  private static int end(List<String> command) throws IOException, InterruptedException {
    return end(command, new StringBuilder());
  }

  private static int end(List<String> command, StringBuilder output)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    output.append(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(String.join(" ", command)).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    while (!mounted.isEmpty()) {
      unmount();
    }
  }
}
