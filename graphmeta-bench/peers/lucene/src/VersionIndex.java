package io.graphmeta.bench.peers.lucene;

import io.graphmeta.bench.peers.lucene.Representations.State;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ngram.NGramTokenizer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * One way to hold versions in Lucene. Documents have the number of their file, the stamp they begin
 * at, perhaps the one they end at, and a field for each property: all of a file where documents are
 * of vertices, else one. Used by one thread.
 */
final class VersionIndex implements Closeable {
  private static final long OPEN = Long.MAX_VALUE;
  private static final Analyzer TRIGRAMS =
      new Analyzer() {
        @Override
        protected TokenStreamComponents createComponents(String field) {
          return new TokenStreamComponents(new NGramTokenizer(3, 3));
        }
      };

  /** What is done with a version that ends. */
  private enum Way {
    /** Nothing: only where versions begin is known. */
    STARTS,
    /** Its document is deleted and added again with its end. */
    READDED,
    /** Its end is a doc value, which is updated. */
    UPDATED,
    /** As the next, with a document for each state of a vertex. */
    VERTICES,
    /** Its document moves from one index to another. */
    PROPERTIES
  }

  private final Way way;
  private final IndexWriter current;
  private final IndexWriter history;
  private DirectoryReader ofCurrent;
  private DirectoryReader ofHistory;

  private VersionIndex(Way way, Path directory) throws IOException {
    this.way = way;
    this.current = writer(directory.resolve("current"));
    this.history = writer(directory.resolve("history"));
    this.ofCurrent = DirectoryReader.open(current);
    this.ofHistory = DirectoryReader.open(history);
  }

  private static IndexWriter writer(Path directory) throws IOException {
    return new IndexWriter(
        FSDirectory.open(directory), new IndexWriterConfig(new StandardAnalyzer()));
  }

  static VersionIndex of(String way, Path directory) throws IOException {
    return new VersionIndex(Way.valueOf(way.toUpperCase(Locale.ROOT)), directory);
  }

  boolean isOfVertices() {
    return way == Way.VERTICES;
  }

  // Writing

  void create(State state, long stamp) throws IOException {
    if (isOfVertices()) {
      current.addDocument(vertex(state, stamp, OPEN));
      return;
    }
    for (String key : List.of("path", "owner", "size", "state")) {
      current.addDocument(property(state, key, stamp, OPEN));
    }
  }

  void change(State before, long since, State after, long stamp) throws IOException {
    if (isOfVertices()) {
      history.addDocument(vertex(before, since, stamp));
      current.updateDocument(id(after, "", since), vertex(after, stamp, OPEN));
      return;
    }
    for (String key : List.of("size", "state")) {
      Term ended = id(before, key, since);
      switch (way) {
        case STARTS -> {}
        case READDED -> current.updateDocument(ended, property(before, key, since, stamp));
        case UPDATED -> current.updateNumericDocValue(ended, "to", stamp);
        default -> {
          current.deleteDocuments(ended);
          history.addDocument(property(before, key, since, stamp));
        }
      }
      current.addDocument(property(after, key, stamp, OPEN));
    }
  }

  /** The document of a version; of a vertex that of its state, whose identity does not change. */
  private Term id(State state, String key, long since) {
    return new Term("id", state.file() + key + (isOfVertices() ? "" : Long.toString(since)));
  }

  private Document vertex(State state, long from, long to) {
    Document document = begin(state, "", from, to);
    for (String key : List.of("path", "owner", "size", "state")) {
      add(document, state, key);
    }
    return document;
  }

  private Document property(State state, String key, long from, long to) {
    Document document = begin(state, key, from, to);
    add(document, state, key);
    return document;
  }

  private Document begin(State state, String key, long from, long to) {
    Document document = new Document();
    document.add(new StringField("id", id(state, key, from).bytes(), Field.Store.NO));
    document.add(new NumericDocValuesField("file", state.file()));
    document.add(new LongField("from", from, Field.Store.NO));
    if (way == Way.UPDATED) {
      document.add(new NumericDocValuesField("to", to));
    } else if (way == Way.READDED || to != OPEN) {
      document.add(new LongField("to", to, Field.Store.NO));
    }
    return document;
  }

  private static void add(Document document, State state, String key) {
    switch (key) {
      case "path" -> {
        document.add(new StringField("path", state.path(), Field.Store.NO));
        document.add(new TextField("part", TRIGRAMS.tokenStream("part", state.path())));
      }
      case "owner" -> document.add(new StringField("owner", state.owner(), Field.Store.NO));
      case "state" -> document.add(new StringField("state", state.state(), Field.Store.NO));
      default -> {
        document.add(new LongPoint("sizePoint", state.size()));
        document.add(new NumericDocValuesField("size", state.size()));
      }
    }
  }

