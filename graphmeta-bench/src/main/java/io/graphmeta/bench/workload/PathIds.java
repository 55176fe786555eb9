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
    StringBuilder id = new StringBuilder(48);
    append(id, "/scratch/project", directory / DIRECTORIES_PER_PROJECT, 1_000);
    append(id, "/run", directory % DIRECTORIES_PER_PROJECT, 10_000);
    append(id, "/output/rank", number % FILES_PER_DIRECTORY, 100);
    return id.append(".h5").toString();
  }

  /** Appends a text and a number with as many digits as the unit of the first one has, or more. */
  private static void append(StringBuilder id, String text, int number, int unit) {
    id.append(text);
    for (int left = unit; left > Math.max(1, number); left /= 10) {
      id.append('0');
    }
    id.append(number);
  }
}
