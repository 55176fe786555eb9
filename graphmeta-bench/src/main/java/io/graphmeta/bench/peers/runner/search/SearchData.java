package io.graphmeta.bench.peers.runner.search;

/**
 * Files of a centre with their changes, and command lines of processes, all made of numbers: the
 * same for every subject. A file has two changes in the mean, one in ten thousand a thousand and
 * more. Immutable.
 *
 * @param files how many files there are; a fifth as many processes
 */
public record SearchData(int files) {
  /** Above every size, in bytes. */
  public static final long MAX_SIZE_BYTES = 1L << 40;

  private static final int OWNERS = 500;
  private static final int FILES_PER_RUN = 64;
  private static final int FILES_PER_PROJECT = 16_384;
  private static final int FILES_PER_HOT_FILE = 10_000;

  /** Of so many changes one is that of a file with many. */
  private static final int CHANGES_PER_HOT_CHANGE = 20;

  /** Number of processes. */
  public int processes() {
    return Math.max(1, files / 5);
  }

  /** Number of changes of files. */
  public int changes() {
    return 2 * files;
  }

  /** The directory of the run that made a file, with the separator at its end. */
  public String directory(int file) {
    return "/gpfs/projects/climate"
        + file / FILES_PER_PROJECT
        + "/run-2026-"
        + file / FILES_PER_RUN
        + "/output/";
  }

  /** The path of a file. No other file has it. */
  public String path(int file) {
    return directory(file) + "member_" + Integer.toHexString((int) mixed(file)) + '/' + name(file);
  }

  /** The name of a file. */
  public String name(int file) {
    return "tas_day_" + file + ".nc";
  }

  /** The owner of a file. */
  public String owner(int file) {
    return "u" + mixed(file ^ 0x5EEDL << 40) % OWNERS;
  }

  /** The size of a new file, in bytes. */
  public long size(int file) {
    return mixed(~(long) file) % MAX_SIZE_BYTES;
  }

  /** The state of a new file. */
  public String state(int file) {
    return mixed(file) % 100 == 0 ? "open" : "closed";
  }

  /** The command line of a process. No other process has its case. */
  public String commandLine(int process) {
    return "srun -N "
        + (1 + mixed(process) % 512)
        + " --ntasks-per-node=32 ./wrf.exe --config=model_"
        + process % 97
        + ".cfg --label "
        + word(process);
  }

  /** The word that tells a command line from all others. */
  public String word(int process) {
    return "case" + process;
  }

  /** The file that a change is of. */
  public int changed(int change) {
    return change % CHANGES_PER_HOT_CHANGE == 0
        ? change / CHANGES_PER_HOT_CHANGE % Math.max(1, files / FILES_PER_HOT_FILE)
        : (int) (mixed(change * 31L + 7) % files);
  }

  /** The size of the file from a change on, in bytes. */
  public long newSize(int change) {
    return mixed(change * 17L + 3) % MAX_SIZE_BYTES;
  }

  /** The state of the file from a change on. */
  public String newState(int change) {
    return mixed(change * 13L + 5) % 10 == 0 ? "open" : "closed";
  }

  /** A number that follows no order (the finalizer of SplitMix64), without the sign. */
  private static long mixed(long number) {
    long z = number + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return (z ^ z >>> 31) & Long.MAX_VALUE;
  }
}
