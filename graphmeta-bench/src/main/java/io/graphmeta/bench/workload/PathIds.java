package io.graphmeta.bench.workload;

/**
 * Ids as a file system makes them: absolute paths, in the order in which jobs create them.
 * Stateless.
 */
public final class PathIds {
  private static final int FILES_PER_DIRECTORY = 64;
  private static final int DIRECTORIES_PER_PROJECT = 256;

  private PathIds() {}

  /** The id of the file created as the given one, from 0. Distinct for distinct numbers. */
  public static String of(int number) {
    int directory = number / FILES_PER_DIRECTORY;
    return String.format(
        "/scratch/project%04d/run%05d/output/rank%03d.h5",
        directory / DIRECTORIES_PER_PROJECT,
        directory % DIRECTORIES_PER_PROJECT,
        number % FILES_PER_DIRECTORY);
  }
}
