package io.graphmeta.search.syntax;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.error.Quoted;
import io.graphmeta.search.SearchQuery;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.queryparser.flexible.core.QueryNodeParseException;
import org.apache.lucene.queryparser.flexible.core.nodes.BooleanQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.FieldQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.FuzzyQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.GroupQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.ModifierQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.OrQueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.QueryNode;
import org.apache.lucene.queryparser.flexible.core.nodes.QuotedFieldQueryNode;
import org.apache.lucene.queryparser.flexible.core.util.UnescapedCharSequence;
import org.apache.lucene.queryparser.flexible.standard.nodes.TermRangeQueryNode;
import org.apache.lucene.queryparser.flexible.standard.parser.StandardSyntaxParser;
import org.jspecify.annotations.Nullable;

/**
 * Reads the query syntax of Lucene: {@code model cfg}, {@code name:model* -owner:root}, {@code
 * "--nodes=4" OR size:[1000 TO *]}. Words that stand beside each other have all to be there. What
 * stands for likeness, weights and regular expressions is refused. Pure.
 */
public final class QuerySyntax {
  /** The longest query, in UTF-16 units. */
  public static final int MAX_CHARS = 4_096;

  /** Most words, ranges and negations of a query. */
  public static final int MAX_CLAUSES = 256;

  private static final int MAX_DEPTH = 12;
  private static final String NO_KEY = "";
  private static final String EXPECTED =
      "expected words, \"words in quotes\", beginnings*, key:word, key:[low TO high], joined by AND, OR, NOT, - and"
          + " parentheses; put what has other signs in quotes, such as \"--nodes=4\" or \"/data/run\"";

  private final String text;
  private int clauses;

  private QuerySyntax(String text) {
    this.text = text;
  }

  /**
   * Reads a query.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for one that cannot be read, is too long,
   *     has too many clauses, or only says what is not wanted
   */
  public static SearchQuery parse(String text) {
    if (text.isBlank()) {
      throw GraphMetaException.invalid("The query is empty; " + EXPECTED);
    }
    long opened = text.chars().filter(unit -> unit == '(').count();
    if (text.length() > MAX_CHARS || opened > MAX_CLAUSES) {
      throw GraphMetaException.invalid(
          "The query "
              + Quoted.of(text)
              + " has "
              + text.length()
              + " characters and "
              + opened
              + " parentheses; expected at most "
              + MAX_CHARS
              + " and "
              + MAX_CLAUSES);
    }
    QuerySyntax syntax = new QuerySyntax(text);
    SearchQuery query;
    try {
      query = syntax.read(new StandardSyntaxParser().parse(text, NO_KEY), 0);
    } catch (QueryNodeParseException e) {
      throw syntax.unreadable();
    }
    if (!isPositive(query)) {
      throw GraphMetaException.invalid(
          "The query "
              + Quoted.of(text)
              + " says only what is not wanted in one of its alternatives; expected a word that is wanted too");
    }
    return query;
  }

  private GraphMetaException unreadable() {
    return GraphMetaException.invalid(
        "The query " + Quoted.of(text) + " cannot be read; " + EXPECTED);
  }

  private static boolean isPositive(SearchQuery query) {
    if (query instanceof SearchQuery.All all) {
      return all.of().stream().anyMatch(QuerySyntax::isPositive);
    } else if (query instanceof SearchQuery.Any any) {
      return any.of().stream().allMatch(QuerySyntax::isPositive);
    }
    return !(query instanceof SearchQuery.Not);
  }

  private SearchQuery read(QueryNode node, int depth) {
    if (depth > MAX_DEPTH || ++clauses > MAX_CLAUSES) {
      throw GraphMetaException.invalid(
          "The query "
              + Quoted.of(text)
              + " is too large; expected at most "
              + MAX_CLAUSES
              + " clauses, and parentheses in each other at most "
              + MAX_DEPTH
              + " times");
    }
    if (node instanceof GroupQueryNode group) {
      return read(group.getChild(), depth);
    } else if (node instanceof ModifierQueryNode modifier) {
      SearchQuery of = read(modifier.getChild(), depth + 1);
      return modifier.getModifier() == ModifierQueryNode.Modifier.MOD_NOT
          ? new SearchQuery.Not(of)
          : of;
    } else if (node instanceof OrQueryNode or) {
      return new SearchQuery.Any(children(or, depth));
    } else if (node instanceof BooleanQueryNode all) {
      return new SearchQuery.All(children(all, depth));
    } else if (node instanceof TermRangeQueryNode range) {
      return range(range);
    } else if (node instanceof FieldQueryNode term && !(node instanceof FuzzyQueryNode)) {
      return term(term, node instanceof QuotedFieldQueryNode);
    }
    throw unreadable();
  }

  private List<SearchQuery> children(QueryNode node, int depth) {
    List<SearchQuery> children = new ArrayList<>();
    for (QueryNode child : node.getChildren()) {
      children.add(read(child, depth + 1));
    }
    return children;
  }

  private SearchQuery term(FieldQueryNode node, boolean quoted) {
    CharSequence word = node.getText();
    boolean openStart = !quoted && isAsterisk(word, 0);
    boolean openEnd = !quoted && isAsterisk(word, word.length() - 1);
    int from = openStart ? 1 : 0;
    int to = Math.max(from, openEnd ? word.length() - 1 : word.length());
    for (int i = from; i < to && !quoted; i++) {
      if (isAsterisk(word, i) || word.charAt(i) == '?' && !isEscaped(word, i)) {
        throw GraphMetaException.invalid(
            "The word "
                + Quoted.of(word.toString())
                + " has a wildcard within; expected * at its beginning or end only");
      }
    }
    if (from == to) {
      throw GraphMetaException.invalid(
          "The query "
              + Quoted.of(text)
              + " asks for any text; expected a word beside the asterisk");
    }
    return new SearchQuery.Term(
        key(node), word.subSequence(from, to).toString(), openStart, openEnd);
  }

  private static boolean isAsterisk(CharSequence word, int at) {
    return at >= 0 && at < word.length() && word.charAt(at) == '*' && !isEscaped(word, at);
  }

  private static boolean isEscaped(CharSequence word, int at) {
    return word instanceof UnescapedCharSequence unescaped && unescaped.wasEscaped(at);
  }

  private static @Nullable String key(FieldQueryNode node) {
    String key = node.getFieldAsString();
    return key.equals(NO_KEY) ? null : key;
  }

  private SearchQuery range(TermRangeQueryNode node) {
    String key = key(node.getLowerBound());
    if (key == null) {
      throw GraphMetaException.invalid(
          "The query "
              + Quoted.of(text)
              + " has a range of no property; expected key:[low TO high]");
    }
    return new SearchQuery.Range(
        key,
        bound(node.getLowerBound()),
        node.isLowerInclusive(),
        bound(node.getUpperBound()),
        node.isUpperInclusive());
  }

  /** A bound; null if there is none. */
  private static @Nullable String bound(FieldQueryNode node) {
    String bound = node.getTextAsString();
    return bound.isEmpty() || bound.equals("*") ? null : bound;
  }
}
