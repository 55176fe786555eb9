package io.graphmeta.traversal;

import static java.util.Objects.requireNonNull;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.ValueCodec;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the servers have found, fetched page by page and put together: counts are added up, equal
 * tuples of several servers too, and what is in an order is merged. Belongs to one thread.
 */
final class ServerResults implements PlanCursor {
  /** About what a result takes where it is used. */
  private static final long RESULT_BYTES = 64;

  private final Router router;
  private final Plan plan;
  private final Driver driver;
  private final ElementKind kind;
  private final RecordDecoder decoder;
  private int server = -1;
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
  private boolean together;
  private boolean done;

  ServerResults(Router router, Plan plan, Driver driver) {
    this.router = router;
    this.plan = plan;
    this.driver = driver;
    this.kind = plan.finalKind();
    this.decoder = new RecordDecoder(router);
    this.toSkip = plan.range().low();
    long high = plan.range().high();
    this.toTake = high == Long.MAX_VALUE ? high : high - plan.range().low();
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
        if (!nextPage()) {
          done = true;
        }
        continue;
      }
      bulk = page.bulk(at);
      long skipped = Math.min(toSkip, bulk);
      toSkip -= skipped;
      bulk = Math.min(Ways.without(bulk, skipped), toTake);
      if (bulk > 0) {
        toTake -= toTake == Long.MAX_VALUE ? 0 : bulk;
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
    long count = 0;
    while (fetchPage()) {
      count = Ways.sum(count, page.count());
    }
    bulk = Ways.told(Math.min(Ways.without(count, toSkip), toTake));
    return true;
  }

  private boolean nextPage() {
    boolean projected =
        plan.result() instanceof PlanResult.Values || plan.result() instanceof PlanResult.Reduced;
    boolean tuples = plan.result() instanceof PlanResult.Top || projected && router.servers() > 1;
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

  /** Fetches the next page of any server; false when there are no more. */
  private boolean fetchPage() {
    while (!more) {
      if (++server >= router.servers()) {
        return false;
      }
      page = driver.firstPage(server);
      more = driver.hasMore(server);
      if (page != TraversalPage.EMPTY) {
        return true;
      }
    }
    page =
        router
            .call(server, new Request.FetchResults(driver.id(), ++pages), Response.Results.class)
            .page();
    HeapGauge.ofProcess().requireRoom(RESULT_BYTES * page.size(), "the results of a traversal");
    more = page.more();
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
    keyed.sort((one, other) -> order.compare(one.values(), other.values()));
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
    return driver.profile();
  }

  @Override
  public void close() {
    done = true;
    driver.close();
  }
}
