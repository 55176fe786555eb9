package io.graphmeta.server.net;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Answers;
import io.graphmeta.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The way of the messages of one traversal to the replicas that are its shards. What one of them
 * does not answer nobody else can, since it has the part of the traversal: who asked is told, and
 * begins the traversal anew elsewhere. Safe for use by many threads.
 */
final class ChosenReplicas implements Transport {
  private final ReplicaCalls calls;
  private final List<String> nodes;
  private final Consumer<String> away;

  /**
   * A way to replicas.
   *
   * @param nodes that have them, by the numbers of the shards
   * @param away is told of a node that was not reached
   */
  ChosenReplicas(ReplicaCalls calls, List<String> nodes, Consumer<String> away) {
    this.calls = calls;
    this.nodes = List.copyOf(nodes);
    this.away = away;
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    return sendAll(List.of(new Addressed(shard, call))).get(0);
  }

  @Override
  public List<CompletableFuture<Response>> sendAll(List<Addressed> addressed) {
    List<ReplicaCalls.Directed> directed = new ArrayList<>(addressed.size());
    for (Addressed each : addressed) {
      if (each.shard() < 0 || each.shard() >= nodes.size()) {
        throw GraphMetaException.invalid(
            "A traversal on the replicas of "
                + nodes.size()
                + " shards asks shard "
                + each.shard());
      }
      Request message = Request.FollowerTraversal.of(each.call().request(), nodes);
      Call call = new Call(each.call().epoch(), each.call().timeoutMillis(), message);
      directed.add(new ReplicaCalls.Directed(each.shard(), nodes.get(each.shard()), call));
    }
    List<CompletableFuture<Response>> answers = calls.sendAllTo(directed);
    List<CompletableFuture<Response>> told = new ArrayList<>(answers.size());
    for (int i = 0; i < answers.size(); i++) {
      told.add(new Told(directed.get(i), answers.get(i)));
    }
    return told;
  }

  /** An answer of a replica. */
  private final class Told extends CompletableFuture<Response> {
    private final CompletableFuture<Response> underWay;

    Told(ReplicaCalls.Directed asked, CompletableFuture<Response> underWay) {
      this.underWay = underWay;
      underWay.whenComplete(
          (answer, failure) -> {
            if (failure == null) {
              complete(answer);
            } else {
              completeExceptionally(told(asked, Answers.error(failure)));
            }
          });
    }

    private GraphMetaException told(ReplicaCalls.Directed asked, GraphMetaException error) {
      if (error.code().isAway()) {
        away.accept(asked.node());
      }
      return error.code() == ErrorCode.NOT_LEADER
          ? new GraphMetaException(
              ErrorCode.TRAVERSAL_LOST,
              "The replica of shard "
                  + asked.shard()
                  + " on "
                  + asked.node()
                  + " does not answer for the view of the traversal (any more); run it again",
              error)
          : error;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      boolean cancelled = super.cancel(mayInterrupt);
      underWay.cancel(mayInterrupt);
      return cancelled;
    }
  }
}
