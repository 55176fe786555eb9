package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.Projection;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.TextAnalysis;
import io.graphmeta.plan.ValueTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plans as bytes. Each record is the number of its kind and its components in order; the package
 * documentation has them as a table.
 */
final class PlanForm {
  private static final int MAX_DEPTH = 32;
  private static final ElementKind[] KINDS = ElementKind.values();
  private static final Direction[] DIRECTIONS = Direction.values();
  private static final PlanStep.End[] ENDS = PlanStep.End.values();
  private static final PlanResult.Reduction[] REDUCTIONS = PlanResult.Reduction.values();
  private static final ValueTest.Comparison[] COMPARISONS = ValueTest.Comparison.values();
  private static final TextAnalysis[] ANALYSES = TextAnalysis.values();
  private static final ValueTest.TextRelation[] RELATIONS = ValueTest.TextRelation.values();

  private PlanForm() {}

  static void write(Plan plan, ByteWriter out) {
    if (plan.source() instanceof PlanSource.Scan scan) {
      Fields.flag(true, out);
      Fields.ordinal(scan.kind(), out);
      Fields.texts(scan.labels(), out);
    } else {
      Fields.flag(false, out);
      Fields.ordinal(plan.source().kind(), out);
    }
    list(plan.steps(), out, PlanForm::step);
    out.putVarLong(plan.range().low()).putVarLong(plan.range().high());
    result(plan.result(), out);
  }

  static Plan read(ByteReader in) {
    try {
      boolean scan = Fields.flag(in);
      ElementKind kind = Fields.ordinal(KINDS, in);
      PlanSource source =
          scan ? new PlanSource.Scan(kind, Fields.texts(in)) : new PlanSource.Given(kind);
      return new Plan(
          source,
          list(in, each -> step(each, 0)),
          new ResultRange(in.getVarLong(), in.getVarLong()),
          result(in));
    } catch (GraphMetaException e) {
      throw Fields.corrupt(String.valueOf(e.getMessage()));
    }
  }

  /** A condition by itself. */
  static void where(Condition where, ByteWriter out) {
    condition(where, out);
  }

  static Condition where(ByteReader in) {
    return condition(in, 0);
  }

  static void names(PlanNames names, ByteWriter out) {
    for (Map<String, Integer> ids :
        List.of(names.vertexLabels(), names.edgeLabels(), names.propertyKeys())) {
      out.putVarInt(ids.size());
      ids.forEach((name, id) -> out.putText(name).putVarInt(id));
    }
  }

  static PlanNames names(ByteReader in) {
    return new PlanNames(ids(in), ids(in), ids(in));
  }

  private static Map<String, Integer> ids(ByteReader in) {
    int count = Fields.count(in, 2);
    Map<String, Integer> ids = new HashMap<>();
    for (int i = 0; i < count; i++) {
      ids.put(in.getText(), in.getVarInt());
    }
    return ids;
  }

  private static <T> void list(List<T> values, ByteWriter out, BiConsumer<T, ByteWriter> writer) {
    out.putVarInt(values.size());
    values.forEach(value -> writer.accept(value, out));
  }

