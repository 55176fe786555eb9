package io.graphmeta.search.lucene;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.TextAnalysis;
import io.graphmeta.plan.ValueTests;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.IndexKinds;
import io.graphmeta.search.IndexedVersion;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.Term;
import org.apache.lucene.util.BytesRef;

/**
 * The documents of versions, and the names of their fields. All have their identity, the key of
 * their vertex or edge, and the stamps that views are compared with; those that have ended also the
 * stamps of their end. What is searched for has fields of its own for each definition, whose names
 * end with its number. Used by the thread that changes the index.
 */
final class VersionDocuments {
  /** The key of the vertex, a column to join clauses by. */
  static final String VERTEX = "vertex";

  /** The key of the edge, likewise. */
  static final String EDGE = "edge";

  static final String VALID = "valid";
  static final String COMMITTED = "committed";
  static final String END_VALID = "endValid";
  static final String END_COMMITTED = "endCommitted";

  /** In a field of fragments: the text is too long to be cut. No piece is so short. */
  static final BytesRef UNCUT = new BytesRef(new byte[] {0});

  private static final TextAnalysis[] ANALYSES = TextAnalysis.values();
  private static final FieldType PIECES = new FieldType();

  static {
    PIECES.setIndexOptions(IndexOptions.DOCS);
    PIECES.setTokenized(true);
    PIECES.setOmitNorms(true);
    PIECES.freeze();
  }

  private final Trigrams trigrams = new Trigrams();

  /** A stream for each analysis, since all are read when the document is added. */
  private final Map<TextAnalysis, WordTerms> wordTerms = new EnumMap<>(TextAnalysis.class);

  /** Terms of values that are equal. */
  static String exact(IndexDefinition definition) {
    return field("exact", definition);
  }

  /** Points of numbers. */
  static String numbers(IndexDefinition definition) {
    return field("number", definition);
  }

  /** Points of dates. */
  static String dates(IndexDefinition definition) {
    return field("date", definition);
  }

  /** Pieces of texts. */
  static String fragments(IndexDefinition definition) {
    return field("fragment", definition);
  }

  /** Words of texts. */
  static String words(IndexDefinition definition, TextAnalysis analysis) {
    return field(IndexKinds.of(analysis).text(), definition);
  }

  private static String field(String what, IndexDefinition definition) {
    return what + Long.toHexString(definition.number());
  }

  /** The document of a version, good until the next is asked for. */
  Document of(IndexedVersion version, Identity identity, BytesRef term) {
    Document document = new Document();
    document.add(new StringField(Identity.FIELD, term, Field.Store.NO));
    document.add(
        version.definition().element() == ElementKind.EDGE
            ? new BinaryDocValuesField(EDGE, new BytesRef(identity.element()))
            : new NumericDocValuesField(VERTEX, BigEndian.getLong(identity.element(), 0)));
    document.add(new LongField(VALID, version.valid(), Field.Store.NO));
    document.add(new LongField(COMMITTED, version.committed(), Field.Store.NO));
    if (!version.isOpen()) {
      document.add(new LongField(END_VALID, version.endValid(), Field.Store.NO));
      document.add(new LongField(END_COMMITTED, version.endCommitted(), Field.Store.NO));
    }
    addValue(document, version.definition(), ValueTests.plain(version.value()));
    for (ValueMarks mark : ValueMarks.of(version)) {
      Term on = mark.on(version.definition());
      document.add(new StringField(on.field(), on.bytes(), Field.Store.NO));
    }
    return document;
  }

  private void addValue(Document document, IndexDefinition definition, Object value) {
    Set<IndexKind> kinds = definition.kinds();
    if (kinds.contains(IndexKind.EXACT)) {
      for (BytesRef term : ExactTerms.ofValue(value)) {
        document.add(new StringField(exact(definition), term, Field.Store.NO));
      }
    }
    if (value instanceof String text) {
      addPieces(document, definition, text);
      addWords(document, definition, text);
    } else if (kinds.contains(IndexKind.RANGE)) {
      addPoint(document, definition, value);
    }
  }

  private void addPieces(Document document, IndexDefinition definition, String text) {
    if (!definition.kinds().contains(IndexKind.FRAGMENT)) {
      return;
    }
    if (text.length() > Trigrams.MAX_CHARS) {
      document.add(new StringField(fragments(definition), UNCUT, Field.Store.NO));
    } else {
      document.add(new Field(fragments(definition), trigrams.of(text), PIECES));
    }
  }

  private void addWords(Document document, IndexDefinition definition, String text) {
    for (TextAnalysis analysis : ANALYSES) {
      if (!definition.kinds().contains(IndexKinds.of(analysis))) {
        continue;
      }
      String field = words(definition, analysis);
      if (text.length() > Trigrams.MAX_CHARS) {
        document.add(new StringField(field, UNCUT, Field.Store.NO));
      } else {
        WordTerms terms = wordTerms.computeIfAbsent(analysis, each -> new WordTerms());
        document.add(new Field(field, terms.of(analysis.words(text)), PIECES));
      }
    }
  }

  private static void addPoint(Document document, IndexDefinition definition, Object value) {
    Long micros = Bounds.micros(value);
    if (micros != null) {
      document.add(new LongPoint(dates(definition), micros));
    } else if (value instanceof Number number) {
      Double point = Bounds.point(number);
      if (point != null) {
        document.add(new DoublePoint(numbers(definition), point));
      }
    }
  }
}
