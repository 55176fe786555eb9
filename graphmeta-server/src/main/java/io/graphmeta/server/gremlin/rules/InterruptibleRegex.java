package io.graphmeta.server.gremlin.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.commons.configuration2.Configuration;
import org.apache.commons.configuration2.MapConfiguration;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.NotP;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.PBiPredicate;
import org.apache.tinkerpop.gremlin.process.traversal.Text;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.TraversalStrategyProxy;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;
import org.apache.tinkerpop.gremlin.process.traversal.util.OrP;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.jspecify.annotations.Nullable;

/**
 * The test of {@code regex()} and {@code notRegex()}, with the answers of TinkerPop's test, but a
 * match that backtracks without end stops when its query is cancelled. It takes the place of
 * TinkerPop's test in a bytecode, before a traversal is made of the bytecode. Immutable.
 */
public final class InterruptibleRegex implements PBiPredicate<String, String> {
  private static final long serialVersionUID = 1L;

  private final Pattern pattern;
  private final boolean negate;

  private InterruptibleRegex(Pattern pattern, boolean negate) {
    this.pattern = pattern;
    this.negate = negate;
  }

  /** The bytecode with stoppable tests in all of its predicates; itself if it has no regex. */
  public static Bytecode in(Bytecode bytecode) {
    Bytecode replaced = new Bytecode();
    boolean changed = false;
    for (Bytecode.Instruction source : bytecode.getSourceInstructions()) {
      @Nullable Object[] arguments = inArguments(source);
      changed |= arguments != source.getArguments();
      replaced.addSource(source.getOperator(), arguments);
    }
    for (Bytecode.Instruction step : bytecode.getStepInstructions()) {
      @Nullable Object[] arguments = inArguments(step);
      changed |= arguments != step.getArguments();
      replaced.addStep(step.getOperator(), arguments);
    }
    return changed ? replaced : bytecode;
  }

  private static @Nullable Object[] inArguments(Bytecode.Instruction instruction) {
    @Nullable Object[] arguments = instruction.getArguments();
    @Nullable Object[] replaced = arguments;
    for (int i = 0; i < arguments.length; i++) {
      Object argument = inArgument(arguments[i]);
      if (argument != arguments[i]) {
        replaced = replaced == arguments ? arguments.clone() : replaced;
        replaced[i] = argument;
      }
    }
    return replaced;
  }

  private static @Nullable Object inArgument(@Nullable Object argument) {
    if (argument instanceof Bytecode nested) {
      return in(nested);
    }
    if (argument instanceof Bytecode.Binding<?> binding) {
      Object value = inArgument(binding.value());
      return value == binding.value()
          ? argument
          : new Bytecode.Binding<>(binding.variable(), value);
    }
    if (argument instanceof Traversal<?, ?> traversal) {
      Bytecode bytecode = traversal.asAdmin().getBytecode();
      Bytecode replaced = in(bytecode);
      return replaced == bytecode ? argument : replaced;
    }
    if (argument instanceof TraversalStrategyProxy<?> proxy) {
      return in(proxy);
    }
    if (argument instanceof TraversalStrategy<?> strategy) {
      return inStrategy(strategy, strategy.getClass(), strategy.getConfiguration());
    }
    return argument instanceof P<?> predicate ? in(predicate) : argument;
  }

  /** Strategies can have traversals among their settings. */
  private static Object inStrategy(Object strategy, Class<?> type, Configuration configuration) {
    Map<String, @Nullable Object> settings = new HashMap<>();
    boolean changed = false;
    Iterator<String> keys = configuration.getKeys();
    while (keys.hasNext()) {
      String key = keys.next();
      Object value = configuration.getProperty(key);
      Object replaced = inArgument(value);
      changed |= replaced != value;
      settings.put(key, replaced);
    }
    if (!changed) {
      return strategy;
    }
    // A strategy can have put steps of its own behind those of its bytecode; it will do so again.
    settings.replaceAll(
        (key, value) ->
            value instanceof Traversal<?, ?> traversal ? traversal.asAdmin().getBytecode() : value);
    return proxy(type, settings);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static TraversalStrategyProxy<?> proxy(
      Class<?> type, Map<String, @Nullable Object> settings) {
    return new TraversalStrategyProxy(type, new MapConfiguration(settings));
  }

  /** The strategy with stoppable tests in its settings; itself if it has no regex. */
  static Object in(TraversalStrategyProxy<?> strategy) {
    return inStrategy(strategy, strategy.getStrategyClass(), strategy.getConfiguration());
  }

  /** The predicate with stoppable tests, in its parts too; itself if it has no regex. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  static P<?> in(P<?> predicate) {
    if (predicate instanceof ConnectiveP<?> connective) {
      List<P> parts = new ArrayList<>();
      boolean changed = false;
      for (P<?> part : connective.getPredicates()) {
        P<?> replaced = in(part);
        changed |= replaced != part;
        parts.add(replaced);
      }
      if (!changed) {
        return predicate;
      }
      return predicate instanceof AndP ? new AndP(parts) : new OrP(parts);
    }
    if (predicate instanceof NotP<?> not) {
      P<?> negated = not.negate();
      P<?> replaced = in(negated);
      return replaced == negated ? predicate : new NotP<>(replaced);
    }
    if (!(predicate.getBiPredicate() instanceof Text.RegexPredicate regex)) {
      return predicate;
    }
    return new TextP(
        new InterruptibleRegex(Pattern.compile(regex.getPattern()), regex.isNegate()),
        (String) predicate.getValue());
  }

  @Override
  public boolean test(String value, String expression) {
    return negate != pattern.matcher(new Interruptible(value)).find();
  }

  @Override
  public PBiPredicate<String, String> negate() {
    return new InterruptibleRegex(pattern, !negate);
  }

  @Override
  public String getPredicateName() {
    return negate ? "notRegex" : "regex";
  }

  @Override
  public String toString() {
    return "regex(" + pattern.pattern() + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof InterruptibleRegex regex
        && negate == regex.negate
        && pattern.pattern().equals(regex.pattern.pattern());
  }

  @Override
  public int hashCode() {
    return 31 * pattern.pattern().hashCode() + Boolean.hashCode(negate);
  }

  /** A text that throws when its reader is interrupted. */
  private static final class Interruptible implements CharSequence {
    private final CharSequence text;

    Interruptible(CharSequence text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      if (Thread.currentThread().isInterrupted()) {
        throw new TraversalInterruptedException();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Interruptible(text.subSequence(start, end));
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
