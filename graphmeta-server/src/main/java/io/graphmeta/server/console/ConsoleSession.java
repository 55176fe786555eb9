package io.graphmeta.server.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.tinkerpop.gremlin.console.Console;

/**
 * One run of the Gremlin Console with variables bound in it.
 *
 * <p>The console creates its plugins itself and asks them what to bind, so what it is started with
 * lies in a static place from which {@link SessionPlugin} takes it.
 */
public final class ConsoleSession {

  /** Where the console looks for {@code plugins.txt}. */
  private static final String PLUGIN_DIRECTORY = "tinkerpop.ext";

  /** The console keeps preferences there; the first use of them on a machine writes a log line. */
  private static final Logger PREFERENCES = Logger.getLogger("java.util.prefs");

  /**
   * What the console does on start.
   *
   * @param script the file to run and its arguments; empty for none
   * @param staysOpen whether the console takes input after the script
   * @param colors whether output may be coloured
   */
  public record Options(List<String> script, boolean staysOpen, boolean colors) {
    public Options {
      script = List.copyOf(script);
    }
  }

  private static volatile Map<String, Object> variables = Map.of();

  private ConsoleSession() {}

  /**
   * Runs the console, which ends the process.
   *
   * @param bound what is bound, by name
   * @param pluginDirectory directory with the {@code plugins.txt} that names the active plugins
   * @param closing is run when the process ends
   */
  public static void run(
      Map<String, Object> bound, String pluginDirectory, Options options, Runnable closing) {
    variables = Map.copyOf(bound);
    PREFERENCES.setLevel(Level.WARNING);
    System.setProperty(PLUGIN_DIRECTORY, pluginDirectory);
    Runtime.getRuntime().addShutdownHook(new Thread(closing, "graphmeta-console-close"));
    Console.main(arguments(options));
  }

  private static String[] arguments(Options options) {
    List<String> arguments = new ArrayList<>();
    if (!options.colors()) {
      arguments.add("-C");
    }
    if (!options.script().isEmpty()) {
      arguments.add(options.staysOpen() ? "-i" : "-e");
      arguments.addAll(options.script());
    }
    return arguments.toArray(String[]::new);
  }

  static Map<String, Object> variables() {
    return variables;
  }
}
