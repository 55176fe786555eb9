package io.graphmeta.traversal;

import io.graphmeta.frontier.Ways;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.protocol.LevelWork;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.router.Router;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Drives the servers through the levels of a traversal. A level begins when all servers have done
 * the level before, so that all elements that ever arrive at a position at a level are there when
 * it begins. A server tells that it has done a level when the servers to which it has sent elements
 * on within the level have worked them off. Belongs to one thread.
 *
 * <p>Of a limited traversal scans are followed a page at a time, and it ends when enough was found.
 */
final class LevelDriver implements Driver {
  private final Router router;
  private final TraversalId id;
  private final Plan plan;
  private final PlanNames names;
  private final ReadView view;
  private final Engine engine;
  private final boolean limited;
  private final ServerState[] servers;
  private final List<TraversalProfile.Part> parts = new ArrayList<>();
  private final long startedNanos = System.nanoTime();
  private long endedNanos;
  private int level = -1;
  private boolean ended;

  LevelDriver(
      Router router, TraversalId id, Plan plan, PlanNames names, ReadView view, Engine engine) {
    this.router = router;
    this.id = id;
    this.plan = plan;
    this.names = names;
    this.view = view;
    this.engine = engine;
    this.limited = plan.canBeFollowedInParts();
    this.servers = new ServerState[router.servers()];
    Arrays.setAll(servers, server -> new ServerState());
  }

  /** What the client knows of a server. */
  private static final class ServerState {
    boolean begun;
    int runs;
    long pending;
    boolean unfinished;

    boolean scanLeft;
    long found;
    long doneNanos;
    TraversalPage page = TraversalPage.EMPTY;
  }

  @Override
  public TraversalId id() {
    return id;
  }

  @Override
  public TraversalPage firstPage(int server) {
    return servers[server].page;
  }

  @Override
  public boolean hasMore(int server) {
    ServerState state = servers[server];
    return state.page.more() || servers.length > 1 && state.page.size() == 0 && state.found > 0;
  }

  @Override
  public void run(Seeds seeds) {
    List<@Nullable Request> starts = new ArrayList<>();
    boolean alone = servers.length == 1;
    Manner stepwise = engine == Engine.PREFETCH ? Manner.AHEAD : Manner.STEPWISE;
    for (int server = 0; server < servers.length; server++) {
      starts.add(
          new Request.StartTraversal(
              id,
              plan,
              names,
              view,
              SeedParts.of(router, seeds, server),
              alone ? Manner.ALONE : stepwise));
    }
    send(starts);
    while (!isEnough()) {
      List<@Nullable Request> next = nextLevel();
      if (next.stream().allMatch(request -> request == null)) {
        break;
      }
      send(next);
    }
    endedNanos = System.nanoTime();
  }

  private boolean isEnough() {
    long found = 0;
    for (ServerState server : servers) {
      found = Ways.sum(found, server.found);
    }
    long high = plan.range().high();
    return high < Long.MAX_VALUE && found >= high;
  }

  /** What each server is to do next, null for nothing. */
  private List<@Nullable Request> nextLevel() {
    boolean again = false;
    boolean scanning = false;
    boolean waiting = false;
    int active = 0;
    for (ServerState server : servers) {
      again |= server.unfinished;
      scanning |= server.scanLeft;
      waiting |= server.pending > 0;
      active += server.pending > 0 || server.scanLeft || server.unfinished ? 1 : 0;
    }
    boolean scan = scanning && !again && (!limited || !waiting);
    level += again || scanning && !limited ? 0 : 1;
    int next = Math.max(0, level);
    Manner manner = active == 1 ? Manner.ALONE : Manner.STEPWISE;
    List<@Nullable Request> requests = new ArrayList<>();
    for (ServerState server : servers) {
      boolean due = scan ? server.scanLeft : again ? server.unfinished : server.pending > 0;
      requests.add(due ? new Request.RunLevel(id, ++server.runs, next, manner, scan) : null);
    }
    return requests;
  }

