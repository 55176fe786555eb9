package io.graphmeta.simulation;

import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexedVersion;
import io.graphmeta.shard.index.IndexSource;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An index as it is; what extends it does something else. */
class SabotagedIndex implements AttributeIndex {
  private final AttributeIndex index;

  SabotagedIndex(AttributeIndex index) {
    this.index = index;
  }

  /** A source of indexes that are others than they should be. */
  static IndexSource of(IndexSource source, UnaryOperator<AttributeIndex> sabotaged) {
    return new IndexSource() {
      @Override
      public AttributeIndex open() {
        return sabotaged.apply(source.open());
      }

      @Override
      public void remove() {
        source.remove();
      }
    };
  }

  @Override
  public long committedStamp() {
    return index.committedStamp();
  }

  @Override
  public List<IndexProgress> committedProgress() {
    return index.committedProgress();
  }

  @Override
  public void put(IndexedVersion version) {
    index.put(version);
  }

  @Override
  public void add(IndexedVersion version) {
    index.add(version);
  }

  @Override
  public void drop(long definition) {
    index.drop(definition);
  }

  @Override
  public void remove(long definition, byte[] keyPrefix) {
    index.remove(definition, keyPrefix);
  }

  @Override
  public void publish(long stamp) {
    index.publish(stamp);
  }

  @Override
  public long publishedStamp() {
    return index.publishedStamp();
  }

  @Override
  public void commit(List<IndexProgress> progress) {
    index.commit(progress);
  }

  @Override
  public @Nullable Candidates find(IndexClause clause, ViewSpan views, int most) {
    return index.find(clause, views, most);
  }

  @Override
  public @Nullable EdgeCandidates findEdges(IndexClause clause, ReadView view, int most) {
    return index.findEdges(clause, view, most);
  }

  @Override
  public @Nullable InOrder<Candidates> findInOrder(
      @Nullable IndexClause clause, OrderedPart part, ViewSpan views, int most) {
    return index.findInOrder(clause, part, views, most);
  }

  @Override
  public @Nullable InOrder<EdgeCandidates> findEdgesInOrder(
      @Nullable IndexClause clause, OrderedPart part, ReadView view, int most) {
    return index.findEdgesInOrder(clause, part, view, most);
  }

  @Override
  public @Nullable Candidates findExactly(IndexClause clause, ReadView view, int most) {
    return index.findExactly(clause, view, most);
  }

  @Override
  public @Nullable ValueCounts countValues(
      IndexDefinition definition,
      @Nullable IndexClause clause,
      ReadView view,
      LongFunction<long @Nullable []> without,
      int most) {
    return index.countValues(definition, clause, view, without, most);
  }

  @Override
  public VersionPage versions(long definition, byte[] from, int most) {
    return index.versions(definition, from, most);
  }

  @Override
  public IndexSizes sizes() {
    return index.sizes();
  }

  @Override
  public void close() {
    index.close();
  }
}
