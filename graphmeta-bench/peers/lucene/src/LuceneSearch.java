package io.graphmeta.bench.peers.lucene;

import io.graphmeta.bench.peers.runner.search.SearchData;
import io.graphmeta.bench.peers.runner.search.SearchQuestion;
import io.graphmeta.bench.peers.runner.search.SearchSubject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ngram.NGramTokenizer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;

/**
 * Lucene by itself, the mark: a document for each file and process as it is now, with the fields
 * that GraphMeta has for it, paths by their trigrams too. A file whose size changes is written
 * again. Nothing else is stored, and nothing confirmed but fragments.
 */
public final class LuceneSearch implements SearchSubject {
  private static final Analyzer TRIGRAMS =
      new Analyzer() {
        @Override
        protected TokenStreamComponents createComponents(String field) {
          return new TokenStreamComponents(new NGramTokenizer(3, 3));
        }
      };
  private static final Analyzer WORDS = new StandardAnalyzer();

  private IndexWriter writer;
  private DirectoryReader reader;
  private SearchData data;
  private long[] sizes;
  private String[] states;

  @Override
  public void create(Path directory, SearchData made) throws IOException {
    data = made;
    sizes = new long[data.files()];
    states = new String[data.files()];
    writer = new IndexWriter(FSDirectory.open(directory), new IndexWriterConfig(WORDS));
    reader = DirectoryReader.open(writer);
  }

  @Override
  public void addFiles(int from, int to) throws IOException {
    for (int file = from; file < to; file++) {
      sizes[file] = data.size(file);
      states[file] = data.state(file);
      writer.addDocument(document(file));
    }
  }

  private Document document(int file) {
    Document document = new Document();
    String path = data.path(file);
    document.add(new StringField("file", Integer.toString(file), Field.Store.NO));
    document.add(new NumericDocValuesField("number", file));
    document.add(new StringField("path", path, Field.Store.YES));
    document.add(new TextField("trigrams", TRIGRAMS.tokenStream("trigrams", path)));
    document.add(new StringField("name", data.name(file), Field.Store.NO));
    document.add(new StringField("owner", data.owner(file), Field.Store.NO));
    document.add(new StringField("state", states[file], Field.Store.NO));
    document.add(new LongField("size", sizes[file], Field.Store.NO));
    return document;
  }

  @Override
  public void addProcesses(int from, int to) throws IOException {
    for (int process = from; process < to; process++) {
      Document document = new Document();
      document.add(new NumericDocValuesField("number", process));
      document.add(new TextField("commandLine", data.commandLine(process), Field.Store.NO));
      writer.addDocument(document);
    }
  }

  @Override
  public void change(int from, int to) throws IOException {
    for (int change = from; change < to; change++) {
      int file = data.changed(change);
      sizes[file] = data.newSize(change);
      states[file] = data.newState(change);
      writer.updateDocument(new Term("file", Integer.toString(file)), document(file));
    }
  }

  @Override
  public void settle() throws IOException {
    writer.commit();
    DirectoryReader newer = DirectoryReader.openIfChanged(reader, writer);
    if (newer != null) {
      reader.close();
      reader = newer;
    }
  }

  @Override
  public long[] ask(SearchQuestion question, int number, boolean past) throws IOException {
    if (past) {
      throw new IllegalArgumentException("This index keeps the present only");
    }
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null); // each question is asked once
    Query query = query(question, number);
    if (question == SearchQuestion.COUNT) {
      return new long[] {searcher.count(query)};
    }
    List<Integer> documents = new ArrayList<>();
    if (question == SearchQuestion.LARGEST) {
      Sort largest = new Sort(LongField.newSortField("size", true, SortedNumericSelector.Type.MAX));
      for (ScoreDoc each : searcher.search(query, SearchQuestion.MOST, largest).scoreDocs) {
        documents.add(each.doc);
      }
    } else {
      searcher.search(query, collector(documents));
    }
    if (question == SearchQuestion.FRAGMENT) {
      List<Integer> candidates = List.copyOf(documents);
      documents.clear();
      for (int document : candidates) {
        if (contains(searcher, document, number)) {
          documents.add(document);
        }
      }
    }
    return numbers(documents);
  }

  private static SimpleCollector collector(List<Integer> documents) {
    return new SimpleCollector() {
      private int base;

      @Override
      protected void doSetNextReader(LeafReaderContext leaf) {
        base = leaf.docBase;
      }

      @Override
      public void collect(int document) {
        documents.add(base + document);
      }

      @Override
      public ScoreMode scoreMode() {
        return ScoreMode.COMPLETE_NO_SCORES;
      }
    };
  }

  private boolean contains(IndexSearcher searcher, int document, int number) throws IOException {
    return searcher
        .storedFields()
        .document(document)
        .get("path")
        .contains(SearchQuestion.fragment(number));
  }

  private long[] numbers(List<Integer> documents) throws IOException {
    long[] numbers = new long[documents.size()];
    Integer[] order = new Integer[numbers.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    java.util.Arrays.sort(order, java.util.Comparator.comparing(documents::get));
    NumericDocValues values = MultiDocValues.getNumericValues(reader, "number");
    for (int at : order) {
      values.advanceExact(documents.get(at));
      numbers[at] = values.longValue();
    }
    return numbers;
  }

  private Query query(SearchQuestion question, int number) throws IOException {
    return switch (question) {
      case EXACT -> term("name", data.name(number));
      case PREFIX -> new PrefixQuery(new Term("path", data.directory(number)));
      case FRAGMENT -> trigrams(SearchQuestion.fragment(number));
      case REGEX ->
          new RegexpQuery(
              new Term("path", ".*" + SearchQuestion.regex(number).replace("/", "\\/") + ".*"));
      case WORD -> term("commandLine", data.word(number));
      case LARGEST -> above(SearchQuestion.largeBytes(number));
      case THREE ->
          new BooleanQuery.Builder()
              .add(term("owner", data.owner(number)), Occur.FILTER)
              .add(term("state", "closed"), Occur.FILTER)
              .add(above(SearchQuestion.halfBytes()), Occur.FILTER)
              .build();
      case COUNT -> term("owner", data.owner(number));
    };
  }

  private static Query term(String field, String text) {
    return new TermQuery(new Term(field, text));
  }

  private static Query above(long bytes) {
    return LongField.newRangeQuery("size", bytes + 1, Long.MAX_VALUE);
  }

  private static Query trigrams(String text) throws IOException {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    try (TokenStream tokens = TRIGRAMS.tokenStream("trigrams", text)) {
      var term =
          tokens.getAttribute(
              org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        all.add(
            new TermQuery(
                new Term("trigrams", org.apache.lucene.util.BytesRef.deepCopyOf(term.getBytesRef()))),
            Occur.FILTER);
      }
      tokens.end();
    }
    return all.build();
  }

  @Override
  public void close() throws IOException {
    reader.close();
    writer.close();
  }
}
