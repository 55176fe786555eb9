package io.graphmeta.storage.rocksdb;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.rocksdb.CutFile.Cut;
import io.graphmeta.storage.rocksdb.CutFile.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the logs of the stores of a process agree, after a run that {@linkplain LogCuts cut} them
 * and did not end in order, before any of the stores is opened.
 *
 * <p>If the system has run since, only the process has ended: it has all that was written, and
 * brings it to disk. Otherwise each log goes back to the last cut, also where it was kept whole:
 * what was written behind may build on what another log has lost. Behind either everything is on
 * disk and each log stands for itself; so the file goes, and opening one store, which writes its
 * rows to tables, can no longer part it from the others. What is interrupted before is done again
 * by the next opening.
 *
 * <p>A store that was opened since, by a version that knows nothing of cuts, has rows that were
 * written then: nothing is cut. Stateless.
 */
public final class CutRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(CutRecovery.class);

  private CutRecovery() {}

  /**
   * Does so for a database; nothing if its last run ended in order, or took no cuts.
   *
   * @param stores the directories of all stores, by the numbers of their shards
   * @throws GraphMetaException {@code ALREADY_OPEN}, {@code CORRUPTION}, {@code STORAGE_FAILURE};
   *     the next opening goes on from there
   */
  public static void run(Path directory, List<Path> stores, RocksDbSettings settings) {
    if (!CutFile.exists(directory)) {
      return;
    }
    try (CutFile file = CutFile.open(directory)) {
      if (file != null) {
        stores.forEach(RocksDbStorage::requireNotOpen);
        Cut cut = cut(file, stores.size(), settings);
        if (cut == null || cut.place().equals(file.place()) || wereOpenedSince(cut, stores)) {
          stores.forEach(RocksDbStorage::syncClosed);
        } else {
          LOG.warn(
              "The system was started again, or the files were copied, since the shards in {} ran;"
                  + " they go back to their last cut, {}",
              directory,
              cut.number());
          file.begin(cut);
          for (int shard = 0; shard < stores.size(); shard++) {
            RocksDbStorage.cutBack(stores.get(shard), settings, cut.positions().get(shard).row());
          }
        }
        file.delete();
      }
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "Directory " + directory + " cannot be read or written: " + e + "; look after the disk",
          e);
    }
  }

  private static @Nullable Cut cut(CutFile file, int shards, RocksDbSettings settings)
      throws IOException {
    try {
      return file.newest(shards);
    } catch (GraphMetaException e) {
      if (settings.logRecovery() == RocksDbSettings.LogRecovery.REFUSE_DAMAGE) {
        throw e;
      }
      LOG.warn("Each log is taken as it is", e);
      return null;
    }
  }

  private static boolean wereOpenedSince(Cut cut, List<Path> stores) throws IOException {
    for (int shard = 0; shard < stores.size(); shard++) {
      SyncedFile.Content said = SyncedFile.read(stores.get(shard));
      long opening = cut.positions().get(shard).opening();
      if (said != null && opening != Position.ANY && said.manifest() != opening) {
        LOG.warn(
            "The store in {} was opened since its logs were cut; it is taken as it is",
            stores.get(shard));
        return true;
      }
    }
    return false;
  }
}
