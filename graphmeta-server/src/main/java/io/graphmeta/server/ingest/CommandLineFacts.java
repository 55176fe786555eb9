package io.graphmeta.server.ingest;

import io.graphmeta.provenance.RecordRules;
import java.util.ArrayList;
import java.util.List;

/**
 * What the command line of {@code mv} and {@code rm} tells of renames and deletions, which no log
 * counts. Only what is plain is taken: quotes are lost, so a word may be half a name; and a working
 * directory is not recorded, so only absolute paths are known. Pure.
 *
 * @param renames pairs of source and target, as given: the target may be a directory
 * @param deleted paths deleted
 * @param recursive whether the deleted paths may be directories
 */
record CommandLineFacts(List<Rename> renames, List<String> deleted, boolean recursive) {
  private static final CommandLineFacts NONE = new CommandLineFacts(List.of(), List.of(), false);

  record Rename(String source, String target) {}

  static CommandLineFacts of(String commandLine) {
    String[] words = commandLine.strip().split("\\s+");
    return switch (RecordRules.baseName(words[0])) {
      case "mv" -> move(words);
      case "rm", "unlink" -> delete(words);
      default -> NONE;
    };
  }

  private static CommandLineFacts move(String[] words) {
    List<String> operands = new ArrayList<>();
    for (int i = 1; i < words.length; i++) {
      if (words[i].startsWith("-t") || words[i].startsWith("--target")) {
        return NONE;
      }
      if (!words[i].startsWith("-")) {
        operands.add(words[i]);
      }
    }
    if (operands.size() != 2 || !isPlain(operands.get(0)) || !isPlain(operands.get(1))) {
      return NONE;
    }
    String source = FilePaths.normalized(operands.get(0));
    String target = FilePaths.normalized(operands.get(1));
    if (operands.get(1).endsWith("/")) {
      target = inDirectory(target, source);
    }
    return new CommandLineFacts(List.of(new Rename(source, target)), List.of(), false);
  }

  /** The path of a file moved into a directory. */
  static String inDirectory(String directory, String source) {
    return (directory.equals("/") ? "" : directory) + "/" + RecordRules.baseName(source);
  }

  private static CommandLineFacts delete(String[] words) {
    List<String> deleted = new ArrayList<>();
    boolean recursive = false;
    boolean options = true;
    for (int i = 1; i < words.length; i++) {
      String word = words[i];
      if (options && word.startsWith("-")) {
        options = !word.equals("--");
        recursive |=
            word.equals("--recursive") || (!word.startsWith("--") && word.matches("-.*[rR].*"));
      } else if (isPlain(word)) {
        deleted.add(FilePaths.normalized(word));
      }
    }
    return new CommandLineFacts(List.of(), List.copyOf(deleted), recursive);
  }

  private static boolean isPlain(String word) {
    return FilePaths.isAbsolute(word) && word.chars().noneMatch(c -> "*?[\"'\\".indexOf(c) >= 0);
  }
}
