package io.graphmeta.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What people ask in a line of text, before it is known which properties there are. Immutable.
 * {@link SearchConditions} says what it means.
 */
public sealed interface SearchQuery {
  /**
   * A word, several in quotes, or a part of a text.
   *
   * @param key the property; null for all that are indexed by words
   * @param text what is looked for, without the asterisks
   * @param openStart whether an asterisk stands before it: the text may begin earlier
   * @param openEnd whether an asterisk stands behind it
   */
  record Term(@Nullable String key, String text, boolean openStart, boolean openEnd)
      implements SearchQuery {}

  /**
   * A range of values.
   *
   * @param key the property
   * @param low where it begins; null for no beginning
   * @param high where it ends; null for no end
   */
  record Range(
      String key,
      @Nullable String low,
      boolean includesLow,
      @Nullable String high,
      boolean includesHigh)
      implements SearchQuery {}

  /** All are true; one of them at least is no {@link Not}. */
  record All(List<SearchQuery> of) implements SearchQuery {
    /** Copies the list. */
    public All {
      of = List.copyOf(of);
    }
  }

  /** One is true; none of them is a {@link Not}. */
  record Any(List<SearchQuery> of) implements SearchQuery {
    /** Copies the list. */
    public Any {
      of = List.copyOf(of);
    }
  }

  /** It is not true. */
  record Not(SearchQuery of) implements SearchQuery {}
}
