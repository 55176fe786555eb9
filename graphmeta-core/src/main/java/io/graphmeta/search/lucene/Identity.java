package io.graphmeta.search.lucene;

import io.graphmeta.codec.ElementLayout;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.search.IndexedVersion;
import java.nio.ByteBuffer;
import org.apache.lucene.util.BytesRef;

/**
 * What tells a version from all others, as one term: {@code definition 8 | element key 8 or 23 |
 * valid 8}, then {@code | committed 8} unless it is the valid stamp and there is no value id, then
 * {@code | value id 8} unless it is 0. So terms of a definition follow one another, and the length
 * says what is there: all but the key of an edge are words of 8 bytes.
 */
record Identity(long definition, byte[] element, long valueId, long valid, long committed) {
  /** The field of these terms. */
  static final String FIELD = "id";

  private static final int VERTEX_BYTES = ElementLayout.VERTEX.elementBytes();
  private static final int EDGE_BYTES = ElementLayout.EDGE.elementBytes();

  /** That of a version. */
  static Identity of(IndexedVersion version) {
    boolean isEdge = version.definition().element() == ElementKind.EDGE;
    byte[] element = version.element();
    if (element.length != (isEdge ? EDGE_BYTES : VERTEX_BYTES)) {
      throw GraphMetaException.internal(
          "The key of an element for index "
              + version.definition().name()
              + " has "
              + element.length
              + " bytes; expected the 8 of a vertex, or the 23 of an edge");
    }
    return new Identity(
        version.definition().number(),
        element,
        version.valueId(),
        version.valid(),
        version.committed());
  }

  /** What the terms of all versions of a definition begin with. */
  static BytesRef prefix(long definition) {
    return new BytesRef(ByteBuffer.allocate(Long.BYTES).putLong(definition).array());
  }

  /**
   * What the terms of a definition begin with, of elements whose keys begin so; and what no term of
   * a definition, and of an element with this key or a greater one, is below.
   */
  static BytesRef from(long definition, byte[] element) {
    return new BytesRef(
        ByteBuffer.allocate(Long.BYTES + element.length).putLong(definition).put(element).array());
  }

  /** The definition of a term. */
  static long definition(BytesRef term) {
    return buffer(term).getLong();
  }

  /** What a term says. */
  static Identity of(BytesRef term) {
    ByteBuffer bytes = buffer(term);
    long definition = bytes.getLong();
    byte[] element = new byte[term.length % Long.BYTES == 0 ? VERTEX_BYTES : EDGE_BYTES];
    bytes.get(element);
    long valid = bytes.getLong();
    long committed = bytes.hasRemaining() ? bytes.getLong() : valid;
    long valueId = bytes.hasRemaining() ? bytes.getLong() : 0;
    return new Identity(definition, element, valueId, valid, committed);
  }

  /** The term. */
  BytesRef term() {
    int optional = valueId != 0 ? 2 : committed != valid ? 1 : 0;
    ByteBuffer bytes = ByteBuffer.allocate((2 + optional) * Long.BYTES + element.length);
    bytes.putLong(definition).put(element).putLong(valid);
    if (optional > 0) {
      bytes.putLong(committed);
    }
    if (optional > 1) {
      bytes.putLong(valueId);
    }
    return new BytesRef(bytes.array());
  }

  private static ByteBuffer buffer(BytesRef term) {
    return ByteBuffer.wrap(term.bytes, term.offset, term.length);
  }
}