  private static <T> List<T> list(ByteReader in, Function<ByteReader, T> reader) {
    int count = Fields.count(in, 1);
    List<T> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(reader.apply(in));
    }
    return values;
  }

  private static void step(PlanStep step, ByteWriter out) {
    if (step instanceof PlanStep.Expand expand) {
      Fields.ordinal(expand.direction(), out.putByte(1));
      Fields.texts(expand.labels(), out);
      Fields.flag(expand.toEdges(), out);
    } else if (step instanceof PlanStep.EdgeEnd end) {
      Fields.ordinal(end.end(), out.putByte(2));
    } else if (step instanceof PlanStep.Filter filter) {
      condition(filter.condition(), out.putByte(3));
    } else if (step instanceof PlanStep.Dedup) {
      out.putByte(4);
    } else if (step instanceof PlanStep.DistinctPath path) {
      Fields.flag(path.simple(), out.putByte(5));
    } else if (step instanceof PlanStep.Repeat repeat) {
      list(repeat.body(), out.putByte(6), PlanForm::step);
      out.putVarInt(repeat.times());
      optional(repeat.until(), out);
      Fields.flag(repeat.untilFirst(), out);
      optional(repeat.emit(), out);
      Fields.flag(repeat.emitFirst(), out);
    }
  }

  private static PlanStep step(ByteReader in, int depth) {
    requireDepth(depth);
    int kind = in.getByte();
    return switch (kind) {
      case 1 ->
          new PlanStep.Expand(Fields.ordinal(DIRECTIONS, in), Fields.texts(in), Fields.flag(in));
      case 2 -> new PlanStep.EdgeEnd(Fields.ordinal(ENDS, in));
      case 3 -> new PlanStep.Filter(condition(in, 0));
      case 4 -> new PlanStep.Dedup();
      case 5 -> new PlanStep.DistinctPath(Fields.flag(in));
      case 6 ->
          new PlanStep.Repeat(
              list(in, each -> step(each, depth + 1)),
              in.getVarInt(),
              optional(in),
              Fields.flag(in),
              optional(in),
              Fields.flag(in));
      default -> throw Fields.corrupt("Plan step " + kind + " is unknown");
    };
  }

  private static void optional(@Nullable Condition condition, ByteWriter out) {
    Fields.flag(condition != null, out);
    if (condition != null) {
      condition(condition, out);
    }
  }

  private static @Nullable Condition optional(ByteReader in) {
    return Fields.flag(in) ? condition(in, 0) : null;
  }

  private static void condition(Condition condition, ByteWriter out) {
    if (condition instanceof Condition.Always) {
      out.putByte(1);
    } else if (condition instanceof Condition.LabelIn label) {
      Fields.texts(List.copyOf(label.labels()), out.putByte(2));
    } else if (condition instanceof Condition.VertexIn vertex) {
      Fields.longs(
          vertex.keys().stream().mapToLong(Long::longValue).sorted().toArray(), out.putByte(3));
    } else if (condition instanceof Condition.Property property) {
      out.putByte(4).putText(property.key());
      test(property.test(), out);
    } else if (condition instanceof Condition.HasKey key) {
      out.putByte(5).putText(key.key());
    } else if (condition instanceof Condition.HasEdge edge) {
      Fields.ordinal(edge.direction(), out.putByte(6));
      Fields.texts(edge.labels(), out);
    } else if (condition instanceof Condition.And and) {
      list(and.of(), out.putByte(7), PlanForm::condition);
    } else if (condition instanceof Condition.Or or) {
      list(or.of(), out.putByte(8), PlanForm::condition);
    } else if (condition instanceof Condition.Not not) {
      condition(not.of(), out.putByte(9));
    } else if (condition instanceof Condition.Id id) {
      test(id.test(), out.putByte(10));
    }
  }

  private static Condition condition(ByteReader in, int depth) {
    requireDepth(depth);
    int kind = in.getByte();
    return switch (kind) {
      case 1 -> new Condition.Always();
      case 2 -> new Condition.LabelIn(Set.copyOf(Fields.texts(in)));
      case 3 -> {
        Set<Long> keys = new HashSet<>();
        for (long key : Fields.longs(in)) {
          keys.add(key);
        }
        yield new Condition.VertexIn(keys);
      }
      case 4 -> new Condition.Property(in.getText(), test(in, 0));
      case 5 -> new Condition.HasKey(in.getText());
      case 6 -> new Condition.HasEdge(Fields.ordinal(DIRECTIONS, in), Fields.texts(in));
      case 7 -> new Condition.And(list(in, each -> condition(each, depth + 1)));
      case 8 -> new Condition.Or(list(in, each -> condition(each, depth + 1)));
      case 9 -> new Condition.Not(condition(in, depth + 1));
      case 10 -> new Condition.Id(test(in, 0));
      default -> throw Fields.corrupt("Condition " + kind + " is unknown");
    };
  }

  private static void test(ValueTest test, ByteWriter out) {
    if (test instanceof ValueTest.Compare compare) {
      Fields.ordinal(compare.comparison(), out.putByte(1));
      ValueCodec.write(out, compare.operand());
    } else if (test instanceof ValueTest.Within within) {
      list(within.operands(), out.putByte(2), (value, to) -> ValueCodec.write(to, value));
    } else if (test instanceof ValueTest.Text text) {
      Fields.ordinal(text.relation(), out.putByte(3));
      out.putText(text.operand());
    } else if (test instanceof ValueTest.And and) {
      list(and.of(), out.putByte(4), PlanForm::test);
    } else if (test instanceof ValueTest.Or or) {
      list(or.of(), out.putByte(5), PlanForm::test);
    } else if (test instanceof ValueTest.Not not) {
      test(not.of(), out.putByte(6));
    } else if (test instanceof ValueTest.Words words) {
      Fields.ordinal(words.analysis(), out.putByte(7));
      Fields.texts(words.words(), out);
      Fields.flag(words.lastIsBeginning(), out);
    }
  }

  private static ValueTest test(ByteReader in, int depth) {
    requireDepth(depth);
    int kind = in.getByte();
    return switch (kind) {
      case 1 -> new ValueTest.Compare(Fields.ordinal(COMPARISONS, in), ValueCodec.read(in));
      case 2 -> new ValueTest.Within(list(in, ValueCodec::read));
      case 3 -> new ValueTest.Text(Fields.ordinal(RELATIONS, in), in.getText());
      case 4 -> new ValueTest.And(list(in, each -> test(each, depth + 1)));
      case 5 -> new ValueTest.Or(list(in, each -> test(each, depth + 1)));
      case 6 -> new ValueTest.Not(test(in, depth + 1));
      case 7 ->
          new ValueTest.Words(Fields.ordinal(ANALYSES, in), Fields.texts(in), Fields.flag(in));
      default -> throw Fields.corrupt("Test " + kind + " is unknown");
    };
  }

  private static void requireDepth(int depth) {
    if (depth > MAX_DEPTH) {
      throw Fields.corrupt("A plan is nested more than " + MAX_DEPTH + " deep");
    }
  }

  private static void result(PlanResult result, ByteWriter out) {
    if (result instanceof PlanResult.Elements elements) {
      Fields.flag(elements.withProperties(), out.putByte(1));
    } else if (result instanceof PlanResult.Paths) {
      out.putByte(2);
    } else if (result instanceof PlanResult.Count) {
      out.putByte(3);
    } else if (result instanceof PlanResult.Values values) {
      list(values.columns(), out.putByte(4), PlanForm::projection);
    } else if (result instanceof PlanResult.Top top) {
      list(
          top.by(),
          out.putByte(5),
          (ordering, to) -> Fields.flag(ordering.descending(), to.putText(ordering.key())));
      out.putVarLong(top.limit());
    } else if (result instanceof PlanResult.Reduced reduced) {
      Fields.ordinal(reduced.reduction(), out.putByte(6).putText(reduced.key()));
    }
  }

  private static PlanResult result(ByteReader in) {
    int kind = in.getByte();
    return switch (kind) {
      case 1 -> new PlanResult.Elements(Fields.flag(in));
      case 2 -> new PlanResult.Paths();
      case 3 -> new PlanResult.Count();
      case 4 -> new PlanResult.Values(list(in, PlanForm::projection));
      case 5 ->
          new PlanResult.Top(
              list(in, each -> new PlanResult.Ordering(each.getText(), Fields.flag(each))),
              in.getVarLong());
      case 6 -> new PlanResult.Reduced(in.getText(), Fields.ordinal(REDUCTIONS, in));
      default -> throw Fields.corrupt("Plan result " + kind + " is unknown");
    };
  }

  private static void projection(Projection projection, ByteWriter out) {
    if (projection instanceof Projection.Self) {
      out.putByte(1);
    } else if (projection instanceof Projection.Label) {
      out.putByte(2);
    } else if (projection instanceof Projection.EachValue each) {
      out.putByte(3).putText(each.key());
    } else if (projection instanceof Projection.FirstValue first) {
      out.putByte(4).putText(first.key());
    } else if (projection instanceof Projection.Id) {
      out.putByte(5);
    }
  }

  private static Projection projection(ByteReader in) {
    int kind = in.getByte();
    return switch (kind) {
      case 1 -> new Projection.Self();
      case 2 -> new Projection.Label();
      case 3 -> new Projection.EachValue(in.getText());
      case 4 -> new Projection.FirstValue(in.getText());
      case 5 -> new Projection.Id();
      default -> throw Fields.corrupt("Projection " + kind + " is unknown");
    };
  }
}
