package io.graphmeta.backup;

import java.time.Instant;

/**
 * A backup in numbers.
 *
 * @param name of the backup among those of its target
 * @param database what it is of
 * @param taken when it was taken, by the clock of the machine
 * @param files number of its files
 * @param bytes size of its files
 * @param newFiles how many of them the target did not have before, counted when it was taken; 0
 *     later
 * @param newBytes their size
 */
public record BackupSummary(
    String name,
    BackedUpDatabase database,
    Instant taken,
    int files,
    long bytes,
    int newFiles,
    long newBytes) {
  static BackupSummary of(BackupManifest manifest, int newFiles, long newBytes) {
    return new BackupSummary(
        manifest.name(),
        manifest.database(),
        manifest.taken(),
        manifest.files().size(),
        manifest.bytes(),
        newFiles,
        newBytes);
  }
}
