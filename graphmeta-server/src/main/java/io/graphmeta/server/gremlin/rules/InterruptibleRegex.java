package io.graphmeta.server.gremlin.rules;

import java.lang.reflect.Field;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.NotP;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.PBiPredicate;
import org.apache.tinkerpop.gremlin.process.traversal.Text;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.jspecify.annotations.Nullable;

/**
 * TinkerPop's regular expressions, but a match that backtracks without end stops when its query is
 * cancelled. Put in the place of TinkerPop's within the predicates of a traversal, where only
 * reflection reaches. Immutable.
 */
final class InterruptibleRegex implements PBiPredicate<String, String> {
  private static final long serialVersionUID = 1L;
  private static final Field PREDICATE = predicateField();

  private final Pattern pattern;
  private final boolean negate;

  private InterruptibleRegex(Pattern pattern, boolean negate) {
    this.pattern = pattern;
    this.negate = negate;
  }

  private static Field predicateField() {
    try {
      Field field = P.class.getDeclaredField("biPredicate");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("TinkerPop's P holds no biPredicate", e);
    }
  }

  /** Replaces the expressions in all predicates of a traversal. */
  static void replaceIn(Bytecode bytecode) {
    for (Bytecode.Instruction instruction : bytecode.getInstructions()) {
      for (Object argument : instruction.getArguments()) {
        replaceInArgument(argument);
      }
    }
  }

  private static void replaceInArgument(@Nullable Object argument) {
    if (argument instanceof Bytecode nested) {
      replaceIn(nested);
    } else if (argument instanceof Bytecode.Binding<?> binding) {
      replaceInArgument(binding.value());
    } else if (argument instanceof ConnectiveP<?> connective) {
      connective.getPredicates().forEach(InterruptibleRegex::replaceInArgument);
    } else if (argument instanceof P<?> predicate) {
      replaceInPredicate(predicate);
    }
  }

  private static void replaceInPredicate(P<?> predicate) {
    PBiPredicate<?, ?> test = predicate.getBiPredicate();
    if (test instanceof Text.RegexPredicate regex) {
      set(predicate, new InterruptibleRegex(Pattern.compile(regex.getPattern()), regex.isNegate()));
    } else if (test instanceof NotP.NotPBiPredicate<?, ?> not
        && not.getOriginal() instanceof Text.RegexPredicate regex) {
      set(
          predicate,
          new NotP.NotPBiPredicate<>(
              new InterruptibleRegex(Pattern.compile(regex.getPattern()), regex.isNegate())));
    }
  }

  private static void set(P<?> predicate, PBiPredicate<?, ?> test) {
    try {
      PREDICATE.set(predicate, test);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("TinkerPop's P does not let its biPredicate be set", e);
    }
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
