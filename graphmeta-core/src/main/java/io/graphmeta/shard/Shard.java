package io.graphmeta.shard;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.transport.RequestHandler;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/**
 * One server's part of the graph: answers every {@link Request}. Safe for use by many threads. Does
 * not own its store: close the shard first, then the store.
 */
public final class Shard implements RequestHandler, AutoCloseable {
  private final StorageEngine storage;
  private final ShardReads reads;
  private final CommitPipeline commits;
  private final SequenceLeases leases;
  private final SchemaStore schema;
  private boolean closed;

  /**
   * A shard over a store.
   *
   * @param physical the clock that stamps follow
   * @param durability of commits
   * @param pageBytes size at which a page of results ends
   * @param maxOffsetMicros how far stamps of clients may lie ahead
   */
  public Shard(
      StorageEngine storage,
      InstantSource physical,
      Durability durability,
      int pageBytes,
      long maxOffsetMicros) {
    this.storage = storage;
    this.reads = new ShardReads(storage, pageBytes);
    this.commits =
        new CommitPipeline(
            storage, new StampSource(storage, physical, maxOffsetMicros), durability);
    this.leases = new SequenceLeases(storage);
    this.schema = new SchemaStore(storage);
  }

  @Override
  public CompletableFuture<Response> handle(Call call) {
    return CompletableFuture.completedFuture(answer(call.request()));
  }

  private Response answer(Request request) {
    if (request instanceof Request.Snapshot snapshot) {
      return new Response.Stamped(commits.snapshot(snapshot.seen()));
    } else if (request instanceof Request.FindVertices find) {
      return reads.findVertices(find);
    } else if (request instanceof Request.ReadVertices read) {
      return reads.readVertices(read);
    } else if (request instanceof Request.Expand expand) {
      return reads.expand(expand);
    } else if (request instanceof Request.Commit commit) {
      return commits.commit(commit);
    } else if (request instanceof Request.FindEdges find) {
      return reads.findEdges(find);
    } else if (request instanceof Request.ReadEdges read) {
      return reads.readEdges(read);
    } else if (request instanceof Request.ScanVertices scan) {
      return reads.scanVertices(scan);
    } else if (request instanceof Request.ScanEdges scan) {
      return reads.scanEdges(scan);
    } else {
      return handleRare(request);
    }
  }

  private Response handleRare(Request request) {
    if (request instanceof Request.Lease lease) {
      return new Response.Leased(leases.lease(lease.kind(), lease.count()));
    } else if (request instanceof Request.Define define) {
      return new Response.Schema(schema.define(define.kind(), define.name(), define.multiValued()));
    } else if (request instanceof Request.ReadSchema) {
      return new Response.Schema(schema.image());
    } else if (request instanceof Request.Incarnations incarnations) {
      return reads.incarnations(incarnations);
    } else if (request instanceof Request.ProbeRows probe) {
      return reads.probe(probe.family(), probe.keys());
    } else if (request instanceof Request.ScanRows scan) {
      return reads.scanRows(scan);
    } else if (request instanceof Request.ReadStatus) {
      return new Response.Status(
          storage.statistics().bytesOnDisk(),
          storage.statistics().estimatedRows(),
          commits.resolved(),
          0,
          0,
          0);
    } else if (request instanceof Request.Clear) {
      return new Response.Stamped(commits.clear(this::clear));
    }
    throw GraphMetaException.internal("No answer to " + request.getClass().getSimpleName());
  }

  private void clear() {
    storage.clear();
    leases.store();
    schema.clear();
  }

  /**
   * How far the stamps of an earlier run may lie ahead of the physical clock, in microseconds.
   * Whoever opens a store waits as long if it is short, so that new stamps are true times.
   */
  public static long aheadMicros(StorageEngine storage, InstantSource physical) {
    return StampSource.aheadMicros(storage, physical);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      commits.close();
    }
  }
}
