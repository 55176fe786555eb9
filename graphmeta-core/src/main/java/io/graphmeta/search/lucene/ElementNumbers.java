package io.graphmeta.search.lucene;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;

/** Numbers that stand for elements within one search, to join clauses by. */
interface ElementNumbers {
  /** Those of the documents of a segment. */
  Column of(LeafReader leaf) throws IOException;

  /** Numbers of the elements of documents, which are asked for in rising order. */
  interface Column {
    /**
     * The number of the element of a document.
     *
     * @param known whether only elements are asked for that have a number already; others may get
     *     one that no element has
     */
    long of(int doc, boolean known) throws IOException;
  }
}
