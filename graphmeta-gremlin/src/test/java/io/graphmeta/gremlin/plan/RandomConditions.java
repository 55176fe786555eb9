package io.graphmeta.gremlin.plan;

import java.util.Random;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;

/** Filters on properties as indexes could be asked for them, and some that they could not. */
final class RandomConditions {
  static final String[] KEYS = {"name", "path", "size", "only", "tag", "any"};

  private final Random random;

  RandomConditions(Random random) {
    this.random = random;
  }

  /** Adds one or two filters to a traversal that is at vertices. */
  void filter(GraphTraversal<?, ?> traversal) {
    for (int i = random.nextInt(4) == 0 ? 2 : 1; i > 0; i--) {
      switch (random.nextInt(9)) {
        case 0 -> traversal.or(condition(), condition());
        case 1 -> traversal.and(condition(), condition());
        case 2 -> traversal.not(condition());
        case 3 -> traversal.hasId(id());
        default -> {
          String key = key();
          traversal.has(key, predicate(key, 1));
        }
      }
    }
  }

  private GraphTraversal<?, ?> condition() {
    if (random.nextInt(8) == 0) {
      return __.hasId(id());
    }
    String key = key();
    return __.has(key, predicate(key, 1));
  }

  private String key() {
    return KEYS[random.nextInt(KEYS.length)];
  }

  private P<?> predicate(String key, int depth) {
    if (depth > 0 && random.nextInt(5) == 0) {
      P<Object> one = untyped(predicate(key, 0));
      P<Object> other = untyped(predicate(key, 0));
      return random.nextBoolean() ? one.and(other) : one.or(other);
    }
    return switch (key) {
      case "size", "only" -> number();
      case "any" -> random.nextBoolean() ? number() : P.eq(new RandomValues(random).value());
      default -> text(key);
    };
  }

  @SuppressWarnings("unchecked")
  private static P<Object> untyped(P<?> predicate) {
    return (P<Object>) predicate;
  }

  private P<?> number() {
    Object operand = operand();
    return switch (random.nextInt(10)) {
      case 0, 1 -> P.eq(operand);
      case 2 -> P.lt(operand);
      case 3 -> P.lte(operand);
      case 4 -> P.gt(operand);
      case 5 -> P.gte(operand);
      case 6 -> P.between(operand, operand());
      case 7 -> P.inside(operand, operand());
      case 8 -> P.outside(operand, operand());
      default -> P.within(operand, operand(), 2L);
    };
  }

  private Object operand() {
    return random.nextInt(6) == 0 ? new RandomValues(random).number() : (Object) random.nextInt(6);
  }

  /** Ids are all of {@code v0}, {@code v1} and so on. */
  @SuppressWarnings("unchecked")
  P<Object> id() {
    String whole = "v" + random.nextInt(14);
    String part = whole.substring(random.nextInt(2));
    P<?> one =
        switch (random.nextInt(10)) {
          case 0 -> TextP.startingWith(random.nextBoolean() ? "v1" : whole);
          case 1 -> TextP.endingWith(part);
          case 2 -> TextP.containing(part);
          case 3 -> TextP.notStartingWith("v1");
          case 4 -> P.gt(whole);
          case 5 -> P.lte(whole);
          case 6 -> P.between("v1", whole);
          case 7 -> P.within(whole, "v3", "v" + random.nextInt(14));
          case 8 -> P.eq(whole);
          default -> TextP.startingWith("v").and(P.neq(whole));
        };
    return (P<Object>) one;
  }

  private P<?> text(String key) {
    String operand = part(key);
    return switch (random.nextInt(8)) {
      case 0 -> TextP.startingWith(operand);
      case 1 -> TextP.endingWith(operand);
      case 2, 3 -> TextP.containing(operand);
      case 4 -> TextP.notContaining(operand);
      case 5 -> P.within(part(key), operand);
      case 6 -> P.neq(operand);
      default -> P.eq(operand);
    };
  }

  /** A whole text, or a piece of one. */
  private String part(String key) {
    String whole =
        switch (key) {
          case "path" -> RandomGraph.path(random);
          case "name" -> "n" + random.nextInt(6);
          default -> new RandomValues(random).text();
        };
    int from = random.nextBoolean() ? 0 : random.nextInt(whole.length() + 1);
    int to = random.nextBoolean() ? whole.length() : random.nextInt(whole.length() + 1);
    return from < to ? whole.substring(from, to) : whole;
  }
}
