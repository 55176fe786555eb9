package io.graphmeta.bench.peers.runner.everyday;

import io.graphmeta.bench.peers.runner.CommandLoop;
import io.graphmeta.bench.peers.runner.GraphFile;
import io.graphmeta.bench.peers.runner.Provider;
import java.nio.file.Path;

/**
 * The process of one subject that does one workload. Arguments: the class of a {@link Provider} or
 * an {@link EverydayGraph}, the graph file, the directory of the graph, the workload. The commands:
 *
 * <ul>
 *   <li>{@code fill}: make the directory with what the workload begins with; {@code ok}
 *   <li>{@code open}: the graph; {@code ok}
 *   <li>{@code close}: the graph; {@code ok}, where it lies
 *   <li>{@code run MILLIS}: do it for so long, at least once; {@code ok}, how much was done, the
 *       nanoseconds by the clock and of the processors, the bytes that all threads allocated
 *   <li>{@code check}: compare what is there with what there has to be; {@code ok}, and what there
 *       is that is the same for all subjects
 * </ul>
 */
public final class EverydayRunner {
  private final Rounds rounds;

  private EverydayRunner(Rounds rounds) {
    this.rounds = rounds;
  }

  /** Serves commands until {@code quit} or the end of standard input. */
  public static void main(String[] arguments) throws Exception {
    CommandLoop loop = new CommandLoop();
    Rounds rounds =
        Rounds.of(
            Class.forName(arguments[0]).getConstructor().newInstance(),
            GraphFile.read(Path.of(arguments[1])),
            Path.of(arguments[2]),
            Workload.named(arguments[3]).get(0));
    loop.serve(new EverydayRunner(rounds)::reply);
  }

  private String reply(String command) throws Exception {
    switch (command) {
      case "fill" -> rounds.fill();
      case "open" -> rounds.open();
      case "close" -> {
        return "ok\t" + rounds.close();
      }
      case "check" -> {
        return "ok\t" + rounds.check();
      }
      default -> {
        if (!command.startsWith("run ")) {
          throw new IllegalArgumentException("Unknown command " + command);
        }
        Rounds.Outcome outcome = rounds.run(Long.parseLong(command.substring(4)));
        return "ok\t%d\t%d\t%d\t%d"
            .formatted(outcome.units(), outcome.nanos(), outcome.cpuNanos(), outcome.bytes());
      }
    }
    return "ok";
  }
}
