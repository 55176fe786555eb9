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

  private final double allBytes;

  private Budget(double allBytes) {
    this.allBytes = allBytes;
  }

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
          new Budget(17_500)
              .with(Layer.TINKERPOP, 1, 1_000)
              .with(Layer.PROVIDER, 1, 1_500)
              .with(Layer.TRANSACTION, 2, 6_000)
              .with(Layer.CLIENT, 1, 1_400)
              .with(Layer.SHARD, 3.5, 1_500)
              .with(Layer.COMMITS, 1.5, 1_500)
              .with(Layer.CODEC, 2, 5_800)
              .with(Layer.STORAGE, 16, 1_700)
              .with(Layer.OTHER, 14, 0);
      case "read-1" ->
          new Budget(8_000)
              .with(Layer.TINKERPOP, 2.5, 3_800)
              .with(Layer.PROVIDER, 1.5, 2_900)
              .with(Layer.TRANSACTION, 0.5, 1_700)
              .with(Layer.CLIENT, 0.5, 1_300)
              .with(Layer.SHARD, 2.5, 1_700)
              .with(Layer.COMMITS, 0.3, 200)
              .with(Layer.CODEC, 0.4, 600)
              .with(Layer.STORAGE, 0.3, 600)
              .with(Layer.OTHER, 1, 0);
      case "hop-1" ->
          new Budget(25_000)
              .with(Layer.TINKERPOP, 3, 3_800)
              .with(Layer.PROVIDER, 2, 3_000)
              .with(Layer.TRANSACTION, 1.2, 4_600)
              .with(Layer.CLIENT, 0.8, 1_700)
              .with(Layer.SHARD, 6, 14_000)
              .with(Layer.COMMITS, 0.3, 300)
              .with(Layer.CODEC, 0.4, 600)
              .with(Layer.STORAGE, 3.5, 400)
              .with(Layer.OTHER, 1, 0);
      default ->
          throw GraphMetaException.invalid(
              "Workload " + workload + " has no budget; expected some of " + workloads());
    };
  }

  /** What all layers may allocate together, which is known exactly. */
  double allBytes() {
    return allBytes;
  }

  /** What a layer may cost. */
  Limit limit(Layer layer) {
    return limits.getOrDefault(layer, new Limit(0, 0));
  }
}
