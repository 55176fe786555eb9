package io.graphmeta.bench.peers.hugegraph;

import io.graphmeta.bench.peers.runner.Provider;
import io.graphmeta.bench.peers.runner.Schema;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Map;
import org.apache.commons.configuration2.MapConfiguration;
import org.apache.hugegraph.HugeFactory;
import org.apache.hugegraph.HugeGraph;
import org.apache.hugegraph.backend.cache.Cache;
import org.apache.hugegraph.backend.cache.CacheManager;
import org.apache.hugegraph.backend.id.Id;
import org.apache.hugegraph.backend.store.BackendProviderFactory;
import org.apache.hugegraph.config.CoreOptions;
import org.apache.hugegraph.config.OptionSpace;
import org.apache.hugegraph.masterelection.GlobalMasterInfo;
import org.apache.hugegraph.schema.SchemaManager;
import org.apache.hugegraph.schema.VertexLabel;
import org.apache.hugegraph.type.define.DataType;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * HugeGraph on RocksDB, embedded, with the settings of its distribution; the text analyzer is one
 * that needs no files, and is not used.
 */
public final class HugeGraphProvider implements Provider {
  private static final String ROCKSDB = "org.apache.hugegraph.backend.store.rocksdb.";

  static {
    OptionSpace.register("core", CoreOptions.class.getName());
    OptionSpace.register("rocksdb", ROCKSDB + "RocksDBOptions");
    BackendProviderFactory.register("rocksdb", ROCKSDB + "RocksDBStoreProvider");
  }

  @Override
  public Graph open(Path directory) {
    HugeGraph graph = connect(directory);
    graph.serverStarted(GlobalMasterInfo.master("bench"));
    return graph;
  }

  @Override
  public Graph create(Path directory, Schema schema) {
    HugeGraph graph = connect(directory);
    graph.initBackend();
    graph.serverStarted(GlobalMasterInfo.master("bench"));
    SchemaManager manager = graph.schema();
    schema.keys().forEach((key, type) -> manager.propertyKey(key).dataType(type(type)).create());
    for (Schema.VertexLabel label : schema.vertices()) {
      VertexLabel.Builder made =
          manager.vertexLabel(label.name()).properties(label.keys().toArray(new String[0]));
      (schema.textIds() ? made.useCustomizeStringId() : made.useCustomizeNumberId()).create();
    }
    for (Schema.EdgeLabel label : schema.edges()) {
      manager
          .edgeLabel(label.name())
          .link(label.from(), label.to())
          .properties(label.keys().toArray(new String[0]))
          .create();
    }
    return graph;
  }

  private static DataType type(Class<?> type) {
    return type == String.class ? DataType.TEXT : type == Long.class ? DataType.LONG : DataType.INT;
  }

  /**
   * The caches belong to the process, and would look for their elements in the closed graph. They
   * cannot be asked to go.
   */
  @Override
  public void close(Graph graph) throws Exception {
    graph.close();
    HugeFactory.remove((HugeGraph) graph);
    CacheManager.instance().caches().values().forEach(Cache::clear);
    Field caches = CacheManager.class.getDeclaredField("caches");
    caches.setAccessible(true);
    ((Map<?, ?>) caches.get(CacheManager.instance())).clear();
  }

  private static HugeGraph connect(Path directory) {
    return HugeFactory.open(
        new MapConfiguration(
            Map.of(
                "gremlin.graph",
                HugeFactory.class.getName(),
                "backend",
                "rocksdb",
                "serializer",
                "binary",
                "store",
                "bench",
                "vertex.cache_type",
                "l2",
                "edge.cache_type",
                "l2",
                "task.scheduler_type",
                "local",
                "rocksdb.data_path",
                directory.resolve("rows").toString(),
                "rocksdb.wal_path",
                directory.resolve("log").toString())));
  }

  @Override
  public int number(Graph graph, Object id) {
    return ((Number) ((Id) id).asObject()).intValue();
  }

  @Override
  public int commitElements() {
    return 5_000;
  }
}
