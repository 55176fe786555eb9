package io.graphmeta.server.gremlin.load;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.gremlin.rules.Excerpt;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.rules.WritingServices;
import io.graphmeta.server.ingest.DatabaseLoad;
import io.graphmeta.server.ingest.LoadRecord;
import io.graphmeta.server.ingest.LoadResult;
import io.graphmeta.server.ingest.wire.RecordForm;
import io.graphmeta.server.ingest.wire.RecordReader;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.step.GValue;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * {@code graphmeta.load}: loads records that a loader has read, as {@link DatabaseLoad} does, some
 * in each transaction. What was loaded before an error or a cancellation stays, and the same
 * records sent again change nothing of it. Safe for use by many threads.
 */
public final class LoadService implements Service.ServiceFactory<Object, Object> {
  private static final String FORM = "form";
  private static final String RECORDS = "records";

  private static final Map<String, String> PARAMETERS =
      Map.of(
          FORM,
          "The name of the form of the records: " + RecordForm.NAME + ".",
          RECORDS,
          "The records, as bytes. Without them the answer tells what may be sent.");

  private final GraphDatabase database;
  private final int maxRecordsBytes;
  private final int maxRequestBytes;

  /** Loads into a database. */
  public LoadService(GraphDatabase database, ServerSettings settings) {
    this.database = database;
    this.maxRecordsBytes = settings.integer(ServerSetting.MAX_LOAD_BYTES);
    this.maxRequestBytes = settings.integer(ServerSetting.MAX_REQUEST_BYTES);
  }

  @Override
  public String getName() {
    return WritingServices.LOAD;
  }

  @Override
  public Set<Service.Type> getSupportedTypes() {
    return EnumSet.of(Service.Type.Start);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Map describeParams() {
    return PARAMETERS;
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Service<Object, Object> createService(boolean isStart, Map staticParameters) {
    if (!isStart) {
      throw GraphMetaException.invalid(getName() + " is called at the start of a traversal only");
    }
    return new Call();
  }

  private final class Call implements Service<Object, Object> {
    @Override
    public Type getType() {
      return Type.Start;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public CloseableIterator<Object> execute(ServiceCallContext context, Map given) {
      if (context.getTraversal().getStrategies().getStrategy(ReadOnlyStrategy.class).isPresent()) {
        throw Refusal.forbidden("Nothing is loaded here: the server, or the traversal, only reads");
      }
      return CloseableIterator.of(List.<Object>of(answer(given)).iterator());
    }
  }

  private Map<String, Object> answer(Map<?, ?> given) {
    given
        .keySet()
        .forEach(
            name -> {
              if (!PARAMETERS.containsKey(String.valueOf(name))) {
                throw GraphMetaException.invalid(
                    "Parameter '"
                        + Excerpt.of(String.valueOf(name))
                        + "' of "
                        + getName()
                        + " is unknown; expected "
                        + FORM
                        + " or "
                        + RECORDS);
              }
            });
    Object form = plain(given.get(FORM));
    if (!RecordForm.NAME.equals(form)) {
      throw GraphMetaException.invalid(
          "Records of the form '"
              + Excerpt.of(String.valueOf(form))
              + "' are not known here; expected "
              + RecordForm.NAME
              + ", which a loader of the version of the server sends");
    }
    Object records = plain(given.get(RECORDS));
    if (records == null) {
      return Map.of(
          "maxRequestBytes", (long) maxRequestBytes, "maxRecordsBytes", (long) maxRecordsBytes);
    }
    return load(bytes(records));
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return value instanceof GValue<?> variable ? variable.get() : value;
  }

  private byte[] bytes(Object records) {
    if (!(records instanceof ByteBuffer buffer)) {
      throw GraphMetaException.invalid(
          "Parameter '"
              + RECORDS
              + "' of "
              + getName()
              + " is of the type "
              + records.getClass().getSimpleName()
              + "; expected bytes");
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private Map<String, Object> load(byte[] batch) {
    Map<String, String> failures = new LinkedHashMap<>();
    RecordReader reader = new RecordReader(batch, maxRecordsBytes);
    LoadResult result;
    try (DatabaseLoad load = new DatabaseLoad(database, failures::put)) {
      int number = 0;
      for (LoadRecord next = reader.next(); next != null; next = reader.next()) {
        if (Thread.currentThread().isInterrupted()) {
          throw new GraphMetaException(
              ErrorCode.CANCELLED, "The request was cancelled while it loaded; send it again");
        }
        load.add(Integer.toString(number++), next);
      }
      result = load.finish();
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("loaded", result.loaded());
    answer.put("unchanged", result.unchanged());
    answer.put("vertices", result.vertices());
    answer.put("edges", result.edges());
    answer.put("failures", failures);
    return answer;
  }
}
