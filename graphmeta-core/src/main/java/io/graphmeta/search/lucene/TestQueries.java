package io.graphmeta.search.lucene;

import static org.apache.lucene.search.BooleanClause.Occur.FILTER;
import static org.apache.lucene.search.BooleanClause.Occur.SHOULD;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.IndexKinds;
import io.graphmeta.search.RegexLiterals;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Tests of values as queries for documents. What a query finds holds all values of which the test
 * is true or an error; parts of a test that no kind of the definition serves are left out.
 */
final class TestQueries {
  /** A conjunction of more words hardly finds fewer texts. */
  private static final int MAX_WORDS = 64;

  private static final int MAX_PIECES = 64;

  private final IndexDefinition definition;

  TestQueries(IndexDefinition definition) {
    this.definition = definition;
  }

  /** The values that a test may be true of, or an error. */
  Query candidates(ValueTest test) {
    if (!IndexKinds.serve(definition.kinds(), test)) {
      throw GraphMetaException.internal(
          "Index " + definition.name() + " does not serve the test " + test);
    }
    return served(test);
  }

  /** The values that a test may be an error of; null if there are none. */
  @Nullable Query errors(ValueTest test) {
    return asksForText(test) ? new TermQuery(ValueMarks.NO_TEXT.on(definition)) : null;
  }

  private static boolean asksForText(ValueTest test) {
    if (test instanceof ValueTest.And and) {
      return and.of().stream().anyMatch(TestQueries::asksForText);
    } else if (test instanceof ValueTest.Or or) {
      return or.of().stream().anyMatch(TestQueries::asksForText);
    } else if (test instanceof ValueTest.Not not) {
      return asksForText(not.of());
    }
    return test instanceof ValueTest.Text;
  }

  private Query served(ValueTest test) {
    if (test instanceof ValueTest.Compare compare) {
      return compare.comparison() == Comparison.EQUAL
          ? equal(List.of(compare.operand()))
          : order(compare.comparison(), compare.operand());
    } else if (test instanceof ValueTest.Within within) {
      return equal(within.operands());
    } else if (test instanceof ValueTest.Text text) {
      return withErrors(text(text), test);
    } else if (test instanceof ValueTest.Words words) {
      return words(words);
    } else if (test instanceof ValueTest.And and) {
      List<Query> parts = new ArrayList<>();
      for (ValueTest each : and.of()) {
        if (IndexKinds.serve(definition.kinds(), each)) {
          parts.add(served(each));
        }
      }
      return withErrors(join(FILTER, parts), test);
    } else if (test instanceof ValueTest.Or or) {
      return join(SHOULD, or.of().stream().map(this::served).toList());
    }
    throw GraphMetaException.internal("No index serves the test " + test);
  }

  /** A part that is an error may be followed by one that is not true. */
  private Query withErrors(Query query, ValueTest test) {
    Query errors = errors(test);
    return errors == null ? query : join(SHOULD, List.of(query, errors));
  }

  private Query equal(List<Object> operands) {
    List<BytesRef> terms = new ArrayList<>(operands.size());
    operands.forEach(operand -> terms.addAll(ExactTerms.ofOperand(operand)));
    String field = VersionDocuments.exact(definition);
    if (terms.isEmpty()) {
      return new MatchNoDocsQuery("nothing equals NaN, or one of none");
    }
    return terms.size() == 1
        ? new TermQuery(new Term(field, terms.get(0)))
        : new TermInSetQuery(field, terms);
  }

  private Query order(Comparison comparison, Object operand) {
    if (operand instanceof String text) {
      return ExactTerms.texts(VersionDocuments.exact(definition), comparison, text);
    }
    Long micros = Bounds.micros(operand);
    return micros != null
        ? Bounds.dates(VersionDocuments.dates(definition), comparison, micros)
        : Bounds.numbers(VersionDocuments.numbers(definition), comparison, (Number) operand);
  }

  private Query text(ValueTest.Text test) {
    if (test.relation() == TextRelation.STARTS_WITH
        && definition.kinds().contains(IndexKind.EXACT)) {
      return new PrefixQuery(
          new Term(VersionDocuments.exact(definition), ExactTerms.prefix(test.operand())));
    }
    String field = VersionDocuments.fragments(definition);
    List<String> parts =
        test.relation() == TextRelation.MATCHES
            ? RegexLiterals.of(test.operand())
            : List.of(test.operand());
    List<Query> pieces = new ArrayList<>();
    for (String part : parts) {
      for (BytesRef piece : Trigrams.asked(part)) {
        if (pieces.size() < MAX_PIECES) {
          pieces.add(new TermQuery(new Term(field, piece)));
        }
      }
    }
    Query uncut = new TermQuery(new Term(field, VersionDocuments.UNCUT));
    return join(SHOULD, List.of(join(FILTER, pieces), uncut));
  }

  private Query words(ValueTest.Words test) {
    String field = VersionDocuments.words(definition, test.analysis());
    List<Query> words = new ArrayList<>();
    for (int i = 0; i < test.words().size() && i < MAX_WORDS; i++) {
      String word = test.words().get(i);
      boolean isBeginning = test.lastIsBeginning() && i == test.words().size() - 1;
      words.add(
          isBeginning
              ? new PrefixQuery(new Term(field, WordTerms.prefix(word)))
              : new TermQuery(new Term(field, WordTerms.term(word))));
    }
    Query uncut = new TermQuery(new Term(field, VersionDocuments.UNCUT));
    return join(SHOULD, List.of(join(FILTER, words), uncut));
  }

  private static Query join(BooleanClause.Occur occur, List<Query> parts) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    parts.forEach(part -> query.add(part, occur));
    return new ConstantScoreQuery(query.build());
  }
}
