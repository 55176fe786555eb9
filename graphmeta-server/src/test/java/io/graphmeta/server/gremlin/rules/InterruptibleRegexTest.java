package io.graphmeta.server.gremlin.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.junit.jupiter.api.Test;

/** Regular expressions that answer as TinkerPop's do, and stop when they must. */
final class InterruptibleRegexTest {
  private static final String LONG = "a".repeat(40);
  private static final String ENDLESS = "^(a+)+(\\1)?b";

  private final GraphTraversalSource g = EmptyGraph.instance().traversal();

  private static List<Supplier<P<String>>> predicates() {
    return List.of(
        () -> TextP.regex("^a.c"),
        () -> TextP.notRegex("^a.c"),
        () -> P.not(TextP.regex("b")),
        () -> P.not(P.not(TextP.notRegex("b"))),
        () -> TextP.regex("a").and(TextP.regex("c$")).and(P.neq("ac")),
        () -> TextP.regex("x").or(P.eq("ac").or(TextP.notRegex("."))),
        () -> P.not(TextP.regex("a").and(P.gt("b").or(TextP.regex("c")))));
  }

  @Test
  void answersAsTinkerPopDoes() {
    for (Supplier<P<String>> made : predicates()) {
      P<String> theirs = made.get();
      P<?> ours = InterruptibleRegex.in(theirs);
      assertThat(ours).isNotSameAs(theirs).isNotEqualTo(theirs);
      assertThat(theirs).as("left as it was").isEqualTo(made.get());
      for (String value : List.of("", "abc", "ac", "b", "c", "xabc", "zc")) {
        assertThat(test(ours, value)).as("%s of '%s'", theirs, value).isEqualTo(theirs.test(value));
        assertThat(test(ours.negate(), value)).isEqualTo(theirs.negate().test(value));
      }
      assertThat(InterruptibleRegex.in(ours)).as("done once").isSameAs(ours);
    }
  }

  @SuppressWarnings("unchecked")
  private static boolean test(P<?> predicate, String value) {
    return ((P<String>) predicate).test(value);
  }

  @Test
  void stopsWhenItsThreadIsInterrupted() {
    for (P<?> predicate :
        List.<P<?>>of(
            TextP.regex(ENDLESS),
            P.not(TextP.regex(ENDLESS)),
            P.eq("x").or(TextP.notRegex(ENDLESS)))) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> test(InterruptibleRegex.in(predicate), LONG))
          .isInstanceOf(TraversalInterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void takesItsPlaceAtEachDepthOfABytecode() {
    Bytecode bytecode =
        g.withSideEffect("x", 1)
            .V()
            .has("name", TextP.regex("a"))
            .where(__.out().values("name").is(P.eq("b").or(TextP.regex("c"))))
            .asAdmin()
            .getBytecode();
    bytecode.addStep("is", new Bytecode.Binding<>("p", TextP.regex("d")));
    String before = bytecode.toString();
    Bytecode replaced = InterruptibleRegex.in(bytecode);
    assertThat(bytecode).as("left as it was").hasToString(before);
    assertThat(replaced.getSourceInstructions()).isEqualTo(bytecode.getSourceInstructions());
    assertThat(replaced.toString()).contains("regex(a)", "regex(c)", "regex(d)");
    assertThat(InterruptibleRegex.in(replaced)).isSameAs(replaced);
  }

  @Test
  void aBytecodeWithoutExpressionsStaysAsItIs() {
    Bytecode bytecode =
        g.V().has("name", P.eq("a").or(TextP.startingWith("b"))).out().asAdmin().getBytecode();
    assertThat(InterruptibleRegex.in(bytecode)).isSameAs(bytecode);
  }
}
