package io.graphmeta.server.gremlin.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.ConnectiveStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.ElementIdStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.OptionsStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.PartitionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SeedStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.finalization.ReferenceElementStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.AdjacentToIncidentStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.ByModulatorOptimizationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.CountStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.EarlyLimitStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.FilterRankingStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.IdentityRemovalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.IncidentToAdjacentStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.InlineFilterStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.LazyBarrierStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.MatchPredicateStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.OrderLimitStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.PathProcessorStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.PathRetractionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.ProductiveByStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.RepeatUnrollStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.EdgeLabelVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.LambdaRestrictionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReservedKeysVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.StandardVerificationStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The traversal strategies that a client may name. A name that is not here is never looked up, so
 * no class is loaded for it.
 */
public final class StrategyRules {
  /** Those that change how a query is evaluated and not what it may do; they can be left out. */
  private static final Map<String, Class<? extends TraversalStrategy<?>>> OPTIMIZATIONS =
      bySimpleName(
          List.of(
              AdjacentToIncidentStrategy.class,
              ByModulatorOptimizationStrategy.class,
              CountStrategy.class,
              EarlyLimitStrategy.class,
              FilterRankingStrategy.class,
              IdentityRemovalStrategy.class,
              IncidentToAdjacentStrategy.class,
              InlineFilterStrategy.class,
              LazyBarrierStrategy.class,
              MatchPredicateStrategy.class,
              OrderLimitStrategy.class,
              PathProcessorStrategy.class,
              PathRetractionStrategy.class,
              ProductiveByStrategy.class,
              RepeatUnrollStrategy.class));

  private static final Map<String, Class<? extends TraversalStrategy<?>>> OTHERS =
      bySimpleName(
          List.of(
              ConnectiveStrategy.class,
              EdgeLabelVerificationStrategy.class,
              ElementIdStrategy.class,
              LambdaRestrictionStrategy.class,
              OptionsStrategy.class,
              PartitionStrategy.class,
              ReadOnlyStrategy.class,
              ReferenceElementStrategy.class,
              ReservedKeysVerificationStrategy.class,
              SeedStrategy.class,
              StandardVerificationStrategy.class,
              SubgraphStrategy.class));

  private StrategyRules() {}

  private static Map<String, Class<? extends TraversalStrategy<?>>> bySimpleName(
      List<Class<? extends TraversalStrategy<?>>> strategies) {
    return strategies.stream()
        .collect(
            Collectors.toMap(
                Class::getSimpleName, type -> type, (one, other) -> one, TreeMap::new));
  }

  /** All strategies that a client may name. */
  public static List<Class<? extends TraversalStrategy<?>>> usable() {
    List<Class<? extends TraversalStrategy<?>>> usable = new ArrayList<>(OPTIMIZATIONS.values());
    usable.addAll(OTHERS.values());
    return usable;
  }

  /**
   * The strategy of a simple or a full class name.
   *
   * @throws Refusal if a client may not name it
   */
  public static Class<? extends TraversalStrategy<?>> requireUsable(String name) {
    Class<? extends TraversalStrategy<?>> found = find(OPTIMIZATIONS, name);
    if (found == null) {
      found = find(OTHERS, name);
    }
    if (found == null) {
      throw Refusal.forbidden(
          "Strategy '"
              + Excerpt.of(name)
              + "' cannot be used here; expected one of "
              + String.join(", ", OTHERS.keySet())
              + ", "
              + String.join(", ", OPTIMIZATIONS.keySet()));
    }
    return found;
  }

  /**
   * Lets a name pass whose strategy can be left out.
   *
   * @throws Refusal if it is another
   */
  static void requireRemovable(String name) {
    if (find(OPTIMIZATIONS, name) == null) {
      throw Refusal.forbidden(
          "Strategy '"
              + Excerpt.of(name)
              + "' cannot be left out here; expected one of "
              + String.join(", ", OPTIMIZATIONS.keySet()));
    }
  }

  private static @Nullable Class<? extends TraversalStrategy<?>> find(
      Map<String, Class<? extends TraversalStrategy<?>>> strategies, String name) {
    Class<? extends TraversalStrategy<?>> found =
        strategies.get(name.substring(name.lastIndexOf('.') + 1));
    boolean isIt =
        found != null && (found.getSimpleName().equals(name) || found.getName().equals(name));
    return isIt ? found : null;
  }
}
