package io.graphmeta.gremlin.process.step;

import io.graphmeta.plan.Condition;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.Projection;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.ValueTest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes a plan as text for people, in the words of Gremlin. Pure. */
final class PlanText {
  private final Map<Condition.VertexIn, List<Object>> ids;

  private PlanText(Map<Condition.VertexIn, List<Object>> ids) {
    this.ids = ids;
  }

  /** The plan of a prefix, such as {@code V[7] > out(knows) > dedup > count}. */
  static String of(PlannedPrefix prefix) {
    Plan plan = prefix.plan();
    PlanText text = new PlanText(prefix.ids());
    List<String> parts = new ArrayList<>();
    parts.add(source(plan.source(), prefix.start()));
    plan.steps().forEach(step -> parts.add(text.step(step)));
    if (!plan.range().isAll()) {
      parts.add(range(plan.range()));
    }
    String result = result(plan.result());
    if (!result.isEmpty()) {
      parts.add(result);
    }
    return String.join(" > ", parts);
  }

  private static String source(PlanSource source, GraphMetaGraphStep<?, ?> start) {
    String kind = start.returnsVertex() ? "V" : "E";
    if (source instanceof PlanSource.Scan scan) {
      return kind + scan.labels();
    }
    return kind + start.selection().stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static String range(ResultRange range) {
    if (range.high() == Long.MAX_VALUE) {
      return "skip(" + range.low() + ")";
    }
    return range.low() == 0
        ? "limit(" + range.high() + ")"
        : "range(" + range.low() + "," + range.high() + ")";
  }

  private static String result(PlanResult result) {
    if (result instanceof PlanResult.Elements elements) {
      return elements.withProperties() ? "properties" : "";
    }
    if (result instanceof PlanResult.Paths) {
      return "paths";
    }
    if (result instanceof PlanResult.Count) {
      return "count";
    }
    if (result instanceof PlanResult.Values values) {
      return values.columns().stream().map(PlanText::projection).collect(Collectors.joining(","));
    }
    if (result instanceof PlanResult.Reduced reduced) {
      return "values("
          + reduced.key()
          + ") > "
          + reduced.reduction().name().toLowerCase(Locale.ROOT);
    }
    PlanResult.Top top = (PlanResult.Top) result;
    return "order("
        + top.by().stream()
            .map(by -> by.key() + (by.descending() ? " desc" : ""))
            .collect(Collectors.joining(","))
        + ").limit("
        + top.limit()
        + ")";
  }

  private static String projection(Projection projection) {
    if (projection instanceof Projection.EachValue each) {
      return "values(" + each.key() + ")";
    }
    if (projection instanceof Projection.FirstValue first) {
      return "value(" + first.key() + ")";
    }
    if (projection instanceof Projection.Id) {
      return "id";
    }
    return projection instanceof Projection.Label ? "label" : "element";
  }

  private String step(PlanStep step) {
    if (step instanceof PlanStep.Expand expand) {
      String name = expand.direction().name().toLowerCase(Locale.ROOT);
      return name + (expand.toEdges() ? "E" : "") + list(expand.labels());
    }
    if (step instanceof PlanStep.EdgeEnd end) {
      return end.end().name().toLowerCase(Locale.ROOT) + "V";
    }
    if (step instanceof PlanStep.Filter filter) {
      return condition(filter.condition());
    }
    if (step instanceof PlanStep.Dedup) {
      return "dedup";
    }
    if (step instanceof PlanStep.DistinctPath path) {
      return path.simple() ? "simplePath" : "cyclicPath";
    }
    return loop((PlanStep.Repeat) step);
  }

  private String loop(PlanStep.Repeat loop) {
    List<String> leave = new ArrayList<>();
    if (loop.times() > 0) {
      leave.add("times(" + loop.times() + ")");
    }
    Condition until = loop.until();
    if (until != null) {
      leave.add("until(" + condition(until) + ")");
    }
    Condition emit = loop.emit();
    String emitted =
        emit == null
            ? ""
            : emit instanceof Condition.Always ? "emit" : "emit(" + condition(emit) + ")";
    String body =
        "repeat(" + loop.body().stream().map(this::step).collect(Collectors.joining(" > ")) + ")";
    List<String> parts = new ArrayList<>();
    if (loop.untilFirst()) {
      parts.addAll(leave);
    }
    if (loop.emitFirst()) {
      parts.add(emitted);
    }
    parts.add(body);
    if (!loop.untilFirst()) {
      parts.addAll(leave);
    }
    if (!loop.emitFirst()) {
      parts.add(emitted);
    }
    parts.removeIf(String::isEmpty);
    return String.join(".", parts);
  }

  private static String list(Collection<?> labels) {
    return labels.isEmpty()
        ? ""
        : labels.stream().map(String::valueOf).sorted().collect(Collectors.joining(",", "(", ")"));
  }

  private String condition(Condition condition) {
    if (condition instanceof Condition.LabelIn label) {
      return "hasLabel(" + label.labels().stream().sorted().collect(Collectors.joining(",")) + ")";
    }
    if (condition instanceof Condition.VertexIn vertices) {
      List<Object> wanted = ids.getOrDefault(vertices, List.of());
      return "hasId(" + wanted.stream().map(String::valueOf).collect(Collectors.joining(",")) + ")";
    }
    if (condition instanceof Condition.Property property) {
      return "has(" + property.key() + "," + test(property.test()) + ")";
    }
    if (condition instanceof Condition.Id id) {
      return "hasId(" + test(id.test()) + ")";
    }
    if (condition instanceof Condition.HasKey has) {
      return "has(" + has.key() + ")";
    }
    if (condition instanceof Condition.HasEdge edge) {
      return "has " + edge.direction().name().toLowerCase(Locale.ROOT) + "E" + list(edge.labels());
    }
    if (condition instanceof Condition.And and) {
      return and.of().stream().map(this::condition).collect(Collectors.joining("."));
    }
    if (condition instanceof Condition.Or or) {
      return "or(" + or.of().stream().map(this::condition).collect(Collectors.joining(",")) + ")";
    }
    return condition instanceof Condition.Not not ? "not(" + condition(not.of()) + ")" : "all";
  }

  private static String test(ValueTest test) {
    if (test instanceof ValueTest.Compare compare) {
      return switch (compare.comparison()) {
            case EQUAL -> "=";
            case NOT_EQUAL -> "!=";
            case LESS -> "<";
            case LESS_OR_EQUAL -> "<=";
            case GREATER -> ">";
            case GREATER_OR_EQUAL -> ">=";
          }
          + compare.operand();
    }
    if (test instanceof ValueTest.Within within) {
      return "within" + within.operands();
    }
    if (test instanceof ValueTest.Text text) {
      return text.relation().name().toLowerCase(Locale.ROOT) + " '" + text.operand() + "'";
    }
    if (test instanceof ValueTest.And and) {
      return and.of().stream().map(PlanText::test).collect(Collectors.joining(" and ", "(", ")"));
    }
    if (test instanceof ValueTest.Or or) {
      return or.of().stream().map(PlanText::test).collect(Collectors.joining(" or ", "(", ")"));
    }
    if (test instanceof ValueTest.Words words) {
      return "words " + words.words() + (words.lastIsBeginning() ? "*" : "");
    }
    return "not(" + test(((ValueTest.Not) test).of()) + ")";
  }
}
