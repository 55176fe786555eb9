package io.graphmeta.server.gremlin;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.configuration2.MapConfiguration;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.TraversalStrategyProxy;
import org.apache.tinkerpop.gremlin.structure.io.graphson.AbstractObjectDeserializer;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.apache.tinkerpop.shaded.jackson.core.JsonParser;
import org.apache.tinkerpop.shaded.jackson.databind.DeserializationContext;
import org.apache.tinkerpop.shaded.jackson.databind.JsonDeserializer;
import org.apache.tinkerpop.shaded.jackson.databind.deser.std.StdDeserializer;
import org.apache.tinkerpop.shaded.jackson.databind.module.SimpleModule;
import org.jspecify.annotations.Nullable;

/** GraphSON without what loads classes by name, and without lambdas. */
final class SafeJsonTypes extends SimpleModule {
  private static final long serialVersionUID = 1L;

  SafeJsonTypes() {
    super("graphmeta-safe-types");
    addDeserializer(Class.class, new StrategyClass());
    addDeserializer(TraversalStrategyProxy.class, new Strategy(null));
    StrategyRules.usable().forEach(this::addStrategy);
    addDeserializer(Lambda.class, new NoLambda());
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

  private static final class NoLambda extends StdDeserializer<Lambda> {
    private static final long serialVersionUID = 1L;

    NoLambda() {
      super(Lambda.class);
    }

    @Override
    public Lambda deserialize(JsonParser parser, DeserializationContext context) {
      throw SafeBinaryTypes.lambdaRefused();
    }
  }
}
