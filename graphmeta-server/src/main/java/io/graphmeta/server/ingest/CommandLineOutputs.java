package io.graphmeta.server.ingest;

import io.graphmeta.provenance.Evidence;
import io.graphmeta.provenance.RecordRules;
import java.util.ArrayList;
import java.util.List;

/**
 * The files that the command line of {@code cp} or {@code tee} names as output. A log may show them
 * as opened only, like those that are read: bytes are copied inside the kernel or through unlocked
 * streams, and no mode is given for a file that is there. Pure.
 *
 * @param evidence how a file is known to be written that the log shows as opened only
 * @param appended whether what was there is kept
 * @param targets operands that are written
 * @param sources operands that are read
 */
record CommandLineOutputs(
    Evidence evidence, boolean appended, List<String> targets, List<String> sources) {
  private static final CommandLineOutputs NONE =
      new CommandLineOutputs(Evidence.OPENED, false, List.of(), List.of());

  static CommandLineOutputs of(String commandLine) {
    String[] words = commandLine.strip().split("\\s+");
    List<String> options = new ArrayList<>();
    List<String> operands = new ArrayList<>();
    for (int i = 1; i < words.length; i++) {
      (words[i].startsWith("-") ? options : operands).add(words[i]);
    }
    return switch (RecordRules.baseName(words[0])) {
      case "tee" -> tee(options, operands);
      case "cp" -> copy(options, operands);
      default -> NONE;
    };
  }

  private static CommandLineOutputs tee(List<String> options, List<String> operands) {
    boolean append =
        options.stream().anyMatch(each -> each.equals("--append") || each.matches("-[a-z]*a.*"));
    return new CommandLineOutputs(Evidence.PIPED, append, List.copyOf(operands), List.of());
  }

  private static CommandLineOutputs copy(List<String> options, List<String> operands) {
    boolean otherwise =
        options.stream().anyMatch(each -> each.startsWith("-t") || each.startsWith("--target"));
    if (otherwise
        || operands.size() < 2
        || operands.stream().anyMatch(each -> each.contains(".."))) {
      return NONE;
    }
    String target = operands.get(operands.size() - 1);
    List<String> sources = List.copyOf(operands.subList(0, operands.size() - 1));
    List<String> targets = new ArrayList<>(List.of(target));
    sources.forEach(source -> targets.add(CommandLineFacts.inDirectory(target, source)));
    return new CommandLineOutputs(Evidence.COPIED, false, List.copyOf(targets), sources);
  }

  /** Whether a path of the log is an output: the operand that says most of it tells. */
  boolean isWritten(String path) {
    return mostOf(path, targets) > mostOf(path, sources);
  }

  private static int mostOf(String path, List<String> operands) {
    return operands.stream()
        .map(FilePaths::normalized)
        .map(each -> each.startsWith("./") ? each.substring(2) : each)
        .filter(each -> FilePaths.isAbsolute(each) ? path.equals(each) : path.endsWith("/" + each))
        .mapToInt(String::length)
        .max()
        .orElse(0);
  }
}
