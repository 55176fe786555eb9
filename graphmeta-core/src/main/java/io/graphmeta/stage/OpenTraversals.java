package io.graphmeta.stage;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.rows.RowReads;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The traversals that run on one server, and their messages. A traversal that nobody has asked for
 * longer than a request may take is forgotten. Safe for use by many threads; never waits.
 */
public final class OpenTraversals {
  private static final int MAX_OPEN = 1 << 14;

  /** So many that some may be forgotten ones, where nobody calls {@link #tick}. */
  private static final int MANY_OPEN = 64;

  /** Size of a page of a scan from which few results are wanted, in bytes. */
  private static final int FIRST_PAGE_BYTES = 1 << 14;

  private final int server;
  private final VirtualNodeMap map;
  private final RowReads rows;
  private final RowReads firstRows;
  private final AdjacencyCache cache;
  private final Limits limits;
  private final Map<TraversalId, Entry> open = new ConcurrentHashMap<>();
  private volatile @Nullable Transport peers;

  /**
   * None yet.
   *
   * @param server the number of this server
   */
  public OpenTraversals(
      int server, VirtualNodeMap map, StorageEngine storage, AdjacencyCache cache, Limits limits) {
    this.server = server;
    this.map = map;
    this.rows = new RowReads(storage, limits.pageBytes());
    this.firstRows = new RowReads(storage, Math.min(FIRST_PAGE_BYTES, limits.pageBytes()));
    this.cache = cache;
    this.limits = limits;
  }

  /**
   * What traversals may take.
   *
   * @param maxFrontier most elements at one position, and most results, on this server
   * @param pageBytes size at which a page of results ends, in bytes
   * @param requestMillis time allowed for a request, in milliseconds
   */
  public record Limits(int maxFrontier, int pageBytes, long requestMillis) {}

  /**
   * A traversal, when it was asked for last, and what was answered last: requests can come again.
   */
  private static final class Entry {
    final ServerTraversal traversal;
    volatile long askedNanos = System.nanoTime();
    boolean busy;
    int runs = -1;
    CompletableFuture<Response> lastRun = new CompletableFuture<>();
    int pages = -1;
    TraversalPage lastPage = TraversalPage.EMPTY;

    Entry(ServerTraversal traversal) {
      this.traversal = traversal;
    }
  }

  /** Tells how the other servers are reached. */
  public void join(Transport transport) {
    peers = transport;
  }

  /** Number of traversals that are open. */
  public int size() {
    return open.size();
  }

  /** Begins a traversal, and runs it if no other server is concerned. */
  public CompletableFuture<Response> start(Request.StartTraversal start) {
    if (open.size() >= MANY_OPEN) {
      tick();
    }
    if (open.size() >= MAX_OPEN) {
      throw new GraphMetaException(
          ErrorCode.OVERLOADED,
          "The server runs " + MAX_OPEN + " traversals already; try again later");
    }
    Program program = new Program(start.plan(), start.names());
    Entry entry =
        new Entry(new ServerTraversal(program, start.view(), map, server, limits.maxFrontier()));
    Entry before = open.putIfAbsent(start.id(), entry);
    if (before == null) {
      entry.traversal.deliver(new Request.Deliver(start.id(), 0, -1, 0, start.seeds()));
    }
    return start.manner() == Manner.ALONE
        ? run(
            new Request.RunLevel(start.id(), 0, 0, Manner.ALONE, true),
            before == null ? entry : before)
        : CompletableFuture.completedFuture(entry.traversal.begun());
  }

  /** Takes what others have sent. */
  public Response deliver(Request.Deliver deliver) {
    entry(deliver.id()).traversal.deliver(deliver);
    return new Response.Done();
  }

  /** Runs a level. */
  public CompletableFuture<Response> run(Request.RunLevel run) {
    return run(run, entry(run.id()));
  }

  /** The next results. */
  public Response fetch(Request.FetchResults fetch) {
    Entry entry = entry(fetch.id());
    return exclusively(
        fetch.id(),
        entry,
        () -> {
          if (fetch.number() != entry.pages) {
            entry.lastPage = entry.traversal.results().take(limits.pageBytes());
            entry.pages = fetch.number();
          }
          return entry.lastPage;
        });
  }

  /** Tells where the ends of paths lead. */
  public Response extend(Request.ExtendPaths request) {
    return PathExtension.extend(request, rows, cache, limits.pageBytes());
  }

  /** Forgets a traversal. */
  public Response end(Request.EndTraversal end) {
    Entry entry = open.remove(end.id());
    if (entry != null) {
      entry.traversal.cancel();
    }
    return new Response.Done();
  }

  /** Forgets the traversals whose clients have left. To be called from time to time. */
  public void tick() {
    long now = System.nanoTime();
    open.values()
        .removeIf(
            entry -> {
              boolean idle = now - entry.askedNanos > 2 * limits.requestMillis() * 1_000_000L;
              if (idle) {
                entry.traversal.cancel();
              }
              return idle;
            });
  }

  private Entry entry(TraversalId id) {
    Entry entry = open.get(id);
    if (entry == null) {
      throw new GraphMetaException(
          ErrorCode.CANCELLED,
          "The server knows no traversal "
              + id
              + ": it was ended, or nobody asked for it for too long; run it again");
    }
    entry.askedNanos = System.nanoTime();
    return entry;
  }

  private <T> T exclusively(TraversalId id, Entry entry, Supplier<T> action) {
    synchronized (entry) {
      if (entry.busy) {
        throw new GraphMetaException(
            ErrorCode.OVERLOADED,
            "Traversal " + id + " is being run; expected one request at a time");
      }
      entry.busy = true;
    }
    try {
      return action.get();
    } finally {
      synchronized (entry) {
        entry.busy = false;
      }
    }
  }

  private CompletableFuture<Response> run(Request.RunLevel run, Entry entry) {
    return exclusively(
        run.id(),
        entry,
        () -> {
          if (run.number() > entry.runs) {
            entry.runs = run.number();
            entry.lastRun = runNow(run, entry);
          }
          return entry.lastRun;
        });
  }

  private CompletableFuture<Response> runNow(Request.RunLevel run, Entry entry) {
    // A quarter of the time of a request, so that the client hears of it while it still listens.
    long deadline = System.nanoTime() + limits.requestMillis() * 250_000L;
    ServerTraversal.Reads reads = new ServerTraversal.Reads(rows, firstRows, cache);
    ServerTraversal.Ran ran =
        entry.traversal.run(
            run.level(), run.manner(), run.scan(), reads, deadline, limits.pageBytes());
    entry.askedNanos = System.nanoTime();
    if (map.servers() == 1 && ran.isOver()) {
      open.remove(run.id());
    }
    if (ran.toSend().isEmpty()) {
      return CompletableFuture.completedFuture(ran.done());
    }
    List<CompletableFuture<Response>> sent = new ArrayList<>();
    ran.toSend()
        .forEach(
            (to, parts) ->
                sent.add(
                    send(
                        to,
                        new Request.Deliver(
                            run.id(), ran.done().level() + 1, server, run.number(), parts))));
    return CompletableFuture.allOf(sent.toArray(new CompletableFuture<?>[0]))
        .thenApply(all -> ran.done());
  }

  private CompletableFuture<Response> send(int to, Request.Deliver deliver) {
    Transport transport = peers;
    if (transport == null) {
      throw GraphMetaException.internal("Server " + server + " has not joined the others");
    }
    return transport.send(to, new Call(map.epoch(), limits.requestMillis(), deliver));
  }
}
