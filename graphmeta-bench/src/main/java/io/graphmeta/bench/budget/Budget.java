package io.graphmeta.bench.budget;

import io.graphmeta.bench.peers.runner.everyday.Workload;
import io.graphmeta.error.GraphMetaException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one operation may cost in each layer: at most so many microseconds of processors and so many
 * allocated bytes. Microseconds are those of the machine that the figures of PERFORMANCE are from.
 * Immutable.
 */
final class Budget {
  /** What a layer may cost. */
  record Limit(double micros, double bytes) {}

  private final Map<Layer, Limit> limits = new EnumMap<>(Layer.class);

  private Budget() {}

  private Budget with(Layer layer, double micros, double bytes) {
    limits.put(layer, new Limit(micros, bytes));
    return this;
  }

  /** The workloads that have a budget. */
  static List<String> workloads() {
    return List.of("hot-1", "read-1", "hop-1");
  }

  /** What one operation of a workload may cost. */
  static Budget of(Workload workload) {
    return switch (workload.toString()) {
      case "hot-1" ->
          new Budget()
              .with(Layer.TINKERPOP, 2, 1_500)
              .with(Layer.PROVIDER, 3, 3_500)
              .with(Layer.TRANSACTION, 4, 4_000)
              .with(Layer.CLIENT, 2, 1_500)
              .with(Layer.SHARD, 3, 2_500)
              .with(Layer.COMMITS, 3, 2_500)
              .with(Layer.CODEC, 3, 4_000)
              .with(Layer.STORAGE, 12, 2_000)
              .with(Layer.OTHER, 8, 0);
      case "read-1" ->
          new Budget()
              .with(Layer.TINKERPOP, 10, 8_000)
              .with(Layer.PROVIDER, 5, 5_000)
              .with(Layer.TRANSACTION, 3, 2_500)
              .with(Layer.CLIENT, 2, 1_500)
              .with(Layer.SHARD, 3, 2_000)
              .with(Layer.COMMITS, 1, 200)
              .with(Layer.CODEC, 2, 1_500)
              .with(Layer.STORAGE, 1, 200)
              .with(Layer.OTHER, 2, 0);
      case "hop-1" ->
          new Budget()
              .with(Layer.TINKERPOP, 10, 8_000)
              .with(Layer.PROVIDER, 5, 6_000)
              .with(Layer.TRANSACTION, 4, 3_000)
              .with(Layer.CLIENT, 2, 1_500)
              .with(Layer.SHARD, 5, 4_000)
              .with(Layer.COMMITS, 1, 200)
              .with(Layer.CODEC, 2, 1_500)
              .with(Layer.STORAGE, 1, 200)
              .with(Layer.OTHER, 2, 0);
      default ->
          throw GraphMetaException.invalid(
              "Workload " + workload + " has no budget; expected some of " + workloads());
    };
  }

  /** What a layer may cost. */
  Limit limit(Layer layer) {
    return limits.getOrDefault(layer, new Limit(0, 0));
  }
}
