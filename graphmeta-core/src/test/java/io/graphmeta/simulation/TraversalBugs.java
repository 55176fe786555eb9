package io.graphmeta.simulation;

import static io.graphmeta.simulation.Violation.Invariant.PAST_NEVER_CHANGES;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_READS;

import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.LevelWork;
import io.graphmeta.protocol.PathSteps;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** What can be done wrong when shards run a traversal together. */
final class TraversalBugs {
  private static final Set<Invariant> CAUGHT_BY = EnumSet.of(SNAPSHOT_READS, PAST_NEVER_CHANGES);

  private TraversalBugs() {}

  static List<PlantedBug> all() {
    return Stream.of(levels(), messages(), answers()).flatMap(List::stream).toList();
  }

  private static PlantedBug bug(String name, Supplier<Sabotage> sabotage) {
    return new PlantedBug(name, sabotage, CAUGHT_BY);
  }

  /** A world with several shards, split vertices and messages that come twice, without a defect. */
  static class InTraversals extends Sabotage {
    @Override
    Options world(Options drawn) {
      return drawn.withManySplitsAndCopies();
    }
  }

  /** How shards work together within a level and from one level to the next. */
  private static List<PlantedBug> levels() {
    return List.of(
        bug(
            "a level that ends before what was sent on within it is done",
            () ->
                sending(
                    (shard, call, transport) -> {
                      CompletableFuture<Response> answer = transport.send(shard, call);
                      return isWithinLevel(call.request()) ? done() : answer;
                    })),
        bug(
            "a part of a split vertex that is not followed",
            () ->
                sending(
                    (shard, call, transport) ->
                        isWithinLevel(call.request()) ? done() : transport.send(shard, call))),
        bug(
            "what is left of a level elsewhere and is not told",
            () ->
                answering(
                    answer -> answer instanceof Response.PartsDone ? new Response.Done() : answer)),
        bug(
            "elements that come a level late",
            () ->
                sending(
                    Request.Deliver.class,
                    deliver ->
                        isWithinLevel(deliver)
                            ? deliver
                            : with(deliver, deliver.level() + 1, deliver.parts()))),
        bug(
            "elements without the number of ways to them",
            () ->
                sending(
                    Request.Deliver.class,
                    deliver ->
                        with(
                            deliver,
                            deliver.level(),
                            deliver.parts().stream().map(TraversalBugs::withoutWays).toList()))),
        bug(
            "a traversal without levels that ends while messages are under way",
            () ->
                answering(
                    answer ->
                        answer instanceof Response.Progress progress
                            ? new Response.Progress(
                                progress.runs(),
                                0,
                                new long[progress.sent().length],
                                progress.idle(),
                                progress.found())
                            : answer)));
  }

  /** What becomes of messages that come again. */
  private static List<PlantedBug> messages() {
    AtomicInteger numbers = new AtomicInteger();
    return List.of(
        bug(
            "a delivery that comes again and is counted again",
            () ->
                arriving(
                    Request.Deliver.class,
                    deliver ->
                        new Request.Deliver(
                            deliver.id(),
                            deliver.level(),
                            deliver.from(),
                            numbers.decrementAndGet(),
                            deliver.parts()))),
        bug(
            "a request for results that comes again and takes the next of them",
            () ->
                arriving(
                    Request.FetchResults.class,
                    fetch -> new Request.FetchResults(fetch.id(), numbers.incrementAndGet()))),
        bug("a start that comes again and is told to have begun with nothing", Restarted::new));
  }

  /** What shards answer, and at which view. */
  private static List<PlantedBug> answers() {
    return List.of(
        bug(
            "a shard that runs its part of a traversal at another view",
            () -> everySecond(Request.StartTraversal.class, TraversalBugs::earlier)),
        bug(
            "a shard that follows paths at another view",
            () -> everySecond(Request.ExtendPaths.class, TraversalBugs::earlier)),
        bug(
            "paths with the wrong parents",
            () ->
                answering(
                    answer ->
                        answer instanceof Response.Paths paths
                            ? new Response.Paths(withOtherParents(paths.steps()))
                            : answer)),
        bug(
            "paths of a split vertex that are followed at its home alone",
            () ->
                sending(
                    (shard, call, transport) ->
                        call.request() instanceof Request.ExtendPaths
                            ? CompletableFuture.completedFuture(NO_PATHS)
                            : transport.send(shard, call))),
        bug(
            "edges on other shards that a condition does not see",
            () ->
                handling(
                    (call, shard) ->
                        call.request() instanceof Request.FindConnected
                            ? CompletableFuture.completedFuture(
                                new Response.Elements(
                                    new ElementPage.Builder(0, false).build(null)))
                            : shard.handle(call))));
  }

