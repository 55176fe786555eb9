package io.graphmeta.engine;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Has the shards compare indexes with their stores, page by page. Belongs to one thread. */
final class IndexComparisons {
  private static final int MOST_EXAMPLES = 5;

  private final Router router;
  private final LongConsumer progress;
  private long versions;

  IndexComparisons(Router router, LongConsumer progress) {
    this.router = router;
    this.progress = progress;
  }

  /** Compares an index on all shards. */
  IndexCheck of(IndexDefinition definition) {
    List<IndexCheck.OnShard> shards = new ArrayList<>();
    for (int shard = 0; shard < router.shards(); shard++) {
      shards.add(onShard(definition, shard));
    }
    return new IndexCheck(definition.name(), shards);
  }

  private IndexCheck.OnShard onShard(IndexDefinition definition, int shard) {
    Sum sum = new Sum();
    Position from = Position.START;
    String left = "";
    try {
      // Its answer comes when the shard has opened its index.
      String fault = router.readIndexes(shard).fault();
      while (from != null) {
        Response.ComparedIndex page = router.compareIndex(shard, definition.number(), from);
        if (!page.built()) {
          left = fault.isEmpty() ? "the shard has not built it" : fault;
          break;
        }
        sum.add(page);
        versions += page.versions();
        progress.accept(versions);
        from = page.next();
      }
    } catch (GraphMetaException e) {
      if (!e.code().isAway() && e.code() != ErrorCode.TIMEOUT) {
        throw e;
      }
      left = String.valueOf(e.getMessage());
    }
    return sum.onShard(shard, left);
  }

  /** What the pages of a shard come to. */
  private static final class Sum {
    private final List<String> examples = new ArrayList<>();
    private long upTo = Stamp.MAX;
    private long versions;
    private long missing;
    private long wider;
    private long surplus;

    void add(Response.ComparedIndex page) {
      upTo = Math.min(upTo, page.stamp());
      versions += page.versions();
      missing += page.missing();
      wider += page.wider();
      surplus += page.surplus();
      page.examples().stream().limit(MOST_EXAMPLES - examples.size()).forEach(examples::add);
    }

    IndexCheck.OnShard onShard(int shard, String left) {
      return new IndexCheck.OnShard(
          shard, upTo == Stamp.MAX ? 0 : upTo, versions, missing, wider, surplus, examples, left);
    }
  }
}
