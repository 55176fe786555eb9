package io.graphmeta.simulation;

import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A defect and what must catch it.
 *
 * @param sabotage makes it for one run
 * @param caughtBy the invariants that it breaks; another one would be caught by mistake
 */
record PlantedBug(String name, Supplier<Sabotage> sabotage, Set<Invariant> caughtBy) {
  @Override
  public String toString() {
    return name;
  }

  // Ways to plant one

  /** What a shard does with a request. */
  interface Handling {
    CompletableFuture<Response> handle(Call call, RequestHandler shard);
  }

  /** What a client does with a request. */
  interface Sending {
    CompletableFuture<Response> send(int shard, Call call, Transport transport);
  }

  /** What a log does with a row. */
  interface RowRule {
    /** Null to leave the row out; else the value to write. */
    byte[] value(Family family, byte[] key, byte[] value);
  }

  static Sabotage handling(Handling handling) {
    return new Sabotage() {
      @Override
      RequestHandler handler(int number, RequestHandler shard) {
        return call -> handling.handle(call, shard);
      }
    };
  }

  /** Requests of a kind are others when they reach the shard. */
  static <R extends Request> Sabotage rewriting(Class<R> kind, Function<R, Request> rewrite) {
    return handling((call, shard) -> shard.handle(rewritten(call, kind, rewrite)));
  }

  static <R extends Request> Call rewritten(
      Call call, Class<R> kind, Function<R, Request> rewrite) {
    return kind.isInstance(call.request())
        ? new Call(call.epoch(), call.timeoutMillis(), rewrite.apply(kind.cast(call.request())))
        : call;
  }

  static Sabotage sending(Sending sending) {
    return sending(UnaryOperator.identity(), sending);
  }

  /** What clients send, in a world where it is seen. */
  static Sabotage sending(UnaryOperator<Options> world, Sending sending) {
    return new Sabotage() {
      @Override
      Options world(Options drawn) {
        return world.apply(drawn);
      }

      @Override
      Transport transport(int client, Transport transport) {
        return new Transport() {
          @Override
          public CompletableFuture<Response> send(int shard, Call call) {
            return sending.send(shard, call, transport);
          }

          @Override
          public Response await(CompletableFuture<Response> future) {
            return transport.await(future);
          }

          @Override
          public Response awaitOutcome(CompletableFuture<Response> future) {
            return transport.awaitOutcome(future);
          }

          @Override
          public void pause(long micros) {
            transport.pause(micros);
          }
        };
      }
    };
  }

  /** Rows are put otherwise; deletions stay. */
  static Sabotage puts(RowRule rule) {
    return entries(
        entry -> {
          RowBatch changed = new RowBatch(entry.sizeBytes());
          entry.forEach(
              (family, buffer, keyAt, keyLength, valueAt, valueLength) -> {
                byte[] key = Arrays.copyOfRange(buffer, keyAt, keyAt + keyLength);
                if (valueLength == RowBatch.DELETED) {
                  changed.delete(family, key);
                  return;
                }
                byte[] value =
                    rule.value(
                        family, key, Arrays.copyOfRange(buffer, valueAt, valueAt + valueLength));
                if (value != null) {
                  changed.put(family, key, value);
                }
              });
          return changed;
        });
  }

  /** Some rows are never deleted. */
  static Sabotage neverDeleted(java.util.function.BiPredicate<Family, byte[]> rule) {
    return entries(
        entry -> {
          RowBatch changed = new RowBatch(entry.sizeBytes());
          entry.forEach(
              (family, buffer, keyAt, keyLength, valueAt, valueLength) -> {
                byte[] key = Arrays.copyOfRange(buffer, keyAt, keyAt + keyLength);
                if (valueLength != RowBatch.DELETED) {
                  changed.put(family, key, key.length, buffer, valueAt, valueLength);
                } else if (!rule.test(family, key)) {
                  changed.delete(family, key);
                }
              });
          return changed;
        });
  }

  private static Sabotage entries(Function<RowBatch, RowBatch> change) {
    return log((entry, durability, log) -> log.append(change.apply(entry), durability));
  }

  /** What a log does with an entry. */
  interface Appending {
    CompletableFuture<Void> append(RowBatch entry, Durability durability, ReplicationLog log);
  }

  static Sabotage log(Appending appending) {
    return new Sabotage() {
      @Override
      ReplicationLog log(int shard, ReplicationLog log) {
        return new PassingLog(log) {
          @Override
          public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
            return appending.append(entry, durability, log);
          }
        };
      }
    };
  }
}
