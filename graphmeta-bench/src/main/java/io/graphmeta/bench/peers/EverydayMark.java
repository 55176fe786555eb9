package io.graphmeta.bench.peers;

import io.graphmeta.bench.peers.runner.everyday.Workload.Kind;
import java.util.List;

/**
 * What a subject has to come to beside another one.
 *
 * @param kind the operation
 * @param phase in which phase
 * @param subject who has to
 * @param against beside whom
 * @param againstPhase in which phase of that one
 * @param least the least ratio of speeds: of rates, or the other way round of times
 */
record EverydayMark(
    Kind kind, String phase, String subject, String against, String againstPhase, double least) {
  private static final String FIRST = EverydayBenchmark.FIRST;
  private static final String WARM = EverydayBenchmark.WARM;

  /** The least share of the warm rate that a new process reaches. */
  private static final double FIRST_SHARE = 0.6;

  /** The least share of the rate of one shard that several in a process reach. */
  private static final double SHARDS_SHARE = 0.7;

  /** A twentieth is what two runs of the same code differ by. */
  private static final double NOT_SLOWER = 0.95;

  private static final List<EverydayMark> OF_KINDS =
      List.of(
          warm(Kind.HOT, "graphmeta", "raw", 0.6),
          warm(Kind.HOT, "graphmeta-sync", "raw-sync", 0.8),
          warm(Kind.HOT100, "graphmeta", "raw", 0.8),
          warm(Kind.HOT100, "graphmeta-sync", "raw-sync", 0.8),
          warm(Kind.HOT100, "graphmeta", "hugegraph", 1),
          warm(Kind.LOAD, "graphmeta", "raw", 0.6),
          warm(Kind.LOAD, "graphmeta", "hugegraph", 1.5),
          warm(Kind.READ, "graphmeta", "tinkergraph", 0.5),
          warm(Kind.HOP, "graphmeta", "tinkergraph", 0.5),
          warm(Kind.HOP, "graphmeta", "hugegraph", 1),
          warm(Kind.MAPS, "graphmeta", "tinkergraph", 0.5),
          warm(Kind.MAPS, "graphmeta", "hugegraph", 1),
          warm(Kind.PATHS, "graphmeta", "tinkergraph", 0.5),
          warm(Kind.CREATE, "graphmeta", "raw", 0.5),
          warm(Kind.CREATE, "graphmeta-sync", "raw-sync", 0.5),
          warm(Kind.CREATE, "graphmeta", "hugegraph", 2),
          warm(Kind.MIXED, "graphmeta", "raw", 0.5),
          warm(Kind.MIXED, "graphmeta-sync", "raw-sync", 0.5),
          warm(Kind.MIXED, "graphmeta", "tinkergraph", 1),
          warm(Kind.DISTINCT, "graphmeta", "before", NOT_SLOWER),
          new EverydayMark(Kind.DISTINCT, FIRST, "graphmeta", "before", FIRST, NOT_SLOWER));

  private static EverydayMark warm(Kind kind, String subject, String against, double least) {
    return new EverydayMark(kind, WARM, subject, against, WARM, least);
  }

  /** The marks of an operation. */
  static List<EverydayMark> of(Kind kind) {
    List<EverydayMark> marks =
        new java.util.ArrayList<>(OF_KINDS.stream().filter(mark -> mark.kind == kind).toList());
    if (kind != Kind.DISTINCT) { // Its first run is one query, which no warm rate is meant for.
      marks.add(new EverydayMark(kind, FIRST, "graphmeta", "graphmeta", WARM, FIRST_SHARE));
    }
    marks.add(warm(kind, "graphmeta-4", "graphmeta", SHARDS_SHARE));
    if (kind.writes()) {
      marks.add(warm(kind, "graphmeta-4-sync", "graphmeta-sync", SHARDS_SHARE));
    }
    return marks;
  }
}
