package io.graphmeta.stage.level;

import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.adjacency.NeighbourQuery;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.rows.PageReader;
import io.graphmeta.stage.flow.EdgeBatch;
import io.graphmeta.stage.program.Criterion;
import io.graphmeta.stage.program.Program;
import io.graphmeta.stage.results.ElementValues;
import java.util.BitSet;

/**
 * Decides for which elements a criterion holds, many elements at a time. What a key tells needs no
 * read. Rows are read once, for the elements of a batch that are still in question. Belongs to one
 * thread.
 */
final class ElementFilter {
  private static final int CHUNK = 2048;

  private final PageReader rows;
  private final AdjacencyReader adjacency;
  private final ReadView view;
  private final Connections elsewhere;
  private final ElementValues values = new ElementValues();

  /**
   * ElementFilter at a view.
   *
   * @param elsewhere what is known of edges on other shards
   */
  ElementFilter(PageReader rows, AdjacencyReader adjacency, ReadView view, Connections elsewhere) {
    this.elsewhere = elsewhere;
    this.rows = rows;
    this.adjacency = adjacency;
    this.view = view;
  }

  /** The vertices for which a criterion holds. */
  VertexBatch keep(Criterion criterion, VertexBatch batch) {
    return batch.keep(passing(criterion, batch));
  }

  /** The positions of the vertices for which a criterion holds. */
  BitSet passing(Criterion criterion, VertexBatch batch) {
    BitSet passing = new BitSet(batch.size());
    for (int from = 0; from < batch.size(); from += CHUNK) {
      int to = Math.min(batch.size(), from + CHUNK);
      Candidates candidates = new Candidates(batch.range(from, to).keys());
      BitSet all = new BitSet();
      all.set(0, to - from);
      BitSet passed = vertices(criterion, candidates, all);
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

  private BitSet vertices(Criterion criterion, Candidates candidates, BitSet of) {
    BitSet result = (BitSet) of.clone();
    if (criterion instanceof Criterion.All all) {
      for (Criterion each : all.of()) {
        result = vertices(each, candidates, result);
      }
    } else if (criterion instanceof Criterion.Any any) {
      BitSet open = (BitSet) of.clone();
      result.clear();
      for (Criterion each : any.of()) {
        BitSet passed = vertices(each, candidates, open);
        result.or(passed);
        open.andNot(passed);
      }
    } else if (criterion instanceof Criterion.Negation negation) {
      result.andNot(vertices(negation.of(), candidates, of));
    } else if (criterion instanceof Criterion.Connected connected) {
      return connected(connected, candidates, of);
    } else if (criterion.needsRows()) {
      read(candidates, of);
      for (int i = of.nextSetBit(0); i >= 0; i = of.nextSetBit(i + 1)) {
        ElementPage page = candidates.pages[i];
        result.set(i, page != null && hasValue(criterion, page, candidates.elements[i]));
      }
    } else {
      for (int i = of.nextSetBit(0); i >= 0; i = of.nextSetBit(i + 1)) {
        result.set(i, keyPasses(criterion, candidates.keys[i]));
      }
    }
    return result;
  }

  private static boolean keyPasses(Criterion criterion, long key) {
    if (criterion instanceof Criterion.Labelled labelled) {
      return labelled.labelIds().get(VertexKeys.labelId(key));
    } else if (criterion instanceof Criterion.OneOf oneOf) {
      return oneOf.keys().contains(key);
    }
    return criterion instanceof Criterion.Constant constant && constant.value();
  }

  private boolean hasValue(Criterion criterion, ElementPage page, int element) {
    if (criterion instanceof Criterion.Present present) {
      return values.find(page, element, present.propertyKeyId()) > 0;
    }
    if (criterion instanceof Criterion.IdText id) {
      return id.test().test(ElementValues.writtenId(page, element));
    }
    Criterion.Value value = (Criterion.Value) criterion;
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

  private BitSet connected(Criterion.Connected criterion, Candidates candidates, BitSet of) {
    int[] positions = of.stream().toArray();
    long[] keys = new long[positions.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = candidates.keys[positions[i]];
    }
    BitSet connected = new BitSet();
    for (boolean outgoing : Program.directions(criterion.direction())) {
      adjacency.read(
          keys,
          0,
          keys.length,
          new NeighbourQuery(outgoing, criterion.labelIds(), view),
          (index, label, others, from, to) -> {
            connected.set(positions[index]);
            return true;
          });
    }
    for (int i = 0; i < keys.length; i++) {
      if (!connected.get(positions[i]) && elsewhere.isConnected(criterion, keys[i])) {
        connected.set(positions[i]);
      }
    }
    return connected;
  }

  /** The edges for which a criterion holds. */
  EdgeBatch keep(Criterion criterion, EdgeBatch batch) {
    return batch.keep(passing(criterion, batch));
  }

  /** The positions of the edges for which a criterion holds. */
  BitSet passing(Criterion criterion, EdgeBatch batch) {
    BitSet passing = new BitSet();
    for (int i = 0; i < batch.size(); i++) {
      passing.set(i, passes(criterion, batch, i));
    }
    return passing;
  }

  private boolean passes(Criterion criterion, EdgeBatch batch, int index) {
    if (criterion instanceof Criterion.Labelled labelled) {
      return labelled.labelIds().get(batch.key(index).labelId());
    } else if (criterion instanceof Criterion.All all) {
      return all.of().stream().allMatch(each -> passes(each, batch, index));
    } else if (criterion instanceof Criterion.Any any) {
      return any.of().stream().anyMatch(each -> passes(each, batch, index));
    } else if (criterion instanceof Criterion.Negation negation) {
      return !passes(negation.of(), batch, index);
    } else if (criterion.needsRows()) {
      return batch.hasRows(index) && hasValue(criterion, batch.page(index), batch.element(index));
    }
    return criterion instanceof Criterion.Constant constant && constant.value();
  }
}
