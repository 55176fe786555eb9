package io.graphmeta.server.gremlin.rules;

import io.graphmeta.server.settings.ServerSetting;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.CardinalityValueTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.TraversalStrategyProxy;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.jspecify.annotations.Nullable;

/**
 * What a client's bytecode may hold. All of it is looked at, at every depth; steps are those of the
 * Gremlin language and no other methods of a traversal. Immutable.
 */
final class BytecodeRules {
  private static final Set<String> SOURCES =
      Set.of(
          TraversalSource.Symbols.with,
          TraversalSource.Symbols.withSack,
          TraversalSource.Symbols.withSideEffect,
          TraversalSource.Symbols.withStrategies,
          TraversalSource.Symbols.withoutStrategies,
          GraphTraversalSource.Symbols.withBulk,
          GraphTraversalSource.Symbols.withPath);

  /** How bytecode names the setting of a property with its cardinality. */
  private static final String CARDINALITY_VALUE = CardinalityValueTraversal.class.getSimpleName();

  private final QueryLimits limits;
  private final int maxInstructions;
  private final int maxNesting;

  BytecodeRules(int maxInstructions, int maxNesting, QueryLimits limits) {
    this.limits = limits;
    this.maxInstructions = maxInstructions;
    this.maxNesting = maxNesting;
  }

  /**
   * The bytecode, with {@code none()} of 3.7 as what 3.8 calls it, and with regular expressions
   * that can be stopped.
   *
   * @throws Refusal if something in it is not allowed
   */
  Bytecode check(Bytecode bytecode) {
    return new Walk().bytecode(bytecode, 0);
  }

  /** Refuses a value of a parameter that is not allowed. */
  void checkValue(@Nullable Object value) {
    new Walk().argument(value, 0);
  }

  /** One pass over one bytecode. */
  private final class Walk {
    private int instructions;

    Bytecode bytecode(Bytecode bytecode, int depth) {
      Bytecode checked = new Bytecode();
      for (Bytecode.Instruction source : bytecode.getSourceInstructions()) {
        boolean allowed =
            depth == 0
                ? SOURCES.contains(source.getOperator())
                : source.getOperator().equals(CARDINALITY_VALUE);
        if (!allowed) {
          throw Refusal.forbidden(
              "'" + Excerpt.of(source.getOperator()) + "' cannot be set on g here");
        }
        if (source.getOperator().equals(TraversalSource.Symbols.withoutStrategies)) {
          requireRemovable(source.getArguments());
        }
        checked.addSource(source.getOperator(), arguments(source, depth));
      }
      for (Bytecode.Instruction step : bytecode.getStepInstructions()) {
        String name = step.getOperator();
        if (name.equals(GraphTraversal.Symbols.io)) {
          throw Refusal.files();
        }
        if (!StepNames.isStep(name)) {
          throw Refusal.forbidden("'" + Excerpt.of(name) + "' is not a step that is served");
        }
        if (name.equals(GraphTraversal.Symbols.tail)) {
          requireTail(step.getArguments());
        }
        boolean ending =
            name.equals(GraphTraversal.Symbols.none) && step.getArguments().length == 0;
        checked.addStep(ending ? Traversal.Symbols.discard : name, arguments(step, depth));
      }
      return checked;
    }

    /** The step takes room for as many as it is asked for, before it is known what there is. */
    private void requireTail(@Nullable Object[] arguments) {
      for (Object argument : arguments) {
        Object wanted = argument instanceof Bytecode.Binding<?> bound ? bound.value() : argument;
        if (wanted instanceof Number number) {
          limits.requireGathered(number.longValue(), "tail");
        }
      }
    }

    private @Nullable Object[] arguments(Bytecode.Instruction instruction, int depth) {
      if (++instructions > maxInstructions) {
        throw Refusal.invalid(
            "The traversal has more than "
                + maxInstructions
                + " steps ("
                + ServerSetting.MAX_INSTRUCTIONS.key()
                + "); give less of them at a time");
      }
      @Nullable Object[] arguments = instruction.getArguments().clone();
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = argument(arguments[i], depth);
      }
      return arguments;
    }

    @Nullable Object argument(@Nullable Object argument, int depth) {
      if (depth >= maxNesting) {
        throw Refusal.tooDeep(maxNesting);
      }
      if (argument instanceof Bytecode nested) {
        return bytecode(nested, depth + 1);
      }
      if (argument instanceof Bytecode.Binding<?> binding) {
        return new Bytecode.Binding<>(binding.variable(), argument(binding.value(), depth + 1));
      }
      if (argument instanceof Lambda) {
        throw Refusal.lambda();
      }
      if (argument instanceof TraversalStrategyProxy<?> proxy) {
        return strategy(proxy, depth);
      }
      if (argument instanceof TraversalStrategy<?>) {
        throw Refusal.forbidden(
            "Strategy '" + argument.getClass().getSimpleName() + "' cannot be used here");
      }
      if (argument instanceof BigDecimal decimal) {
        QueryLimits.requireScale(decimal.scale());
      }
      if (argument instanceof Map<?, ?> map) {
        return map(map, depth);
      }
      if (argument instanceof Collection<?> collection) {
        return collection(collection, depth);
      }
      if (argument instanceof ConnectiveP<?> connective) {
        connective.getPredicates().forEach(part -> argument(part, depth + 1));
      } else if (argument instanceof P<?> predicate) {
        argument(predicate.getValue(), depth + 1);
      }
      return argument instanceof P<?> predicate ? InterruptibleRegex.in(predicate) : argument;
    }

    private Object map(Map<?, ?> map, int depth) {
      map.forEach(
          (key, value) -> {
            requireUnchanged(key, depth);
            requireUnchanged(value, depth);
          });
      return map;
    }

    private Object collection(Collection<?> collection, int depth) {
      for (Object member : collection) {
        requireUnchanged(member, depth);
      }
      return collection;
    }

    /** Looks at a value that stays where it is; nothing of 3.7 is within. */
    private void requireUnchanged(@Nullable Object value, int depth) {
      argument(value, depth + 1);
    }

    private Object strategy(TraversalStrategyProxy<?> proxy, int depth) {
      StrategyRules.requireUsable(proxy.getStrategyClass().getName());
      Configuration configuration = proxy.getConfiguration();
      Iterator<String> keys = configuration.getKeys();
      while (keys.hasNext()) {
        argument(configuration.getProperty(keys.next()), depth + 1);
      }
      return InterruptibleRegex.in(proxy);
    }
  }

  private static void requireRemovable(Object[] strategies) {
    for (Object strategy : strategies) {
      if (!(strategy instanceof Class<?> type)) {
        throw Refusal.invalid("withoutStrategies() takes classes of strategies");
      }
      StrategyRules.requireRemovable(type.getName());
    }
  }
}
