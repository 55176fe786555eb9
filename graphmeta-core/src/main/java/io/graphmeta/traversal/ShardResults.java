package io.graphmeta.traversal;

import static java.util.Objects.requireNonNull;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.frontier.Ways;
import io.graphmeta.heap.HeapGauge;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.Projection;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.protocol.TupleOrder;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the shards have found, fetched page by page and put together: counts are added up, equal
 * tuples of several shards too, and what is in an order is merged. Belongs to one thread.
 *
 * <p>The results of slices are handed out as they come. When slices come to cost more than levels
 * would, all is run again in levels, at the same view, and so comes to the same results or, of a
 * limited plan, to as many of them as are wanted. What was handed out before is taken from these,
 * as often as it was handed out: so each result is told as often as there are ways to it. If levels
 * need more room than there is, slices go on.
 */
final class ShardResults implements PlanCursor {
  /** About what a result takes where it is used. */
  private static final long RESULT_BYTES = 64;

  /** Results handed out by slices after which these go on for ever. */
  private static final int MOST_TOLD = 1 << 14;

  private final Router router;
  private final Plan plan;
  private final RestingTraversals resting;
  private Driver driver;

  /** Runs all in levels; null unless the driver runs slices that may be left. */
  private @Nullable Supplier<Driver> levels;

  /** What slices have come to, while they may be left. */
  private final List<TraversalPage> told = new ArrayList<>();

  private int toldResults;

  /** Of what slices have come to, what levels have not come to yet. */
  private final Map<Object, Long> toldBefore = new HashMap<>();

  /** What the slices took that were left. */
  private final List<TraversalProfile.Part> left = new ArrayList<>();

  private final ElementKind kind;
  private final RecordDecoder decoder;
  private int shard = -1;
  private TraversalPage page = TraversalPage.EMPTY;
  private boolean more;
  private int pages;
  private int at = -1;

  /** The element of the rows of the page that was asked for last. */
  private int rowsAt;

  private long bulk;

  /** The sum of all bulks handed out, which must stay a number that a long can hold. */
  private long handedOut;

  private long toSkip;
  private long toTake;
  private long counted;
  private boolean inSlices;
  private boolean asleep;
  private boolean together;
  private boolean done;

  /**
   * What a driver runs.
   *
   * @param resting what this is among while nobody asks for its results
   * @param inSlices whether it runs slices
   * @param levels runs all again in levels; null if slices are never left
   */
  ShardResults(
      Router router,
      Plan plan,
      RestingTraversals resting,
      Driver driver,
      boolean inSlices,
      @Nullable Supplier<Driver> levels) {
    this.router = router;
    this.plan = plan;
    this.resting = resting;
    this.driver = driver;
    this.inSlices = inSlices;
    this.levels = levels;
    this.kind = plan.finalKind();
    this.decoder = new RecordDecoder(router);
    this.toSkip = plan.range().low();
    long high = plan.range().high();
    this.toTake = high == Long.MAX_VALUE ? high : high - plan.range().low();
    rest();
  }

  /**
   * Lets the shards keep what they hold until it is asked for. Few results that are all here are
   * the end: who wanted few may never ask whether there are more.
   */
  private void rest() {
    if (inSlices && driver.isOver() && !isHeldBack()) {
      driver.close();
    }
    asleep = driver.isHeld();
    if (asleep) {
      resting.rest(driver.id(), driver.asked());
    }
  }

  private void wake() {
    if (asleep) {
      asleep = false;
      resting.wake(driver.id());
    }
  }

  /** Whether a shard holds results that it has not told. */
  private boolean isHeldBack() {
    boolean any = more;
    for (int later = shard + 1; later < router.shards(); later++) {
      any |= driver.hasMore(later);
    }
    return any;
  }