  // Ways to plant one

  private static Sabotage handling(PlantedBug.Handling handling) {
    return new InTraversals() {
      @Override
      RequestHandler handler(int number, RequestHandler shard) {
        return call -> handling.handle(call, shard);
      }
    };
  }

  private static <R extends Request> Sabotage arriving(Class<R> kind, UnaryOperator<R> change) {
    return handling((call, shard) -> shard.handle(PlantedBug.rewritten(call, kind, change::apply)));
  }

  private static Sabotage answering(UnaryOperator<Response> change) {
    return handling((call, shard) -> shard.handle(call).thenApply(change));
  }

  private static <R extends Request> Sabotage everySecond(Class<R> kind, UnaryOperator<R> change) {
    return new InTraversals() {
      @Override
      RequestHandler handler(int number, RequestHandler shard) {
        return number % 2 == 0
            ? shard
            : call -> shard.handle(PlantedBug.rewritten(call, kind, change::apply));
      }
    };
  }

  /** What shards send to one another. */
  private static Sabotage sending(PlantedBug.Sending sending) {
    return new InTraversals() {
      @Override
      Transport peers(int shard, Transport transport) {
        return (to, call) -> sending.send(to, call, transport);
      }
    };
  }

  private static <R extends Request> Sabotage sending(Class<R> kind, UnaryOperator<R> change) {
    return sending(
        (shard, call, transport) ->
            transport.send(shard, PlantedBug.rewritten(call, kind, change::apply)));
  }

  /** A start is answered rightly once only. */
  private static final class Restarted extends InTraversals {
    private final Set<List<Object>> started = new HashSet<>();

    @Override
    RequestHandler handler(int number, RequestHandler shard) {
      return call -> {
        boolean again =
            call.request() instanceof Request.StartTraversal start
                && !started.add(List.of(number, start.id()))
                && (start.manner() == Manner.STEPWISE || start.manner() == Manner.AHEAD);
        return again ? CompletableFuture.completedFuture(NOTHING) : shard.handle(call);
      };
    }
  }

  private static final Response NO_PATHS =
      new Response.Paths(new PathSteps.Builder().build(List.of(), -1, 0, LevelWork.NONE));

  private static final Response NOTHING =
      new Response.LevelDone(
          -1, List.of(), 0, new int[0], List.of(), false, false, TraversalPage.EMPTY, 0);

  private static CompletableFuture<Response> done() {
    return CompletableFuture.completedFuture(new Response.Done());
  }

  private static boolean isWithinLevel(Request request) {
    return request instanceof Request.Deliver deliver
        && deliver.parts().stream()
            .anyMatch(part -> (part.position() >> FrontierPart.OPERATION_BITS & 3) != 0);
  }

  private static Request.Deliver with(
      Request.Deliver deliver, int level, List<FrontierPart> parts) {
    return new Request.Deliver(deliver.id(), level, deliver.from(), deliver.number(), parts);
  }

  private static FrontierPart withoutWays(FrontierPart part) {
    return new FrontierPart(
        part.position(), part.vertices(), part.edges(), part.reached(), new long[0]);
  }

  private static ReadView earlier(ReadView view) {
    return new ReadView(
        Stamp.plusMicros(view.validAt(), -200_000),
        Stamp.plusMicros(view.knownAt(), -200_000),
        view.snapshot());
  }

  private static Request.StartTraversal earlier(Request.StartTraversal start) {
    return new Request.StartTraversal(
        start.id(),
        start.plan(),
        start.names(),
        earlier(start.view()),
        start.seeds(),
        start.manner());
  }

  private static Request.ExtendPaths earlier(Request.ExtendPaths extend) {
    return new Request.ExtendPaths(
        extend.plan(),
        extend.names(),
        earlier(extend.view()),
        extend.part(),
        extend.fromIndex(),
        extend.skip());
  }

  /** The spans in the same order, of elements in the opposite one. */
  private static PathSteps withOtherParents(PathSteps steps) {
    int[] sources = new int[steps.sources().length];
    for (int span = 0; span < sources.length; span++) {
      sources[span] = steps.sources()[sources.length - 1 - span];
    }
    return new PathSteps(
        sources,
        steps.positions(),
        steps.counts(),
        steps.vertices(),
        steps.edges(),
        steps.reached(),
        steps.stops(),
        steps.sentOn(),
        steps.nextIndex(),
        steps.skip(),
        steps.work());
  }
}
