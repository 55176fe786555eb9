package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link CrashWriter} in a process of its own, and what it has acknowledged so far. */
final class WriterProcess implements AutoCloseable {
  private final Process process;
  private final Thread reader;
  private final String run;

  /** Guarded by itself. */
  private final List<String> acknowledged = new ArrayList<>();

  private boolean ended;

  private WriterProcess(Process process, String run) {
    this.process = process;
    this.run = run;
    this.reader = new Thread(this::read, "acknowledged");
    reader.start();
  }

  /**
   * Starts a writer.
   *
   * @param settings as {@code name=value}
   */
  static WriterProcess start(Path database, String run, List<String> settings) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                CrashWriter.class.getName(),
                database.toString(),
                run));
    command.addAll(settings);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new WriterProcess(process, run);
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        // A line that was cut off by the end of the process is no acknowledgement.
        if (line.matches(run + "-\\d+-\\d+")) {
          synchronized (acknowledged) {
            acknowledged.add(line);
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

  @Override
  public void close() {
    process.toHandle().destroyForcibly();
  }
}