  void refresh() throws IOException {
    ofCurrent = newer(ofCurrent, current);
    ofHistory = newer(ofHistory, history);
  }

  private static DirectoryReader newer(DirectoryReader reader, IndexWriter writer)
      throws IOException {
    DirectoryReader newer = DirectoryReader.openIfChanged(reader, writer);
    if (newer == null) {
      return reader;
    }
    reader.close();
    return newer;
  }

  /** Brings all to disk, and waits for merges. */
  void commit() throws IOException {
    for (IndexWriter each : List.of(history, current)) {
      each.commit();
      ((ConcurrentMergeScheduler) each.getConfig().getMergeScheduler()).sync();
    }
    refresh();
  }

  // Asking

  List<IndexSearcher> searchers(boolean past) {
    List<IndexSearcher> searchers = new ArrayList<>();
    searchers.add(searcher(ofCurrent));
    if (past && (way == Way.VERTICES || way == Way.PROPERTIES)) {
      searchers.add(searcher(ofHistory));
    }
    return searchers;
  }

  private static IndexSearcher searcher(DirectoryReader reader) {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
    return searcher;
  }

  Query text(String key, String text) {
    return new TermQuery(new Term(key, text));
  }

  Query beginning(String key, String text) {
    return new PrefixQuery(new Term(key, text));
  }

  Query part(String text) throws IOException {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    try (TokenStream tokens = TRIGRAMS.tokenStream("part", text)) {
      TermToBytesRefAttribute term = tokens.getAttribute(TermToBytesRefAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        Term piece = new Term("part", BytesRef.deepCopyOf(term.getBytesRef()));
        all.add(new TermQuery(piece), Occur.FILTER);
      }
      tokens.end();
    }
    return all.build();
  }

  /** Files above a size. */
  Query sizes(long above) {
    return LongPoint.newRangeQuery("sizePoint", above + 1, OPEN);
  }

  Query both(Query one, Query other) {
    return new BooleanQuery.Builder().add(one, Occur.FILTER).add(other, Occur.FILTER).build();
  }

  /** What counts at a moment, as far as documents tell. */
  Query at(Query query, boolean past, long stamp) {
    Query begun = LongField.newRangeQuery("from", 0, stamp);
    return switch (way) {
      case STARTS -> past ? both(query, begun) : query;
      case READDED ->
          past
              ? both(both(query, begun), LongField.newRangeQuery("to", stamp + 1, OPEN))
              : both(query, LongField.newExactQuery("to", OPEN));
      case UPDATED -> {
        Query goesOn = NumericDocValuesField.newSlowRangeQuery("to", stamp + 1, OPEN);
        yield past ? both(both(query, begun), goesOn) : both(query, goesOn);
      }
      default ->
          past
              ? new BooleanQuery.Builder()
                  .add(query, Occur.FILTER)
                  .add(begun, Occur.FILTER)
                  .add(LongField.newRangeQuery("to", 0, stamp), Occur.MUST_NOT)
                  .build()
              : query;
    };
  }

  /** Adds the files of all documents that a query finds. */
  void collect(IndexSearcher searcher, Query query, BitSet files) throws IOException {
    searcher.search(
        query,
        new SimpleCollector() {
          private NumericDocValues numbers;

          @Override
          protected void doSetNextReader(LeafReaderContext leaf) throws IOException {
            numbers = leaf.reader().getNumericDocValues("file");
          }

          @Override
          public void collect(int document) throws IOException {
            if (numbers.advanceExact(document)) {
              files.set((int) numbers.longValue());
            }
          }

          @Override
          public ScoreMode scoreMode() {
            return ScoreMode.COMPLETE_NO_SCORES;
          }
        });
  }

  /** Adds the file and the size of each document. */
  void read(IndexSearcher searcher, ScoreDoc[] documents, List<long[]> into) throws IOException {
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    for (ScoreDoc each : documents) {
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(each.doc, leaves));
      NumericDocValues files = leaf.reader().getNumericDocValues("file");
      NumericDocValues sizes = leaf.reader().getNumericDocValues("size");
      files.advanceExact(each.doc - leaf.docBase);
      sizes.advanceExact(each.doc - leaf.docBase);
      into.add(new long[] {files.longValue(), sizes.longValue()});
    }
  }

  @Override
  public void close() throws IOException {
    ofCurrent.close();
    ofHistory.close();
    current.close();
    history.close();
  }
}
