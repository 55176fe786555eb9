package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A writer in a process of its own, and the lines that it has written so far. */
final class WriterProcess implements AutoCloseable {
  private final Process process;
  private final Thread reader;
  private final Pattern line;

  /** Guarded by itself. */
  private final List<String> acknowledged = new ArrayList<>();

  private boolean ended;

  private WriterProcess(Process process, Pattern line) {
    this.process = process;
    this.line = line;
    this.reader = new Thread(this::read, "acknowledged");
    reader.start();
  }

  /**
   * Starts a {@link CrashWriter}, whose lines are acknowledgements.
   *
   * @param settings as {@code name=value}
   */
  static WriterProcess start(Path database, String run, List<String> settings) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(database.toString(), run));
    arguments.addAll(settings);
    return start(CrashWriter.class, arguments, Pattern.compile(run + "-\\d+-\\d+"));
  }

  /**
   * Starts a program.
   *
   * @param whole what a line is like that was not cut off by the end of the process
   */
  static WriterProcess start(Class<?> program, List<String> arguments, Pattern whole)
      throws IOException {
    return start(program, List.of(), arguments, whole);
  }

  /**
   * As above.
   *
   * @param options more options of Java
   */
  static WriterProcess start(
      Class<?> program, List<String> options, List<String> arguments, Pattern whole)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new WriterProcess(process, whole);
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String next = output.readLine(); next != null; next = output.readLine()) {
        if (line.matcher(next).matches()) {
          synchronized (acknowledged) {
            acknowledged.add(next);
            acknowledged.notifyAll();
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } finally {
      synchronized (acknowledged) {
        ended = true;
        acknowledged.notifyAll();
      }
    }
  }

  /** Waits for so many acknowledgements and returns all that have come. */
  List<String> await(int enough) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    synchronized (acknowledged) {
      while (acknowledged.size() < enough) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        assertThat(left).as("milliseconds left for " + enough + " transactions").isPositive();
        assertThat(ended).as("the writer has ended by itself").isFalse();
        acknowledged.wait(left);
      }
      return List.copyOf(acknowledged);
    }
  }

  /** Kills the process with SIGKILL and returns all that it acknowledged. */
  List<String> kill() throws InterruptedException {
    // By its handle, which leaves what it acknowledged before in the pipe to be read.
    process.toHandle().destroyForcibly();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    reader.join();
    return List.copyOf(acknowledged);
  }

  /** Waits until the process has ended by itself, and returns all its lines. */
  List<String> awaitEnd(int exitCode, int seconds) throws InterruptedException {
    assertThat(process.waitFor(seconds, TimeUnit.SECONDS)).as("the writer has ended").isTrue();
    assertThat(process.exitValue()).as("exit code of the writer").isEqualTo(exitCode);
    reader.join();
    return List.copyOf(acknowledged);
  }

  @Override
  public void close() {
    process.toHandle().destroyForcibly();
  }
}
