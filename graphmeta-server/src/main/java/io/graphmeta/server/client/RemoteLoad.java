package io.graphmeta.server.client;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.ingest.LoadRecord;
import io.graphmeta.server.ingest.LoadResult;
import io.graphmeta.server.ingest.RecordLoad;
import io.graphmeta.server.ingest.wire.RecordForm;
import io.graphmeta.server.ingest.wire.RecordWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.jspecify.annotations.Nullable;

/**
 * A load over a connection, in batches. While the server loads one the caller makes the next; there
 * is never more than one under way, so that records are loaded in their order, as they are in a
 * database of this process. Used by one thread.
 */
public final class RemoteLoad implements RecordLoad {
  private static final String SERVICE = "graphmeta.load";
  private static final int MAX_BATCH_BYTES = 1 << 18;
  private static final int MAX_BATCH_RECORDS = 1_000;

  /** What a request has besides the records: its service, the form, the id. */
  private static final int HEADING_BYTES = 1_024;

  private static final int MAX_ATTEMPTS = 10;
  private static final long FIRST_PAUSE_MILLIS = 50;

  private final RemoteGraph server;
  private final Failures failures;
  private final long maxRequestBytes;
  private final long maxRecordsBytes;
  private final int batchBytes;
  private final RecordWriter writer = new RecordWriter();
  private List<String> sources = new ArrayList<>();
  private @Nullable Batch underWay;
  private LoadResult result = LoadResult.NONE;

  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "graphmeta-load");
            thread.setDaemon(true);
            return thread;
          });

  private record Batch(List<String> sources, Future<Map<?, ?>> answer) {}

  /**
   * A load that has begun.
   *
   * @throws GraphMetaException if the server takes no records, or not in this form
   */
  public RemoteLoad(RemoteGraph server, Failures failures) {
    this.server = server;
    this.failures = failures;
    Map<?, ?> limits = limits();
    this.maxRequestBytes = number(limits, "maxRequestBytes") - HEADING_BYTES;
    this.maxRecordsBytes = number(limits, "maxRecordsBytes");
    this.batchBytes =
        (int) Math.min(MAX_BATCH_BYTES, Math.min(maxRequestBytes / 2, maxRecordsBytes));
  }

  private Map<?, ?> limits() {
    try {
      return call(Map.of("form", RecordForm.NAME));
    } catch (RuntimeException e) {
      throw RemoteGraph.failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw cutOff("it was interrupted", e);
    }
  }

  /** Asks again after a while where the server has no room: nothing is loaded twice. */
  private Map<?, ?> call(Map<String, Object> parameters) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        return (Map<?, ?>) server.source().call(SERVICE, parameters).next();
      } catch (RuntimeException e) {
        if (attempt == MAX_ATTEMPTS || !passes(e)) {
          throw e;
        }
        Thread.sleep(FIRST_PAUSE_MILLIS << Math.min(attempt, 6));
      }
    }
  }

  @Override
  public void add(String source, LoadRecord record) {
    int before = writer.sizeBytes();
    writer.add(record);
    if (before > 0 && (writer.sizeBytes() > batchBytes || sources.size() == MAX_BATCH_RECORDS)) {
      send(before);
    }
    sources.add(source);
  }

  /** Sends the first records, when the batch before them is loaded. */
  private void send(int bytes) {
    List<String> batch = sources;
    sources = new ArrayList<>();
    byte[] records = writer.take(bytes);
    await();
    if (records.length > maxRequestBytes || bytes > maxRecordsBytes) {
      // It is one record: several of them are never so many.
      failures.failed(
          batch.get(0),
          "its records come to "
              + bytes
              + " bytes, "
              + records.length
              + " compressed; expected no more than the server takes at once, "
              + maxRecordsBytes
              + " (server.max-load-bytes) and "
              + maxRequestBytes
              + " (server.max-request-bytes)");
      return;
    }
    Map<String, Object> parameters =
        Map.of("form", RecordForm.NAME, "records", ByteBuffer.wrap(records));
    underWay = new Batch(batch, sender.submit(() -> call(parameters)));
  }

  private static boolean passes(Throwable failure) {
    ResponseException answer = RemoteGraph.answer(failure);
    return answer != null
        && (answer.getResponseStatusCode() == ResponseStatusCode.TOO_MANY_REQUESTS
            || answer.getResponseStatusCode() == ResponseStatusCode.SERVER_ERROR_TEMPORARY);
  }

  private void await() {
    Batch batch = underWay;
    if (batch == null) {
      return;
    }
    underWay = null;
    try {
      Map<?, ?> answer = batch.answer().get();
      result =
          result.plus(
              new LoadResult(
                  (int) number(answer, "loaded"),
                  (int) number(answer, "unchanged"),
                  number(answer, "vertices"),
                  number(answer, "edges")));
      if (answer.get("failures") instanceof Map<?, ?> failed) {
        failed.forEach((record, reason) -> tell(batch, record, reason));
      }
    } catch (ExecutionException e) {
      ResponseException answered = RemoteGraph.answer(e);
      throw cutOff(
          answered == null ? "the server does not answer any more" : RemoteGraph.message(answered),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw cutOff("it was interrupted", e);
    }
  }

  private void tell(Batch batch, Object record, Object reason) {
    int number = Integer.parseInt(record.toString());
    failures.failed(batch.sources().get(number), reason.toString());
  }

  private GraphMetaException cutOff(String why, Exception cause) {
    return new GraphMetaException(
        ErrorCode.OUTCOME_UNKNOWN,
        "The load was cut off: "
            + why
            + "; "
            + result.loaded()
            + " were loaded before, and maybe more. Load again to go on: what is there stays as it is",
        cause);
  }

  private static long number(Map<?, ?> answer, String field) {
    return answer.get(field) instanceof Number number ? number.longValue() : 0;
  }

  @Override
  public LoadResult finish() {
    if (writer.sizeBytes() > 0) {
      send(writer.sizeBytes());
    }
    await();
    return result;
  }

  @Override
  public void close() {
    sender.shutdownNow();
  }
}
