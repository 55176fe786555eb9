package io.graphmeta.bench.peers.runner;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What the process of a subject does all the time: it takes a command a line from standard input
 * and answers each with a line on standard output, fields separated by tabulators, until {@code
 * quit} or the end of the input. A failure is answered by {@code failed} and what went wrong. What
 * libraries print goes to standard error. One thread.
 */
public final class CommandLoop {
  private final PrintStream replies;

  /** Takes standard output for the replies, before a library prints something. */
  public CommandLoop() {
    replies = System.out;
    System.setOut(System.err);
  }

  /** Does what commands say. */
  @FunctionalInterface
  public interface Commands {
    /** The reply to a command: {@code ok}, and what more there is to say. */
    String reply(String command) throws Exception;
  }

  /** Serves commands, and then ends the process: threads of libraries may still run. */
  public void serve(Commands commands) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals("quit")) {
        break;
      }
      replies.println(reply(commands, line));
      replies.flush();
    }
    System.exit(0);
  }

  private static String reply(Commands commands, String command) {
    try {
      return commands.reply(command);
    } catch (Exception | StackOverflowError | OutOfMemoryError | LinkageError e) {
      StringBuilder causes = new StringBuilder();
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        causes.append(causes.isEmpty() ? "" : ", caused by ").append(cause);
        Arrays.stream(cause.getStackTrace())
            .limit(5)
            .forEach(at -> causes.append(" < ").append(at));
      }
      return "failed\t" + causes.toString().replaceAll("\\s+", " ");
    }
  }
}