  @Override
  public boolean next() {
    if (plan.result() instanceof PlanResult.Count) {
      return nextCount();
    }
    while (toTake > 0 && !done) {
      if (++at >= page.size()) {
        at = -1;
        rowsAt = 0;
        if (!nextPage() && !goOn()) {
          done = true;
        }
        continue;
      }
      bulk = notToldBefore(page.bulk(at));
      long skipped = Math.min(toSkip, bulk);
      toSkip -= skipped;
      bulk = Math.min(Ways.without(bulk, skipped), toTake);
      if (bulk > 0) {
        toTake -= toTake == Long.MAX_VALUE ? 0 : bulk;
        if (toTake == 0 && inSlices) {
          end();
        }
        handedOut = Ways.told(Ways.sum(handedOut, bulk));
        return true;
      }
    }
    done = true;
    return false;
  }

  private boolean nextCount() {
    if (done) {
      return false;
    }
    done = true;
    do {
      while (fetchPage()) {
        counted = Ways.sum(counted, page.count());
      }
    } while (goOn());
    end(); // who has the count may never ask for more, nor close this
    bulk = Ways.told(Math.min(Ways.without(counted, toSkip), toTake));
    return true;
  }

  /** Lets the shards go on; false if there is nothing left. */
  private boolean goOn() {
    page = TraversalPage.EMPTY;
    more = false;
    shard = -1;
    if (driver.isOver()) {
      return false;
    }
    wake();
    try {
      Supplier<Driver> all = levels;
      if (all != null && driver.isSlow()) {
        levels = null;
        if (runAgain(all)) {
          return true;
        }
      }
      return driver.goOn();
    } finally {
      rest();
    }
  }

  private boolean runAgain(Supplier<Driver> all) {
    Driver again;
    try {
      again = all.get();
    } catch (GraphMetaException e) {
      if (e.code() == ErrorCode.LIMIT_EXCEEDED) {
        told.clear();
        return false;
      }
      throw e;
    }
    left.addAll(driver.profile().parts());
    driver.close();
    driver = again;
    inSlices = false;
    counted = 0;
    for (TraversalPage before : told) {
      for (int i = 0; i < before.size(); i++) {
        toldBefore.merge(key(before, i), before.bulk(i), Ways::sum);
      }
    }
    told.clear();
    return true;
  }

  /** What a result is, so that equal results are equal. */
  private Object key(TraversalPage of, int index) {
    return plan.result() instanceof PlanResult.Values
        ? ByteBuffer.wrap(of.tuples()[index])
        : kind == ElementKind.VERTEX ? (Object) of.vertices()[index] : of.edges().get(index);
  }

  private long notToldBefore(long ways) {
    if (toldBefore.isEmpty()) {
      return ways;
    }
    Object key = key(page, at);
    long before = Math.min(ways, toldBefore.getOrDefault(key, 0L));
    toldBefore.computeIfPresent(
        key, (same, all) -> all == before ? null : (Long) Ways.without(all, before));
    return Ways.without(ways, before);
  }

  /** Remembers what slices have come to, in case that they are left. */
  private void remember() {
    if (levels != null) {
      told.add(page);
      toldResults += page.size();
      if (toldResults > MOST_TOLD) {
        levels = null;
        told.clear();
      }
    }
  }

  private boolean nextPage() {
    boolean projected =
        plan.result() instanceof PlanResult.Values || plan.result() instanceof PlanResult.Reduced;
    boolean tuples =
        plan.result() instanceof PlanResult.Top || projected && router.shards() > 1 && !inSlices;
    if (!tuples) {
      return fetchPage();
    }
    if (together) {
      return false;
    }
    together = true;
    page = allTuples();
    return page.size() > 0;
  }

  /** Fetches the next page of any shard; false when there are no more. */
  private boolean fetchPage() {
    while (!more) {
      if (++shard >= router.shards()) {
        return false;
      }
      page = driver.firstPage(shard);
      more = driver.hasMore(shard);
      if (page != TraversalPage.EMPTY) {
        remember();
        return true;
      }
    }
    wake();
    try {
      Request next = new Request.FetchResults(driver.id(), ++pages);
      page = driver.asked().call(shard, next, Response.Results.class).page();
      HeapGauge.ofProcess().requireRoom(RESULT_BYTES * page.size(), "the results of a traversal");
      more = page.more();
    } finally {
      rest();
    }
    remember();
    return true;
  }

