package io.graphmeta.backup;

import io.graphmeta.transfer.FileEntry;
import io.graphmeta.transfer.Pace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Port: the files of the stores of all shards, which nobody changes while they are backed up. Used
 * by one thread.
 */
public interface BackedUpStores {
  /** How many shards there are. */
  int shards();

  /**
   * Asks for the files of a shard and hands each of them over, until all are from one checkpoint of
   * it.
   */
  void read(int shard, Receiver receiver) throws IOException;

  /** Receives the files of a shard. */
  interface Receiver {
    /** What comes now is of another checkpoint than what came of this shard before. */
    void begin();

    /** A file; opened only if its bytes are not known. */
    void file(FileEntry file, Content content) throws IOException;
  }

  /** The bytes of a file. */
  interface Content {
    /** Reads them from the beginning. Who opens it closes it. */
    InputStream open() throws IOException;

    /**
     * What they are, if that can be found out with less effort than to read them; else null. Asked
     * for if it may be that they are stored already.
     */
    @Nullable FileDigest digest();
  }

  /**
   * Stores in directories of this machine.
   *
   * @param directories those of all shards, in their order
   * @param pace how fast they are read
   */
  static BackedUpStores in(List<Path> directories, Pace pace) {
    return new BackedUpStores() {
      @Override
      public int shards() {
        return directories.size();
      }

      @Override
      public void read(int shard, Receiver receiver) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> entries = Files.list(directories.get(shard))) {
          entries.filter(Files::isRegularFile).sorted().forEach(files::add);
        }
        receiver.begin();
        for (Path file : files) {
          receiver.file(FileEntry.of(file), new LocalContent(file, pace));
        }
      }
    };
  }

  /** A file of this machine. */
  record LocalContent(Path file, Pace pace) implements Content {
    @Override
    public InputStream open() throws IOException {
      return pace.of(Files.newInputStream(file));
    }

    @Override
    public @Nullable FileDigest digest() {
      return null;
    }
  }
}
