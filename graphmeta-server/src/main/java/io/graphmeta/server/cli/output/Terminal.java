package io.graphmeta.server.cli.output;

import io.graphmeta.server.table.TextTable;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What the program may show to a person: colours, tables that fit and a progress bar on a terminal,
 * plain text elsewhere.
 */
public final class Terminal {
  /**
   * Which of "out" and "err" are terminals: the launcher knows, and Java only for both together.
   */
  private static final String PROPERTY = "graphmeta.terminal";

  private static final int USUAL_WIDTH = 80;
  private static final int LIMIT_MILLIS = 500;

  private final boolean colours;
  private final boolean bar;

  private Terminal(boolean colours, boolean bar) {
    this.colours = colours;
    this.bar = bar;
  }

  /**
   * The terminal that the program runs on, if it does; {@code NO_COLOR} and {@code TERM=dumb} make
   * it plain.
   */
  public static Terminal detect() {
    boolean plain = System.getenv("NO_COLOR") != null || "dumb".equals(System.getenv("TERM"));
    return new Terminal(!plain && isTerminal("out"), !plain && isTerminal("err"));
  }

  /** As {@link #detect()}, for a command that may have been told to be quiet. */
  public static Terminal detect(CommandSpec spec) {
    Terminal terminal = detect();
    return new Terminal(terminal.colours, terminal.bar && !isQuiet(spec));
  }

  /** Never a terminal. */
  public static Terminal plain() {
    return new Terminal(false, false);
  }

  /** Whether a command was told to show no progress and no summary. */
  public static boolean isQuiet(CommandSpec spec) {
    OptionSpec option = spec.root().findOption("--quiet");
    return option != null && Boolean.TRUE.equals(option.getValue());
  }

  private static boolean isTerminal(String stream) {
    String known = System.getProperty(PROPERTY);
    return known == null ? System.console() != null : List.of(known.split(",")).contains(stream);
  }

  /** Whether text can be told from other text by how it looks. */
  public boolean hasColours() {
    return colours;
  }

  /** Stressed. */
  public String bold(String text) {
    return coloured("1", text);
  }

  /** Less bright. */
  public String dim(String text) {
    return coloured("2", text);
  }

  /** In colour. */
  public String highlight(String text) {
    return coloured("36", text);
  }

  private String coloured(String code, String text) {
    return colours ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  /** How many columns standard output has; no limit where it is no terminal. */
  public static int width() {
    return isTerminal("out") ? terminalWidth() : TextTable.UNLIMITED;
  }

  private static int terminalWidth() {
    @Nullable String columns = System.getenv("COLUMNS");
    if (columns != null && columns.matches("[1-9][0-9]{0,4}")) {
      return Integer.parseInt(columns);
    }
    try {
      Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty")).start();
      if (!stty.waitFor(LIMIT_MILLIS, TimeUnit.MILLISECONDS)) {
        stty.destroyForcibly();
        return USUAL_WIDTH;
      }
      String[] size =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
              .strip()
              .split(" ");
      return size.length == 2 && size[1].matches("[1-9][0-9]{0,4}")
          ? Integer.parseInt(size[1])
          : USUAL_WIDTH;
    } catch (IOException e) {
      return USUAL_WIDTH;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return USUAL_WIDTH;
    }
  }

  /**
   * A progress bar on standard error; nothing where there is no terminal, but for the line that
   * says how far an interrupted work has come.
   */
  public Progress progress(PrintWriter err, String what, long total) {
    return new Progress(err, bar ? terminalWidth() : 0, what, total);
  }

  /**
   * As {@link #progress(PrintWriter, String, long)}.
   *
   * @param after what holds if the work is interrupted, and how to go on
   */
  public Progress progress(PrintWriter err, String what, long total, String after) {
    return new Progress(err, bar ? terminalWidth() : 0, what, total, after);
  }
}
