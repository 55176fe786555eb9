package io.graphmeta.reads;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Looks up the rows of ids: which vertices and edges an id was ever given to. Such a row has no
 * stamp, so that it is the same for every view, and it may name an element of a transaction that is
 * not committed. Safe for use by many threads.
 */
public final class IdLookup {
  private final Router router;

  IdLookup(Router router) {
    this.router = router;
  }

  /**
   * All vertices that an id was given to, oldest first. Some may be of transactions that are not
   * committed, or not seen by a snapshot.
   */
  public long[] vertices(String id) {
    return vertexKeys(row(id, false));
  }

  /** As {@link #vertices(String)}, of edges. */
  public List<EdgeKey> edges(String id) {
    return edgeKeys(row(id, true));
  }

  /**
   * All vertices that some ids were given to, in the order of the ids, those of one id oldest
   * first. A generated id is the key of a vertex in letters, and leads to that vertex.
   */
  public long[] vertices(List<String> ids) {
    List<byte[]> rows =
        rows(ids.stream().filter(id -> !GeneratedIds.isReserved(id)).toList(), false);
    Iterator<byte[]> given = rows.iterator();
    long[] keys = new long[ids.size()];
    int count = 0;
    for (String id : ids) {
      long[] leading =
          GeneratedIds.isReserved(id)
              ? new long[] {GeneratedIds.parseVertex(id)}
              : vertexKeys(given.next());
      for (long key : leading) {
        if (count == keys.length) {
          keys = Arrays.copyOf(keys, 2 * count);
        }
        keys[count] = key;
        count += key == 0 ? 0 : 1;
      }
    }
    return Arrays.copyOf(keys, count);
  }

  /** As {@link #vertices(String)}, for many ids: the vertices of each, in the order of the ids. */
  public List<long[]> verticesOfEach(List<String> ids) {
    return rows(ids, false).stream().map(IdLookup::vertexKeys).toList();
  }

  /** As {@link #edges(String)}, for many ids: the edges of each, in the order of the ids. */
  public List<List<EdgeKey>> edges(List<String> ids) {
    return rows(ids, true).stream().map(IdLookup::edgeKeys).toList();
  }

  private static long[] vertexKeys(byte[] row) {
    long[] keys = new long[row.length / Long.BYTES];
    Arrays.setAll(keys, i -> BigEndian.getLong(row, i * Long.BYTES));
    return keys;
  }

  private static List<EdgeKey> edgeKeys(byte[] row) {
    List<EdgeKey> keys = new ArrayList<>();
    for (int at = 0; at < row.length; at += RowKeys.EDGE_KEY_BYTES) {
      keys.add(RowKeys.edgeKey(row, at));
    }
    return keys;
  }

  private byte[] row(String id, boolean edges) {
    int shard = router.shards() == 1 ? 0 : router.home(id);
    Request request = new Request.Incarnations(List.of(id), edges, 0);
    return router.call(shard, request, Response.Rows.class).values()[0];
  }

  private static Request incarnations(List<String> ids, boolean edges, int from) {
    return new Request.Incarnations(ids, edges, from);
  }

  /** The values of the rows of ids, empty for an id that was never given. */
  private List<byte[]> rows(List<String> ids, boolean edges) {
    byte[][] found = new byte[ids.size()][];
    KeyBatches.forEach(ids, (batch, first) -> readBatch(batch, edges, first, found));
    return List.of(found);
  }

  private void readBatch(List<String> ids, boolean edges, int first, byte[][] found) {
    ShardParts parts =
        ShardParts.of(router.shards(), ids.size(), position -> router.home(ids.get(position)));
    List<Runnable> answers = new ArrayList<>();
    parts.forEach(
        (shard, positions) -> {
          List<String> part = positions == null ? ids : parts.part(ids, shard);
          CompletableFuture<Response> begin = router.send(shard, incarnations(part, edges, 0));
          answers.add(
              () -> {
                int at = 0;
                Response answer = router.await(begin);
                while (true) {
                  for (byte[] value : ((Response.Rows) answer).values()) {
                    found[first + (positions == null ? at : positions[at])] = value;
                    at++;
                  }
                  if (at >= part.size()) {
                    return;
                  }
                  answer = router.call(shard, incarnations(part, edges, at), Response.Rows.class);
                }
              });
        });
    answers.forEach(Runnable::run); // all shards were asked before one is waited for
  }
}
