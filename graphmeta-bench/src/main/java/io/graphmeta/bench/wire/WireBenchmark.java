package io.graphmeta.bench.wire;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.engine.Clients;
import io.graphmeta.bench.report.Effort;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.bench.report.Interleaving;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.server.net.NetThreads;
import io.graphmeta.server.net.NetTransport;
import io.graphmeta.server.net.NodeAddress;
import io.graphmeta.server.net.NodeIdentity;
import io.graphmeta.server.net.NodeListener;
import io.graphmeta.server.net.NodeSettings;
import io.graphmeta.server.net.ShardQueues;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The cost of a small call, and of the beginning of a transaction over many shards, between nodes
 * over loopback: beside an echo of as many bytes, and beside threads of shards in this process. The
 * handlers do nothing. Both ends are in this process, so that its processor time is that of both.
 */
public final class WireBenchmark {
  private static final int CALL_BYTES = 34;
  private static final Call CALL = new Call(1, 30_000, new Request.Snapshot(1L << 60));
  private static final RequestHandler HANDLER =
      call -> CompletableFuture.completedFuture(new Response.Stamped(1L << 60));

  private final Arguments arguments;
  private final int shards;

  private WireBenchmark(Arguments arguments) {
    this.arguments = arguments;
    this.shards = arguments.number("shards");
  }

  /** What is compared. */
  private enum Subject {
    ECHO,
    THREADS,
    NODE
  }

  /** Runs it; the class documentation and that of the arguments tell what. */
  public static void main(String[] given) throws IOException {
    Arguments arguments =
        Arguments.parse(
            given,
            Map.of(
                "repetitions",
                "5",
                "warmups",
                "2",
                "calls",
                "100000",
                "shards",
                "16",
                "callers",
                "1,8"));
    WireBenchmark benchmark = new WireBenchmark(arguments);
    Figures figures =
        Interleaving.repeat(
            arguments.number("warmups"),
            arguments.number("repetitions"),
            List.of(Subject.values()),
            benchmark::run,
            System.err::println);
    System.out.println(figures.table());
  }

  private void run(Subject subject, Figures figures) {
    switch (subject) {
      case ECHO -> {
        try (Echo echo = new Echo()) {
          measure(
              figures,
              "echo",
              () -> echo.ask(CALL_BYTES).join(),
              () -> echo.ask(CALL_BYTES * shards).join());
        }
      }
      case THREADS -> {
        try (Transport transport =
            new LocalTransport(
                Collections.nCopies(shards, HANDLER), new LocalTransport.Options(2, 4096, true))) {
          measure(figures, "threads", transport);
        }
      }
      case NODE -> {
        NodeSettings settings = NodeSettings.of(Map.of("node.port", "0"));
        Map<Integer, RequestHandler> hosted = new HashMap<>();
        for (int shard = 0; shard < shards; shard++) {
          hosted.put(shard, HANDLER);
        }
        try (NetThreads threads = new NetThreads(settings);
            NodeListener node =
                NodeListener.open(
                    identity("n"),
                    new ShardQueues("n", hosted, settings),
                    settings,
                    threads,
                    InstantSource.system());
            Transport transport =
                new NetTransport(
                    identity("c"),
                    Collections.nCopies(
                        shards, new NodeAddress("n", "localhost", node.address().getPort())),
                    settings,
                    threads,
                    InstantSource.system())) {
          measure(figures, "node", transport);
        }
      }
    }
  }

  private static NodeIdentity identity(String name) {
    return new NodeIdentity(new UUID(1, 2), name, 1);
  }

  private void measure(Figures figures, String subject, Transport transport) {
    List<Transport.Addressed> begin = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      begin.add(new Transport.Addressed(shard, CALL));
    }
    measure(
        figures,
        subject,
        () -> transport.await(transport.send(0, CALL)),
        () -> transport.sendAll(begin).forEach(transport::await));
  }

  private void measure(Figures figures, String subject, Runnable call, Runnable begin) {
    int calls = arguments.number("calls");
    for (int callers : arguments.numbers("callers")) {
      measure(figures, "small, callers: " + callers, "call", subject, callers, calls, call);
    }
    measure(figures, "begin of " + shards, "begin", subject, 1, calls / shards, begin);
  }

  private static void measure(
      Figures figures,
      String measure,
      String unit,
      String subject,
      int callers,
      int count,
      Runnable work) {
    work.run(); // connects
    Effort effort = new Effort();
    Clients.run(
        callers,
        caller -> {
          for (int i = caller; i < count; i += callers) {
            work.run();
          }
        });
    effort.addTo(figures, measure, unit, subject, count);
  }
}