  private void send(List<@Nullable Request> requests) {
    List<@Nullable CompletableFuture<Response>> answers = new ArrayList<>();
    long sentNanos = System.nanoTime();
    for (int server = 0; server < requests.size(); server++) {
      Request request = requests.get(server);
      servers[server].begun |= request != null;
      answers.add(request == null ? null : router.send(server, request));
    }
    BitSet sentTo = new BitSet();
    List<Response.PartsDone> elsewhere = new ArrayList<>();
    for (int server = 0; server < answers.size(); server++) {
      CompletableFuture<Response> answer = answers.get(server);
      if (answer != null) {
        Response.LevelDone done = (Response.LevelDone) router.await(answer);
        done(server, done, sentNanos);
        Arrays.stream(done.sentTo()).forEach(sentTo::set);
        elsewhere.addAll(done.elsewhere());
      }
    }
    for (Response.PartsDone done : elsewhere) {
      done(done, sentNanos);
      Arrays.stream(done.sentTo()).forEach(sentTo::set);
    }
    // A server may have answered before elements came that were sent to it; it counts them when it
    // is asked next.
    sentTo.stream().forEach(to -> servers[to].pending = Math.max(1, servers[to].pending));
  }

  private void done(int server, Response.LevelDone done, long sentNanos) {
    ServerState state = servers[server];
    long now = System.nanoTime();
    long waited = state.doneNanos == 0 ? 0 : sentNanos - state.doneNanos;
    int ran = done.level() - done.levels().size() + 1;
    for (LevelWork work : done.levels()) {
      parts.add(part(ran++, server, work, sentNanos, waited));
      waited = 0;
    }
    level = Math.max(level, done.level());
    state.doneNanos = now;
    state.pending = done.pending();
    state.unfinished = done.unfinished();
    state.scanLeft = done.scanLeft();
    state.found = done.found();
    state.page = done.page();
  }

  /** What a server did within a level of another; it answers for its own levels by itself. */
  private void done(Response.PartsDone done, long sentNanos) {
    ServerState state = servers[done.server()];
    parts.add(part(done.level(), done.server(), done.work(), sentNanos, 0));
    state.pending = Math.max(state.pending, done.pending());
    state.unfinished |= done.unfinished();
    state.found = Math.max(state.found, done.found());
  }

  private TraversalProfile.Part part(
      int ran, int server, LevelWork work, long sentNanos, long waited) {
    return new TraversalProfile.Part(
        ran,
        server,
        work.frontier(),
        work.edges(),
        work.bytes(),
        work.messages(),
        work.cacheHits(),
        work.cacheMisses(),
        work.prefetched(),
        work.prefetchUsed(),
        sentNanos - startedNanos,
        work.workNanos(),
        waited,
        work.prefetchNanos());
  }

  @Override
  public TraversalProfile profile() {
    if (engine == Engine.PREFETCH && servers.length > 1 && endedNanos != 0 && !ended) {
      lateReading();
    }
    long until = endedNanos == 0 ? System.nanoTime() : endedNanos;
    return new TraversalProfile(engine, until - startedNanos, parts);
  }

  /** What servers read ahead after their last level, when no further level asks for it. */
  private void lateReading() {
    for (int server = 0; server < servers.length; server++) {
      Response.Progress late =
          router.call(server, new Request.FollowTraversal(id, false), Response.Progress.class);
      for (LevelWork work : late.runs()) {
        if (work.prefetched() > 0) {
          parts.add(part(level + 1, server, work, endedNanos, 0));
        }
      }
    }
  }

  /** Ends the traversal where a server may still hold it, without waiting. */
  @Override
  public void close() {
    if (ended) {
      return;
    }
    ended = true;
    boolean over =
        servers.length == 1
            && endedNanos != 0
            && servers[0].pending == 0
            && !servers[0].scanLeft
            && !servers[0].page.more();
    for (int server = 0; server < servers.length; server++) {
      if (servers[server].begun && !over) {
        router.send(server, new Request.EndTraversal(id));
      }
    }
  }
}
