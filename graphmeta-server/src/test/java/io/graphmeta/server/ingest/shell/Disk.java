package io.graphmeta.server.ingest.shell;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of a simulated machine, in which each byte knows who wrote it: the exact truth.
 *
 * <p>Truth has two sides. What an answer <em>must</em> hold are the versions of which bytes were
 * there. What it <em>may</em> hold besides are versions that were opened and left no byte.
 */
final class Disk {
  /** A process that ran. */
  static final class Run {
    final long pid;
    final String kind;
    final long beginMicros;
    final List<Read> reads = new ArrayList<>();

    Run(long pid, String kind, long beginMicros) {
      this.pid = pid;
      this.kind = kind;
      this.beginMicros = beginMicros;
    }

    @Override
    public String toString() {
      return kind + "-" + pid;
    }
  }

  /**
   * A version as the record can name it: what one process had open for writing, under a path. All
   * openings of one process are one.
   */
  record Label(String path, long pid) {}

  /** What was truly written between one opening and its closing. */
  static final class Version {
    final Label label;
    final Run writer;
    final boolean appended;

    /** How the bytes are recorded: counted exactly, or not at all, or about. */
    final boolean counted;

    /** Where the bytes were taken over from, of a version that a rename made. */
    @Nullable Content taken;

    /** What an append was added to. */
    @Nullable Content before;

    long openedMicros;

    /** The last moment at which the writer can have put into it what it had read. */
    long lastMicros;

    Version(Label label, Run writer, boolean appended, boolean counted) {
      this.label = label;
      this.writer = writer;
      this.appended = appended;
      this.counted = counted;
    }

    @Override
    public String toString() {
      return label + (appended ? " >>" : " >") + (counted ? "" : "?");
    }
  }

  private record Piece(Version version, long bytes) {}

  /** What a file held at a moment. Immutable. */
  record Content(List<Version> must, Set<Version> may, long bytes) {
    /** What was written after a version. */
    List<Version> after(Version version) {
      return must.subList(must.indexOf(version) + 1, must.size());
    }
  }

  /** That a process read a file. */
  record Read(String path, Content content, long atMicros, boolean counted) {}

  /** A file, by whatever name. */
  static final class Inode {
    private final List<Piece> pieces = new ArrayList<>();
    private final Set<Version> touched = new LinkedHashSet<>();

    long bytes() {
      return pieces.stream().mapToLong(Piece::bytes).sum();
    }

    Content content() {
      Set<Version> must = new LinkedHashSet<>();
      pieces.stream().filter(piece -> piece.bytes > 0).forEach(piece -> must.add(piece.version));
      return new Content(List.copyOf(must), Set.copyOf(touched), bytes());
    }

    void write(Version version, long bytes, long atMicros) {
      pieces.add(new Piece(version, bytes));
      version.lastMicros = Math.max(version.lastMicros, atMicros);
    }

    private void cut() {
      pieces.clear();
      touched.clear();
    }
  }

  private final Map<String, Inode> names = new TreeMap<>();
  final Map<Long, Run> runs = new LinkedHashMap<>();
  final List<Version> versions = new ArrayList<>();

  /** When paths were freed. */
  final Map<String, List<Long>> removals = new LinkedHashMap<>();

  /** What {@code mv} would have made, had there been a source: no log tells that it failed. */
  final Set<Label> failedRenames = new LinkedHashSet<>();

  Run run(long pid, String kind, long beginMicros) {
    Run run = new Run(pid, kind, beginMicros);
    runs.put(pid, run);
    return run;
  }

  @Nullable Inode inode(String path) {
    return names.get(path);
  }

  /** Opens for writing; an append keeps what is there. */
  Inode open(String path, Version version, long atMicros) {
    version.openedMicros = atMicros;
    Inode inode = names.computeIfAbsent(path, key -> new Inode());
    if (version.appended) {
      version.before = inode.content();
    } else {
      inode.cut();
    }
    inode.touched.add(version);
    versions.add(version);
    return inode;
  }

  boolean exists(String path) {
    return names.containsKey(path);
  }

  List<String> paths() {
    return List.copyOf(names.keySet());
  }

  Content content(String path) {
    Inode inode = names.get(path);
    return inode == null ? new Content(List.of(), Set.of(), 0) : inode.content();
  }

  /** Makes a version under the new name. */
  void rename(String source, String target, Run mover, long atMicros) {
    Inode inode = names.remove(source);
    if (inode == null) {
      failedRenames.add(new Label(target, mover.pid));
      return;
    }
    Version version = new Version(new Label(target, mover.pid), mover, false, false);
    version.taken = inode.content();
    version.openedMicros = atMicros;
    version.lastMicros = atMicros;
    removals.computeIfAbsent(source, key -> new ArrayList<>()).add(atMicros);
    long bytes = inode.bytes();
    Inode moved = new Inode();
    moved.touched.add(version);
    moved.pieces.add(new Piece(version, bytes));
    names.put(target, moved);
    versions.add(version);
  }

  void remove(String path, long atMicros) {
    names.remove(path);
    removals.computeIfAbsent(path, key -> new ArrayList<>()).add(atMicros);
  }
}
