package io.graphmeta.server.cli.output;

import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Errors as one line on standard error, and the exit code that goes with them. */
public final class Failures {
  private static final Pattern THROWN =
      Pattern.compile("\\b(?:[a-z]\\w*\\.)+[\\w$]*(?:Exception|Error)(?:: |\\b)");
  private static final Pattern CONVERTED =
      Pattern.compile("(?<=cannot convert '.{0,200}') to (?:class )?(?:[a-z]\\w*\\.)+[A-Z]\\w*");

  private Failures() {}

  /** Tells that a command line is not understood; its exit code. */
  public static int usage(CommandLine.ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("graphmeta: " + withoutClasses(oneLine(e.getMessage())));
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  /** Tells that a command failed; its exit code. */
  public static int execution(Exception e, CommandLine command, boolean verbose) {
    report(command.getErr(), e);
    if (verbose) {
      command.getErr().flush();
      LoggerFactory.getLogger(Failures.class).error("Where it came from:", e);
    }
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  /** Prints what went wrong. */
  public static void report(PrintWriter err, Exception e) {
    err.println("graphmeta: " + message(e));
  }

  private static String message(Exception e) {
    if (e instanceof NoSuchFileException missing) {
      return "There is no file or directory " + missing.getFile();
    }
    if (e instanceof AccessDeniedException denied) {
      return "No permission for " + denied.getFile();
    }
    if (e instanceof FileAlreadyExistsException there) {
      return there.getFile() + " is there already, and is no directory";
    }
    if (e instanceof NotDirectoryException file) {
      return file.getFile() + " is no directory";
    }
    String text = withoutClasses(oneLine(e.getMessage()));
    return text.isEmpty()
        ? "It failed, and nothing says why ("
            + e.getClass().getSimpleName()
            + "); --verbose shows where"
        : text;
  }

  /**
   * A message without the names that libraries set before it: what Java calls an error helps
   * nobody.
   */
  private static String withoutClasses(String text) {
    return CONVERTED.matcher(THROWN.matcher(text).replaceAll("")).replaceAll("");
  }

  /** A text without its line breaks; empty for none. */
  public static String oneLine(@Nullable String text) {
    return text == null ? "" : text.strip().replaceAll("\\s*[\\r\\n]+\\s*", " ");
  }
}