  private TraversalPage allTuples() {
    Map<ByteBuffer, Long> all = new LinkedHashMap<>();
    while (fetchPage()) {
      for (int i = 0; i < page.size(); i++) {
        all.merge(ByteBuffer.wrap(page.tuples()[i]), page.bulk(i), Ways::sum);
      }
    }
    List<byte[]> tuples = new ArrayList<>();
    all.keySet().forEach(tuple -> tuples.add(tuple.array()));
    if (plan.result() instanceof PlanResult.Top top) {
      sort(tuples, new TupleOrder(top.by()));
      toTake = top.limit();
    }
    long[] bulks = new long[tuples.size()];
    for (int i = 0; i < bulks.length; i++) {
      bulks[i] = requireNonNull(all.get(ByteBuffer.wrap(tuples.get(i))));
    }
    return new TraversalPage(
        0, new long[0], List.of(), tuples.toArray(new byte[0][]), bulks, false);
  }

  private static void sort(List<byte[]> tuples, TupleOrder order) {
    record Keyed(byte[] tuple, Object[] values) {}

    List<Keyed> keyed = new ArrayList<>();
    tuples.forEach(tuple -> keyed.add(new Keyed(tuple, order.values(tuple))));
    keyed.sort(
        Comparator.comparing(Keyed::values, order)
            .thenComparing(Keyed::tuple, Arrays::compareUnsigned));
    tuples.clear();
    keyed.forEach(each -> tuples.add(each.tuple()));
  }

  @Override
  public long bulk() {
    return bulk;
  }

  @Override
  public long vertex() {
    return plan.result() instanceof PlanResult.Top ? (Long) value(0) : page.vertices()[at];
  }

  @Override
  public @Nullable VertexRecord vertexRecord() {
    ElementPage rows = page.rows();
    if (rows == null) {
      return null;
    }
    while (rowsAt < rows.elements() && rows.source(rowsAt) < at) {
      rowsAt++;
    }
    return rowsAt < rows.elements() && rows.source(rowsAt) == at
        ? decoder.vertex(rows, rowsAt, null)
        : null;
  }

  @Override
  public EdgeKey edge() {
    return plan.result() instanceof PlanResult.Top ? (EdgeKey) value(0) : page.edges().get(at);
  }

  @Override
  public Object value(int column) {
    byte[] tuple = page.tuples()[at];
    ByteReader in = new ByteReader(tuple, 0, tuple.length);
    for (int i = 0; i < column; i++) {
      in.skip(in.getVarInt());
    }
    int length = in.getVarInt();
    @Nullable Projection projection = null;
    if (plan.result() instanceof PlanResult.Values values) {
      projection = values.columns().get(column);
    } else if (plan.result() instanceof PlanResult.Top && column == 0) {
      projection = new Projection.Self();
    }
    if (projection instanceof Projection.Self) {
      byte[] key = in.getBytes(length);
      return kind == ElementKind.VERTEX
          ? (Object) BigEndian.getLong(key, 0)
          : RowKeys.edgeKey(key, 0);
    } else if (projection instanceof Projection.Label) {
      NameKind names = kind == ElementKind.VERTEX ? NameKind.VERTEX_LABEL : NameKind.EDGE_LABEL;
      int id = in.getShort();
      return router.schemaWith(names, id).name(names, id);
    }
    return ValueCodec.read(in);
  }

  @Override
  public List<Object> path(int from) {
    throw noPaths();
  }

  @Override
  public int pathShared() {
    throw noPaths();
  }

  private GraphMetaException noPaths() {
    return GraphMetaException.internal("The plan keeps no paths: " + plan);
  }

  @Override
  public TraversalProfile profile() {
    TraversalProfile profile = driver.profile();
    if (left.isEmpty()) {
      return profile;
    }
    List<TraversalProfile.Part> all = new ArrayList<>(left);
    all.addAll(profile.parts());
    return new TraversalProfile(profile.engine(), profile.nanos(), all);
  }

  @Override
  public void close() {
    done = true;
    end();
  }

  private void end() {
    if (asleep) {
      asleep = false;
      resting.remove(driver.id());
    }
    driver.close();
  }
}
