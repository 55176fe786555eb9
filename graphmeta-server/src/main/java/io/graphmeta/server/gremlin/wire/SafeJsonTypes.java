package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.rules.StrategyRules;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.commons.configuration2.MapConfiguration;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.BulkSet;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.Tree;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.TraversalStrategyProxy;
import org.apache.tinkerpop.gremlin.structure.io.graphson.AbstractObjectDeserializer;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONVersion;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.apache.tinkerpop.shaded.jackson.core.JsonParser;
import org.apache.tinkerpop.shaded.jackson.core.JsonToken;
import org.apache.tinkerpop.shaded.jackson.databind.DeserializationContext;
import org.apache.tinkerpop.shaded.jackson.databind.JsonDeserializer;
import org.apache.tinkerpop.shaded.jackson.databind.deser.std.StdDeserializer;
import org.apache.tinkerpop.shaded.jackson.databind.module.SimpleModule;
import org.jspecify.annotations.Nullable;

/**
 * GraphSON without what loads classes by name, without lambdas, and with an end to sets and maps
 * that take long to make.
 */
final class SafeJsonTypes extends SimpleModule {
  private static final long serialVersionUID = 1L;

  SafeJsonTypes(GraphSONVersion version) {
    super("graphmeta-safe-types");
    addDeserializer(Class.class, new StrategyClass());
    addDeserializer(TraversalStrategyProxy.class, new Strategy(null));
    StrategyRules.usable().forEach(this::addStrategy);
    addDeserializer(Lambda.class, new NoLambda());
    addDeserializer(Tree.class, new Refused<>(Tree.class));
    addDeserializer(BulkSet.class, new Refused<>(BulkSet.class));
    if (version == GraphSONVersion.V3_0) {
      addDeserializer(Set.class, new SetOfAny());
      addDeserializer(Map.class, new MapOfAny());
    }
  }

  @SuppressWarnings({"rawtypes", "unchecked"})
  private void addStrategy(Class type) {
    addDeserializer(type, (JsonDeserializer) new Strategy(type));
  }

  /** A class can only be that of a strategy. */
  @SuppressWarnings("rawtypes")
  private static final class StrategyClass extends StdDeserializer<Class> {
    private static final long serialVersionUID = 1L;

    StrategyClass() {
      super(Class.class);
    }

    @Override
    public Class<?> deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return StrategyRules.requireUsable(parser.getText());
    }

    @Override
    public boolean isCachable() {
      return true;
    }
  }

  /**
   * A strategy: named by its class, or of a type of its own. Its settings are called {@code conf}
   * since 3.8; before, they were all there was.
   */
  @SuppressWarnings({"rawtypes", "unchecked"})
  private static final class Strategy extends AbstractObjectDeserializer<TraversalStrategyProxy> {
    private static final long serialVersionUID = 1L;

    private final @Nullable Class<?> known;

    Strategy(@Nullable Class<?> known) {
      super(TraversalStrategyProxy.class);
      this.known = known;
    }

    @Override
    public TraversalStrategyProxy createObject(Map<String, Object> data) {
      Class<?> type =
          known == null ? StrategyRules.requireUsable(String.valueOf(data.get("fqcn"))) : known;
      Map<String, Object> configuration = new HashMap<>(data);
      configuration.remove("fqcn");
      if (data.containsKey("conf")) {
        configuration =
            data.get("conf") instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
      }
      return new TraversalStrategyProxy(type, new MapConfiguration(configuration));
    }
  }

  /** Until its end, as TinkerPop's; the beginning was read. */
  @SuppressWarnings("rawtypes")
  private static final class SetOfAny extends StdDeserializer<Set> {
    private static final long serialVersionUID = 1L;

    SetOfAny() {
      super(Set.class);
    }

    @Override
    public Set<@Nullable Object> deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      Set<@Nullable Object> set = new LinkedHashSet<>();
      HashKeys keys = new HashKeys();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        set.add(keys.counted(context.readValue(parser, Object.class)));
      }
      return set;
    }
  }

  /** Keys and values in turn, as TinkerPop has them; the beginning was read. */
  @SuppressWarnings("rawtypes")
  private static final class MapOfAny extends StdDeserializer<Map> {
    private static final long serialVersionUID = 1L;

    MapOfAny() {
      super(Map.class);
    }

    @Override
    public Map<@Nullable Object, @Nullable Object> deserialize(
        JsonParser parser, DeserializationContext context) throws IOException {
      Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
      HashKeys keys = new HashKeys();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        Object key = keys.counted(context.readValue(parser, Object.class));
        parser.nextToken();
        map.put(key, context.readValue(parser, Object.class));
      }
      return map;
    }
  }

  /** What no request needs. */
  private static final class Refused<T> extends StdDeserializer<T> {
    private static final long serialVersionUID = 1L;

    Refused(Class<T> type) {
      super(type);
    }

    @Override
    public T deserialize(JsonParser parser, DeserializationContext context) {
      throw Refusal.invalid(
          "A request cannot hold a value of type " + handledType().getSimpleName());
    }
  }

  private static final class NoLambda extends StdDeserializer<Lambda> {
    private static final long serialVersionUID = 1L;

    NoLambda() {
      super(Lambda.class);
    }

    @Override
    public Lambda deserialize(JsonParser parser, DeserializationContext context) {
      throw Refusal.lambda();
    }
  }
}
