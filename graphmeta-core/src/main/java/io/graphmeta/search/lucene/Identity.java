package io.graphmeta.search.lucene;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.search.IndexedVersion;
import java.nio.ByteBuffer;
import org.apache.lucene.util.BytesRef;

/**
 * What tells a version from all others, as one term: {@code definition 8 | vertex key 8 | valid 8},
 * then {@code | committed 8} unless it is the valid stamp and there is no value id, then {@code |
 * value id 8} unless it is 0. So terms of a definition follow one another, and the length says what
 * is there.
 */
record Identity(long definition, long vertex, long valueId, long valid, long committed) {
  /** The field of these terms. */
  static final String FIELD = "id";

  private static final int SHORT = 3 * Long.BYTES;

  /**
   * That of a version.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for a version of an edge
   */
  static Identity of(IndexedVersion version) {
    byte[] element = version.element();
    if (element.length != Long.BYTES) {
      throw GraphMetaException.invalid(
          "The key of an element for index "
              + version.definition().name()
              + " has "
              + element.length
              + " bytes; expected the 8 of a vertex, as nothing else is indexed");
    }
    return new Identity(
        version.definition().number(),
        ByteBuffer.wrap(element).getLong(),
        version.valueId(),
        version.valid(),
        version.committed());
  }

  /** What the terms of all versions of a definition begin with. */
  static BytesRef prefix(long definition) {
    return new BytesRef(ByteBuffer.allocate(Long.BYTES).putLong(definition).array());
  }

  /** What no term of a definition, and of an element with a key or a greater one, is below. */
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
    long vertex = bytes.getLong();
    long valid = bytes.getLong();
    long committed = bytes.hasRemaining() ? bytes.getLong() : valid;
    long valueId = bytes.hasRemaining() ? bytes.getLong() : 0;
    return new Identity(definition, vertex, valueId, valid, committed);
  }

  /** The term. */
  BytesRef term() {
    int optional = valueId != 0 ? 2 : committed != valid ? 1 : 0;
    ByteBuffer bytes = ByteBuffer.allocate(SHORT + optional * Long.BYTES);
    bytes.putLong(definition).putLong(vertex).putLong(valid);
    if (optional > 0) {
      bytes.putLong(committed);
    }
    if (optional > 1) {
      bytes.putLong(valueId);
    }
    return new BytesRef(bytes.array());
  }

  /** The key of the vertex, as rows have it. */
  byte[] element() {
    return ByteBuffer.allocate(Long.BYTES).putLong(vertex).array();
  }

  private static ByteBuffer buffer(BytesRef term) {
    return ByteBuffer.wrap(term.bytes, term.offset, term.length);
  }
}
