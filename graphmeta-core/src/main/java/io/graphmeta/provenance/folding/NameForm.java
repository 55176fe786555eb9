package io.graphmeta.provenance.folding;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What names have in common: forms of single names, and patterns of many. Pure. */
public final class NameForm {
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");
  private static final String STAR = "*";
  private static final String GAP = "…";

  /** Programs of which the script that they run tells more than their own name. */
  private static final Set<String> INTERPRETERS =
      Set.of("python", "perl", "ruby", "Rscript", "bash", "sh", "julia", "node", "lua", "tclsh");

  private NameForm() {}

  /** A name with a star for each number in it. */
  static String of(String name) {
    return DIGITS.matcher(name).replaceAll(STAR);
  }

  /** The last part of a path. */
  public static String baseName(String path) {
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
  }

  /** The directory of a path; empty if it names none. */
  public static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : slash == 0 ? "/" : path.substring(0, slash);
  }

  /** The name of what a command line runs: its program, and of an interpreter the script too. */
  public static String program(String commandLine) {
    String[] words = commandLine.strip().split("\\s+", 12);
    String name = baseName(words[0]);
    if (!INTERPRETERS.contains(name.replaceAll("[0-9.]+$", ""))) {
      return name;
    }
    for (int i = 1; i < words.length && i < 11; i++) {
      if (!words[i].startsWith("-")) {
        return name + " " + baseName(words[i]);
      }
      if (words[i].equals("-c") || words[i].equals("-e") || words[i].equals("-m")) {
        break;
      }
    }
    return name;
  }

  /** The executable of a command line, without its path. */
  static String executable(String commandLine) {
    return baseName(commandLine.strip().split("\\s+", 2)[0]);
  }

  /** The first directories of a path, so many of them. */
  static String directories(String path, int depth) {
    int end = 0;
    for (int i = 0; i < depth; i++) {
      int slash = path.indexOf('/', end + 1);
      if (slash < 0) {
        return parent(path);
      }
      end = slash;
    }
    return path.substring(0, end);
  }

  static String suffix(String path) {
    String name = baseName(path);
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? "" : name.substring(dot);
  }

  /**
   * What paths have in common, with a star for what differs in a part and an ellipsis where they
   * have different numbers of parts, such as {@code /scratch/sweep/k*&#47;r*}. One path is its own
   * pattern.
   *
   * @param paths at least one
   */
  public static String pattern(List<String> paths) {
    List<String[]> parts = new ArrayList<>(paths.size());
    int least = Integer.MAX_VALUE;
    boolean sameLength = true;
    for (String path : paths) {
      String[] split = path.split("/", -1);
      sameLength &= parts.isEmpty() || parts.get(0).length == split.length;
      least = Math.min(least, split.length);
      parts.add(split);
    }
    int fromStart = sameLength ? least : sharedParts(parts, least, true);
    StringBuilder pattern = new StringBuilder();
    for (int i = 0; i < fromStart; i++) {
      pattern.append(i == 0 ? "" : "/").append(patternOfPart(parts, i, true));
    }
    if (sameLength) {
      return pattern.toString();
    }
    int fromEnd = Math.min(sharedParts(parts, least, false), least - fromStart);
    pattern.append(fromStart == 0 ? "" : "/").append(GAP);
    for (int i = fromEnd; i > 0; i--) {
      pattern.append('/').append(patternOfPart(parts, i, false));
    }
    return pattern.toString();
  }

  private static int sharedParts(List<String[]> parts, int most, boolean fromStart) {
    int shared = 0;
    while (shared < most) {
      String first = part(parts.get(0), fromStart ? shared : shared + 1, fromStart);
      for (String[] each : parts) {
        if (!part(each, fromStart ? shared : shared + 1, fromStart).equals(first)) {
          return shared;
        }
      }
      shared++;
    }
    return shared;
  }

  private static String part(String[] parts, int position, boolean fromStart) {
    return fromStart ? parts[position] : parts[parts.length - position];
  }

  private static String patternOfPart(List<String[]> parts, int position, boolean fromStart) {
    String prefix = part(parts.get(0), position, fromStart);
    String suffix = prefix;
    boolean differ = false;
    for (String[] each : parts) {
      String part = part(each, position, fromStart);
      differ |= !part.equals(part(parts.get(0), position, fromStart));
      int same = 0;
      while (same < Math.min(prefix.length(), part.length())
          && prefix.charAt(same) == part.charAt(same)) {
        same++;
      }
      prefix = prefix.substring(0, same);
      same = 0;
      while (same < Math.min(suffix.length(), part.length())
          && suffix.charAt(suffix.length() - 1 - same) == part.charAt(part.length() - 1 - same)) {
        same++;
      }
      suffix = suffix.substring(suffix.length() - same);
    }
    if (!differ) {
      return prefix;
    }
    int shortest =
        parts.stream().mapToInt(each -> part(each, position, fromStart).length()).min().orElse(0);
    int room = Math.max(0, shortest - prefix.length());
    return prefix + STAR + suffix.substring(suffix.length() - Math.min(room, suffix.length()));
  }
}
