package io.graphmeta.engine;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.storage.Family;
import io.graphmeta.time.Stamp;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Reads all rows of all shards, page by page, and compares them with one another. Memory is bounded
 * by a page.
 *
 * <p>It may run beside writers. The check is of the graph at one stamp, a snapshot that is taken
 * when it begins: what lies at or below it is complete on every shard and does not change any more;
 * what was committed behind it is left out. What has no stamp, the rows of ids, is looked at again
 * if it seems wrong, when all commits that were running have their outcome. Belongs to one thread.
 *
 * <p>Of a shard that is away the report says so, and what would be compared with its rows is not.
 */
final class ConsistencyCheck {
  private static final long POLL_NANOS = 10_000_000;

  private final Router router;
  private final LongConsumer progress;
  private final LongSupplier nowMicros;
  private final long offsetMicros;
  private final long recoveryMillis;
  private final CheckFaults faults = new CheckFaults();
  private final StoreProbe probe;
  private long rows;
  private long livingVertices;
  private long livingEdges;

  /**
   * A check of all shards.
   *
   * @param nowMicros the clock that stamps follow, in microseconds since 1970
   * @param offsetMicros how far stamps may lie ahead of it
   * @param recoveryMillis time within which a shard learns the outcome of a part
   */
  ConsistencyCheck(
      Router router,
      LongConsumer progress,
      LongSupplier nowMicros,
      long offsetMicros,
      long recoveryMillis) {
    this.router = router;
    this.progress = progress;
    this.nowMicros = nowMicros;
    this.offsetMicros = offsetMicros;
    this.recoveryMillis = recoveryMillis;
    this.probe = new StoreProbe(router);
  }

  CheckReport run() {
    ReadView view = new ReadView(Stamp.MAX, router.snapshot());
    IdCheck ids = new IdCheck(router, probe, faults, this::settle);
    RowCheck elements = new RowCheck(router, probe, faults, ids, view);
    IntentCheck intents = new IntentCheck(router, probe, faults, view.knownAt(), recoveryMillis);
    for (int shard = 0; shard < router.shards(); shard++) {
      intents.checkAges(shard);
      scan(shard, Family.ATTRIBUTES, elements, elements::vertexPage);
      scan(shard, Family.OUT, elements, elements::outPage);
      scan(shard, Family.IN, elements, elements::inPage);
      scan(shard, Family.IDS, elements, ids::page);
      scan(shard, Family.META, elements, intents::page);
      checkLiving(shard, view);
    }
    ids.finish();
    return new CheckReport(
        elements.vertexRows(),
        elements.outRows(),
        elements.inRows(),
        ids.rows(),
        intents.count(),
        elements.laterRows(),
        elements.keptRows(),
        livingVertices,
        livingEdges,
        probe.away(),
        faults.count(),
        faults.examples());
  }

  private interface PageCheck {
    void check(int shard, Response.Rows page);
  }

  private void scan(int shard, Family family, RowCheck elements, PageCheck check) {
    elements.begin();
    Position from = Position.START;
    while (from != null) {
      Response.Rows page = probe.rows(shard, family, from);
      if (page == null) {
        return;
      }
      check.check(shard, page);
      rows += page.keys().length;
      progress.accept(rows);
      from = page.next();
    }
  }

  /** Waits until every running commit has its outcome, but no longer than that may take. */
  private void settle() {
    long settled =
        Stamp.plusMicros(
            Math.max(router.snapshot(), Stamp.startOfMicros(nowMicros.getAsLong())), offsetMicros);
    long begunNanos = System.nanoTime();
    while (router.snapshot() < settled
        && (System.nanoTime() - begunNanos) / 1_000_000 < recoveryMillis
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Counts what exists at the stamp of the check, and looks whether the ends of what exists do. */
  private void checkLiving(int shard, ReadView view) {
    probe.pages(
        shard,
        from -> new Request.ScanVertices(0, view, Detail.KEYS, from),
        page -> livingVertices += page.elements());
    probe.pages(
        shard,
        from -> new Request.ScanEdges(Set.of(), view, Detail.KEYS, from),
        page -> {
          livingEdges += page.elements();
          checkLivingEnds(page, view);
        });
  }

  private void checkLivingEnds(ElementPage page, ReadView view) {
    Set<Long> ends = new TreeSet<>();
    for (int e = 0; e < page.elements(); e++) {
      ends.add(page.owner(e));
      ends.add(page.other(e));
    }
    Set<Long> living = probe.seen(ends, view, Detail.KEYS);
    for (int e = 0; e < page.elements(); e++) {
      EdgeKey edge = new EdgeKey(page.owner(e), page.label(e), page.other(e), page.sequence(e));
      for (long end : new long[] {edge.out(), edge.in()}) {
        if (!living.contains(end)) {
          faults.add(
              "Edge "
                  + GeneratedIds.ofEdge(edge)
                  + " exists, but its end "
                  + GeneratedIds.ofVertex(end)
                  + " is deleted");
        }
      }
    }
  }
}
