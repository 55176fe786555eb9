package io.graphmeta.stage;

import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.Direction;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.rows.RowReads;
import java.util.BitSet;

/**
 * Decides of which elements a test is true, many at a time. What a key tells is asked without a
 * read; rows are read for those elements of a batch that are still in question, and once. Belongs
 * to one thread.
 */
final class Tests {
  private static final int CHUNK = 2048;

  private final RowReads rows;
  private final AdjacencyReader adjacency;
  private final ReadView view;
  private final Connections elsewhere;
  private final ElementValues values = new ElementValues();

  /**
   * Tests at a view.
   *
   * @param elsewhere what is known of edges on other servers
   */
  Tests(RowReads rows, AdjacencyReader adjacency, ReadView view, Connections elsewhere) {
    this.elsewhere = elsewhere;
    this.rows = rows;
    this.adjacency = adjacency;
    this.view = view;
  }

  /** The vertices of which a test is true. */
  VertexBatch keep(Test test, VertexBatch batch) {
    return batch.keep(passing(test, batch));
  }

  /** The positions of the vertices of which a test is true. */
  BitSet passing(Test test, VertexBatch batch) {
    BitSet passing = new BitSet(batch.size());
    for (int from = 0; from < batch.size(); from += CHUNK) {
      int to = Math.min(batch.size(), from + CHUNK);
      Candidates candidates = new Candidates(batch.range(from, to).keys());
      BitSet all = new BitSet();
      all.set(0, to - from);
      BitSet passed = vertices(test, candidates, all);
      for (int i = passed.nextSetBit(0); i >= 0; i = passed.nextSetBit(i + 1)) {
        passing.set(from + i);
      }
    }
    return passing;
  }

  /** Vertices in question, with the rows of those that had to be read. */
  private static final class Candidates {
    final long[] keys;
    final BitSet read = new BitSet();
    final ElementPage[] pages;
    final int[] elements;

    Candidates(long[] keys) {
      this.keys = keys;
      this.pages = new ElementPage[keys.length];
      this.elements = new int[keys.length];
    }
  }

  private BitSet vertices(Test test, Candidates candidates, BitSet of) {
    BitSet result = (BitSet) of.clone();
    if (test instanceof Test.All all) {
      for (Test each : all.of()) {
        result = vertices(each, candidates, result);
      }
    } else if (test instanceof Test.Any any) {
      BitSet open = (BitSet) of.clone();
      result.clear();
      for (Test each : any.of()) {
        BitSet passed = vertices(each, candidates, open);
        result.or(passed);
        open.andNot(passed);
      }
    } else if (test instanceof Test.Negation negation) {
      result.andNot(vertices(negation.of(), candidates, of));
    } else if (test instanceof Test.Connected connected) {
      return connected(connected, candidates, of);
    } else if (test.needsRows()) {
      read(candidates, of);
      for (int i = of.nextSetBit(0); i >= 0; i = of.nextSetBit(i + 1)) {
        ElementPage page = candidates.pages[i];
        result.set(i, page != null && hasValue(test, page, candidates.elements[i]));
      }
    } else {
      for (int i = of.nextSetBit(0); i >= 0; i = of.nextSetBit(i + 1)) {
        result.set(i, keyPasses(test, candidates.keys[i]));
      }
    }
    return result;
  }

  private static boolean keyPasses(Test test, long key) {
    if (test instanceof Test.Labelled labelled) {
      return labelled.labelIds().get(VertexKeys.labelId(key));
    } else if (test instanceof Test.OneOf oneOf) {
      return oneOf.keys().contains(key);
    }
    return test instanceof Test.Constant constant && constant.value();
  }

  private boolean hasValue(Test test, ElementPage page, int element) {
    if (test instanceof Test.Present present) {
      return values.find(page, element, present.propertyKeyId()) > 0;
    }
    Test.Value value = (Test.Value) test;
    int count = values.find(page, element, value.propertyKeyId());
    for (int i = 0; i < count; i++) {
      if (value.test().test(value(page, i))) {
        return true;
      }
    }
    return false;
  }

  private Object value(ElementPage page, int index) {
    int start = values.start(index);
    return ValueCodec.read(new ByteReader(page.data(), start, values.end(index) - start));
  }

  private void read(Candidates candidates, BitSet of) {
    BitSet missing = (BitSet) of.clone();
    missing.andNot(candidates.read);
    if (missing.isEmpty()) {
      return;
    }
    int[] positions = missing.stream().toArray();
    long[] keys = new long[positions.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = candidates.keys[positions[i]];
    }
    Request.Position from = Request.Position.START;
    while (from != null) {
      ElementPage page =
          rows.readVertices(new Request.ReadVertices(keys, view, Detail.PROPERTIES, from.index()));
      for (int e = 0; e < page.elements(); e++) {
        int position = positions[page.source(e)];
        candidates.pages[position] = page;
        candidates.elements[position] = e;
      }
      from = page.next();
    }
    candidates.read.or(missing);
  }

  private BitSet connected(Test.Connected test, Candidates candidates, BitSet of) {
    int[] positions = of.stream().toArray();
    long[] keys = new long[positions.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = candidates.keys[positions[i]];
    }
    BitSet connected = new BitSet();
    for (boolean outgoing : directions(test.direction())) {
      adjacency.read(
          keys,
          0,
          keys.length,
          outgoing,
          test.labelIds(),
          view,
          (index, label, others, from, to) -> {
            connected.set(positions[index]);
            return true;
          });
    }
    for (int i = 0; i < keys.length; i++) {
      if (!connected.get(positions[i]) && elsewhere.isConnected(test, keys[i])) {
        connected.set(positions[i]);
      }
    }
    return connected;
  }

  /** Along the edges, against them, or one after the other. */
  static boolean[] directions(Direction direction) {
    return switch (direction) {
      case OUT -> new boolean[] {true};
      case IN -> new boolean[] {false};
      case BOTH -> new boolean[] {true, false};
    };
  }

  /** The edges of which a test is true. */
  EdgeBatch keep(Test test, EdgeBatch batch) {
    return batch.keep(passing(test, batch));
  }

  /** The positions of the edges of which a test is true. */
  BitSet passing(Test test, EdgeBatch batch) {
    BitSet passing = new BitSet();
    for (int i = 0; i < batch.size(); i++) {
      passing.set(i, passes(test, batch, i));
    }
    return passing;
  }

  private boolean passes(Test test, EdgeBatch batch, int index) {
    if (test instanceof Test.Labelled labelled) {
      return labelled.labelIds().get(batch.key(index).labelId());
    } else if (test instanceof Test.All all) {
      return all.of().stream().allMatch(each -> passes(each, batch, index));
    } else if (test instanceof Test.Any any) {
      return any.of().stream().anyMatch(each -> passes(each, batch, index));
    } else if (test instanceof Test.Negation negation) {
      return !passes(negation.of(), batch, index);
    } else if (test.needsRows()) {
      return batch.hasRows(index) && hasValue(test, batch.page(index), batch.element(index));
    }
    return test instanceof Test.Constant constant && constant.value();
  }
}
