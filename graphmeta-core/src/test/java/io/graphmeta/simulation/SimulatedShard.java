package io.graphmeta.simulation;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.RequestHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A shard as the simulation sees it from outside: what it holds, and who answers for it. */
abstract class SimulatedShard {
  private final int number;

  SimulatedShard(int number) {
    this.number = number;
  }

  final int number() {
    return number;
  }

  /** Where the rows lie that count. */
  abstract SimulatedDisk disk();

  /** The process that answers for the shard, and that no other has taken over from; or null. */
  abstract @Nullable SimulatedProcess leading();

  /** The clocks of all that hold it. */
  abstract List<SimulatedClock> clocks();

  /** Starts it for the first time. */
  abstract void start();

  /** What of it is still to come, in words; empty if nothing. */
  abstract String missing();

  /** Whether somebody answers for it. */
  final boolean leads() {
    return leading() != null;
  }

  private SimulatedProcess requireLeading() {
    SimulatedProcess process = leading();
    if (process == null) {
      throw new IllegalStateException("Shard " + number + " is down");
    }
    return process;
  }

  /** The shard itself, past all that sabotages it. */
  final RequestHandler handler() {
    return requireLeading().shard();
  }

  /** Number of requests that have reached its process and were not answered, nor refused. */
  final int unanswered() {
    return requireLeading().unanswered();
  }

  /** Number of traversals that its process holds. */
  final int openTraversals() {
    return requireLeading().shard().openTraversals();
  }

  /** What the shard tells of itself, past all that sabotages it. */
  final Response.Status status() {
    Call call = new Call(Simulation.EPOCH, 1000, new Request.ReadStatus());
    return (Response.Status) handler().handle(call).join();
  }

  /**
   * What indexes have still to do in its process, in words; empty if nothing. A client has asked
   * for a snapshot before: without any what is resolved does not move on.
   */
  final String unindexed() {
    handler().handle(new Call(Simulation.EPOCH, 1000, new Request.Snapshot(0)));
    Call call = new Call(Simulation.EPOCH, 1000, new Request.ReadIndexes());
    return Indexing.missing((Response.Indexes) handler().handle(call).join());
  }
}
