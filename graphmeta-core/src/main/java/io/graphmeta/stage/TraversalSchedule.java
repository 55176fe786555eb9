package io.graphmeta.stage;

import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.stage.level.Connections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Decides when a traversal is run on one shard, and by which thread, and answers its messages. Safe
 * for use by many threads; never waits.
 */
interface TraversalSchedule {
  /** Takes what another shard has sent, and answers when that need not be waited for any more. */
  CompletableFuture<Response> deliver(Request.Deliver deliver);

  /** Runs a level, of a traversal that has levels. */
  CompletableFuture<Response> run(Request.RunLevel run);

  /**
   * How this shard is doing, as soon as there is something to tell.
   *
   * @param enough whether nothing more is to be done
   */
  CompletableFuture<Response> follow(boolean enough);

  /** Does something to the traversal that is not done while it is run. */
  <T> T exclusively(Supplier<T> action);

  /** Time passes. */
  void tick(long nowNanos);

  /** Ends the traversal before its time. */
  void end();

  /** Sends elements to another shard. */
  @FunctionalInterface
  interface Sender {
    /**
     * Sends elements.
     *
     * @param level that they are for
     * @param number counts what this shard sends of the traversal
     */
    CompletableFuture<Response> send(int to, int level, int number, List<FrontierPart> parts);
  }

  /** Asks another shard, and tells the traversal the answer. */
  @FunctionalInterface
  interface Asker {
    CompletableFuture<Response> ask(Connections.Question question);
  }
}
