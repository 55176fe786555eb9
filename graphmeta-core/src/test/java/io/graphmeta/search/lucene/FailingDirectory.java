package io.graphmeta.search.lucene;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * Files in memory, below which a process may end, or a disk be full, at each operation; and which
 * know what is left of them then, with or without power.
 */
final class FailingDirectory extends FilterDirectory {
  /** What all directories of a process share: how many operations are left to it. */
  static final class Faults {
    private int operationsLeft = Integer.MAX_VALUE;
    private String message = "";

    /** Every operation fails after so many more. */
    void failAfter(int operations, String reason) {
      operationsLeft = operations;
      message = reason;
    }

    boolean hasFailed() {
      return operationsLeft < 0;
    }

    private void step() throws IOException {
      if (operationsLeft == Integer.MAX_VALUE) {
        return;
      }
      if (operationsLeft >= 0) {
        operationsLeft--;
      }
      if (operationsLeft < 0) {
        throw new IOException(message);
      }
    }
  }

  private final Faults faults;
  private final Set<String> unfinished = new HashSet<>();
  private final Set<String> unsynced = new HashSet<>();
  private final Map<String, String> renamed = new HashMap<>();

  FailingDirectory(Directory files, Faults faults) {
    super(files);
    this.faults = faults;
  }

  /**
   * What the next process finds. Without power, what was not synced may be lost in whole or part.
   */
  Directory leftOver(Random random, boolean powerLost) throws IOException {
    ByteBuffersDirectory left = new ByteBuffersDirectory();
    for (String file : in.listAll()) {
      if (unfinished.contains(file)) {
        if (random.nextBoolean()) {
          left.createOutput(file, IOContext.DEFAULT).close();
        }
        continue;
      }
      if (powerLost && unsynced.contains(file)) {
        if (random.nextBoolean()) {
          left.createOutput(file, IOContext.DEFAULT).close();
        }
        continue;
      }
      String name = powerLost && random.nextBoolean() ? renamed.getOrDefault(file, file) : file;
      left.copyFrom(in, file, name, IOContext.DEFAULT);
    }
    return left;
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    faults.step();
    return watched(in.createOutput(name, context));
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    faults.step();
    return watched(in.createTempOutput(prefix, suffix, context));
  }

  private IndexOutput watched(IndexOutput output) {
    String name = output.getName();
    unfinished.add(name);
    unsynced.add(name);
    return new FilterIndexOutput("watched", name, output) {
      @Override
      public void writeBytes(byte[] bytes, int offset, int length) throws IOException {
        faults.step();
        out.writeBytes(bytes, offset, length);
      }

      @Override
      public void close() throws IOException {
        out.close();
        faults.step();
        unfinished.remove(name);
      }
    };
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    faults.step();
    in.sync(names);
    unsynced.removeAll(names);
  }

  @Override
  public void syncMetaData() throws IOException {
    faults.step();
    in.syncMetaData();
    renamed.clear();
  }

  @Override
  public void rename(String source, String target) throws IOException {
    faults.step();
    in.rename(source, target);
    renamed.put(target, source);
    if (unsynced.remove(source)) {
      unsynced.add(target);
    }
  }

  @Override
  public void deleteFile(String name) throws IOException {
    faults.step();
    in.deleteFile(name);
    unsynced.remove(name);
    renamed.remove(name);
  }

  @Override
  public void close() {
    // Files are there when the process has ended.
  }
}
