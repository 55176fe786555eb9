package io.graphmeta.reads;

import io.graphmeta.plan.Condition;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the ids of the names in a condition on elements, as far as they are known. */
final class ConditionNames {
  private final SchemaImage schema;
  private final Map<String, Integer> vertexLabels = new HashMap<>();
  private final Map<String, Integer> edgeLabels = new HashMap<>();
  private final Map<String, Integer> propertyKeys = new HashMap<>();

  private ConditionNames(SchemaImage schema) {
    this.schema = schema;
  }

  static PlanNames of(Condition condition, SchemaImage schema) {
    ConditionNames names = new ConditionNames(schema);
    names.add(condition);
    return new PlanNames(names.vertexLabels, names.edgeLabels, names.propertyKeys);
  }

  private void add(Condition condition) {
    if (condition instanceof Condition.Property property) {
      put(propertyKeys, NameKind.PROPERTY_KEY, property.key());
    } else if (condition instanceof Condition.HasKey key) {
      put(propertyKeys, NameKind.PROPERTY_KEY, key.key());
    } else if (condition instanceof Condition.LabelIn labels) {
      labels
          .labels()
          .forEach(
              label -> {
                put(vertexLabels, NameKind.VERTEX_LABEL, label);
                put(edgeLabels, NameKind.EDGE_LABEL, label);
              });
    } else if (condition instanceof Condition.HasEdge edge) {
      edge.labels().forEach(label -> put(edgeLabels, NameKind.EDGE_LABEL, label));
    } else {
      parts(condition).forEach(this::add);
    }
  }

  private static List<Condition> parts(Condition condition) {
    if (condition instanceof Condition.And and) {
      return and.of();
    }
    if (condition instanceof Condition.Or or) {
      return or.of();
    }
    return condition instanceof Condition.Not not ? List.of(not.of()) : List.of();
  }

  private void put(Map<String, Integer> ids, NameKind kind, String name) {
    int id = schema.id(kind, name);
    if (id != 0) {
      ids.put(name, id);
    }
  }
}
