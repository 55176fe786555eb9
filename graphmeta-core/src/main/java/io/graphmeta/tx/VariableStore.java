package io.graphmeta.tx;

import io.graphmeta.model.Cardinality;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The variables of the graph: the properties of the {@link VariablesVertex}, which is created with
 * the first variable. So they are versioned, durable and transactional as properties are. Belongs
 * to the thread of its transaction.
 */
final class VariableStore {
  private final SnapshotReads reads;
  private final VertexWrites vertices;
  private final VertexPropertyWrites properties;

  VariableStore(SnapshotReads reads, VertexWrites vertices, VertexPropertyWrites properties) {
    this.reads = reads;
    this.vertices = vertices;
    this.properties = properties;
  }

  /** The variables that a view sees, by name. */
  Map<String, Object> read(ReadView view) {
    VertexRecord vertex = vertex(view);
    Map<String, Object> variables = new LinkedHashMap<>();
    if (vertex != null) {
      for (PropertyRecord property : vertex.properties()) {
        variables.put(property.key(), property.value());
      }
    }
    return variables;
  }

  void set(String name, Object value) {
    VertexRecord vertex = vertex(reads.snapshot());
    if (vertex == null) {
      vertices.addVariables(name, value);
    } else {
      properties.set(
          vertex.key(), name, value, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
    }
  }

  void remove(String name) {
    VertexRecord vertex = vertex(reads.snapshot());
    if (vertex != null && vertex.value(name) != null) {
      properties.remove(vertex.key(), name, 0, Stamp.AT_COMMIT);
    }
  }

  private @Nullable VertexRecord vertex(ReadView view) {
    return reads.vertexByStoredId(VariablesVertex.NAME, view);
  }
}
