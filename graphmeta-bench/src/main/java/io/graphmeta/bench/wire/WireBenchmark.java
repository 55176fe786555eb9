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
 * Pages of made-up files are read, too, with envelopes as they are and packed.
 */
public final class WireBenchmark {
  private static final int CALL_BYTES = 34;
  private static final Call CALL = new Call(1, 30_000, new Request.Snapshot(1L << 60));
  private static final int CALLS_OF_A_PAGE = 100;

  private final Arguments arguments;
  private final int shards;
  private final Call pageCall;
  private final RequestHandler handler;

  private WireBenchmark(Arguments arguments) throws IOException {
    this.arguments = arguments;
    this.shards = arguments.number("shards");
    FilePage files = FilePage.of(arguments.number("files"));
    this.pageCall = files.call();
    this.handler =
        call ->
            CompletableFuture.completedFuture(
                call.request() instanceof Request.Snapshot
                    ? new Response.Stamped(1L << 60)
                    : files.page());
  }

  /** What is compared. */
  private enum Subject {
    ECHO,
    THREADS,
    NODE,
    PACKED
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
                "1,8",
                "files",
                "250"));
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
                Collections.nCopies(shards, handler), new LocalTransport.Options(2, 4096, true))) {
          measure(figures, "threads", transport);
          pages(figures, "threads", transport);
        }
      }
      case NODE -> runNode(figures, "node", "none");
      case PACKED -> runNode(figures, "packed", "lz4");
    }
  }

  private void runNode(Figures figures, String subject, String compression) {
    NodeSettings settings =
        NodeSettings.of(Map.of("node.port", "0", "node.compression", compression));
    Map<Integer, RequestHandler> hosted = new HashMap<>();
    for (int shard = 0; shard < shards; shard++) {
      hosted.put(shard, handler);
    }
    try (NetThreads threads = new NetThreads(settings);
        NodeListener node =
            NodeListener.open(
                identity("n"),
                new ShardQueues("n", hosted, settings),
                settings,
                threads,
                InstantSource.system());
        NetTransport transport =
            new NetTransport(
                identity("c"),
                Collections.nCopies(
                    shards, new NodeAddress("n", "localhost", node.address().getPort())),
                settings,
                threads,
                InstantSource.system())) {
      measure(figures, subject, transport);
      long before = transport.traffic().bytesReceived();
      int pages = pages(figures, subject, transport);
      long bytes = transport.traffic().bytesReceived() - before;
      figures.add("page of files: bytes", subject, (double) bytes / pages);
    }
  }

  /** Reads pages, and returns how many. */
  private int pages(Figures figures, String subject, Transport transport) {
    int count = Math.max(1, arguments.number("calls") / CALLS_OF_A_PAGE);
    measure(
        figures,
        "page of files",
        "page",
        subject,
        1,
        count,
        () -> transport.await(transport.send(0, pageCall)));
    return count + 1;
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
