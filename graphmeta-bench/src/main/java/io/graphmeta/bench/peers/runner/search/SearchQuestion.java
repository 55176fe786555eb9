package io.graphmeta.bench.peers.runner.search;

/** What is asked of each subject, about a file or process of a number. */
public enum SearchQuestion {
  /** Files with a name. */
  EXACT,
  /** Files whose paths begin with that of a directory. */
  PREFIX,
  /** Files whose paths contain a text. */
  FRAGMENT,
  /** Files in whose paths a regular expression is found. */
  REGEX,
  /** Processes whose command line has a word. */
  WORD,
  /** Of the files that are larger than so many bytes the hundred largest, the largest first. */
  LARGEST,
  /** Files of an owner, in a state, that are larger than so many bytes. */
  THREE,
  /** How many files an owner has. */
  COUNT;

  /** How many of {@link #LARGEST} are wanted. */
  public static final int MOST = 100;

  /** The size above which files are large, in bytes: about one file in a hundred is. */
  public static long largeBytes(int number) {
    return SearchData.MAX_SIZE_BYTES - SearchData.MAX_SIZE_BYTES / 100 - number % 1_000;
  }

  /** The size above which about half of the files are. */
  public static long halfBytes() {
    return SearchData.MAX_SIZE_BYTES / 2;
  }

  /** The text that is asked for in {@link #FRAGMENT}. */
  public static String fragment(int number) {
    return "day_" + number + ".";
  }

  /** The expression of {@link #REGEX}, to be found anywhere. */
  public static String regex(int number) {
    return "member_[0-9a-f]+/tas_day_" + number + "\\.nc";
  }
}
