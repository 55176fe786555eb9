package io.graphmeta.backup;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the backups of a target, which may be read-only, or written meanwhile. Belongs to one
 * thread.
 */
public final class BackupReader {
  private final TargetLayout target;
  private final FileOperations operations;

  /**
   * Reads a target.
   *
   * @param operations to write what is copied out of it
   * @throws GraphMetaException {@code NOT_FOUND} if it is none
   */
  public BackupReader(Path directory, FileOperations operations) {
    this.target = new TargetLayout(directory.toAbsolutePath().normalize());
    this.operations = operations;
    target.requireTarget();
  }

  /** Receives what is found out about backups. */
  public interface Findings {
    /** A backup of which nothing is wrong so far. */
    void backup(BackupSummary backup);

    /** Something that is damaged or missing, with the name of the file. */
    void fault(String what);
  }

  /** Tells of all backups, in the order of their moments, and of manifests that are damaged. */
  public void list(Findings findings) {
    try {
      for (Path file : target.manifests()) {
        BackupManifest manifest = readOrReport(file, findings);
        if (manifest != null) {
          findings.backup(BackupSummary.of(manifest, 0, 0));
        }
      }
    } catch (IOException e) {
      throw TargetErrors.unreadable(target.root(), e);
    }
  }

  private static @Nullable BackupManifest readOrReport(Path file, Findings findings)
      throws IOException {
    try {
      return BackupManifest.read(file);
    } catch (GraphMetaException e) {
      findings.fault(String.valueOf(e.getMessage()));
      return null;
    }
  }

  /**
   * Reads every byte of one backup, or of all, and compares it with what was written.
   *
   * @param name null for all
   * @param progress is told the number of bytes read so far
   */
  public void verify(@Nullable String name, Findings findings, LongConsumer progress) {
    try {
      Set<String> whole = new HashSet<>();
      Set<String> faulty = new HashSet<>();
      long read = 0;
      for (Path file : name == null ? target.manifests() : List.of(existing(name))) {
        BackupManifest manifest = readOrReport(file, findings);
        if (manifest == null) {
          continue;
        }
        boolean clean = true;
        for (StoredFile each : manifest.files()) {
          String sha256 = each.digest().sha256();
          if (!whole.contains(sha256) && !faulty.contains(sha256)) {
            String fault = fault(each);
            (fault == null ? whole : faulty).add(sha256);
            if (fault != null) {
              findings.fault(fault);
            }
            read += each.digest().bytes();
            progress.accept(read);
          }
          clean &= whole.contains(sha256);
        }
        if (clean) {
          findings.backup(BackupSummary.of(manifest, 0, 0));
        }
      }
    } catch (IOException e) {
      throw TargetErrors.unreadable(target.root(), e);
    }
  }

  private @Nullable String fault(StoredFile file) throws IOException {
    Path stored = target.file(file.digest().sha256());
    try {
      return FileDigest.of(stored).equals(file.digest())
          ? null
          : TargetErrors.damaged(stored, file);
    } catch (NoSuchFileException e) {
      return TargetErrors.missing(stored, file);
    }
  }

  private Path existing(String name) {
    Path file = target.manifest(name);
    if (name.contains("/") || !Files.exists(file)) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "There is no backup '"
              + name
              + "' in "
              + target.root()
              + "; see 'graphmeta backup list "
              + target.root()
              + "'");
    }
    return file;
  }

  /**
   * A backup to be restored.
   *
   * @param name null for the newest
   * @throws GraphMetaException {@code NOT_FOUND} if there is none, {@code CORRUPTION} if its
   *     manifest is damaged
   */
  public BackupSummary find(@Nullable String name) {
    try {
      return BackupSummary.of(manifest(name), 0, 0);
    } catch (IOException e) {
      throw TargetErrors.unreadable(target.root(), e);
    }
  }

  private BackupManifest manifest(@Nullable String name) throws IOException {
    List<Path> all = new ArrayList<>(target.manifests());
    if (name == null && all.isEmpty()) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND, "No backup in " + target.root() + " was ever completed");
    }
    return BackupManifest.read(name == null ? all.get(all.size() - 1) : existing(name));
  }

  /**
   * Copies the files of a backup, each of which is compared with what was written.
   *
   * @param stores the directories of the stores by shards, which are made
   * @param progress is told the number of bytes copied so far
   * @throws GraphMetaException {@code CORRUPTION} that names the file, if one is damaged or missing
   */
  public void copyTo(String name, IntFunction<Path> stores, LongConsumer progress) {
    try {
      BackupManifest manifest = manifest(name);
      long copied = 0;
      for (StoredFile file : manifest.files()) {
        Path store = stores.apply(file.shard());
        operations.createDirectories(store);
        copy(file, store);
        copied += file.digest().bytes();
        progress.accept(copied);
      }
      for (int shard = 0; shard < manifest.database().shards(); shard++) {
        operations.syncDirectory(stores.apply(shard));
      }
    } catch (IOException e) {
      throw TargetErrors.unreadable(target.root(), e);
    }
  }

  private void copy(StoredFile file, Path store) throws IOException {
    Path stored = target.file(file.digest().sha256());
    Path to = store.resolve(file.name()).normalize();
    if (!store.equals(to.getParent())) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION, "'" + file.name() + "' is no name of a file of a store");
    }
    try (InputStream in = Files.newInputStream(stored)) {
      if (!operations.copy(in, to).equals(file.digest())) {
        throw new GraphMetaException(ErrorCode.CORRUPTION, TargetErrors.damaged(stored, file));
      }
    } catch (NoSuchFileException e) {
      throw new GraphMetaException(ErrorCode.CORRUPTION, TargetErrors.missing(stored, file), e);
    }
  }
}
