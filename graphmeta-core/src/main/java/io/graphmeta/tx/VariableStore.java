package io.graphmeta.tx;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.time.Stamp;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The variables of the graph: the properties of one vertex, which comes to be with the first
 * variable. So they are versioned, durable and transactional as properties are. Reads of the graph
 * leave the vertex out; users can give neither its id nor its label. Belongs to the thread of its
 * transaction.
 */
final class VariableStore {
  /** Id and label of the vertex. */
  static final String NAME = "~variables";

  private final BufferedTransaction transaction;
  private final TransactionNames names;
  private final ElementWrites writes;
  private int labelId;

  VariableStore(
      BufferedTransaction transaction,
      Router router,
      TransactionNames names,
      ElementWrites writes) {
    this.transaction = transaction;
    this.names = names;
    this.writes = writes;
    // Whoever defines the label later commits behind the snapshot of this transaction.
    this.labelId = router.schema().id(NameKind.VERTEX_LABEL, NAME);
  }

  /** True for the vertex of the variables. */
  boolean isHidden(long vertex) {
    return labelId != 0 && VertexKeys.labelId(vertex) == labelId;
  }

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
    VertexRecord vertex = vertex(transaction.snapshot());
    if (vertex == null) {
      writes.addVariablesVertex(name, value);
      labelId = names.id(NameKind.VERTEX_LABEL, NAME);
    } else {
      writes.setVertexProperty(
          vertex.key(), name, value, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
    }
  }

  void remove(String name) {
    VertexRecord vertex = vertex(transaction.snapshot());
    if (vertex != null && vertex.value(name) != null) {
      writes.removeVertexProperty(vertex.key(), name, 0, Stamp.AT_COMMIT);
    }
  }

  private @Nullable VertexRecord vertex(ReadView view) {
    return labelId == 0 ? null : transaction.vertexByStoredId(NAME, view);
  }
}
