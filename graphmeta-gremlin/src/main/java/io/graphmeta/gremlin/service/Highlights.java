package io.graphmeta.gremlin.service;

import io.graphmeta.plan.TextAnalysis.Place;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTests;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Texts in pieces, of which the second, the fourth, and so on are what a test finds in the text:
 * words and parts of words. Whoever shows a text marks these in their own way; no sign is put into
 * the text that could be one of it, and nobody counts characters, which languages count
 * differently. Pure.
 */
final class Highlights {
  /** The longest text that is given whole, and about the most of a longer one, in UTF-16 units. */
  static final int MAX_CHARS = 240;

  /** What stands in the place of what is left out of a longer text. */
  static final String LEFT_OUT = "\u2026";

  private static final int CHARS_BEFORE = 60;

  private Highlights() {}

  /**
   * The pieces of a text. Of a long one they are from around the first place.
   *
   * @param tests tests that the text passes
   * @return none if they are not about words or parts of texts, but for instance about their order
   */
  static List<String> of(String text, Collection<ValueTest> tests) {
    List<Place> places = new ArrayList<>();
    tests.forEach(test -> addPlaces(text, test, places));
    places.removeIf(place -> place.from() >= place.to());
    places.sort(Comparator.comparingInt(Place::from));
    return places.isEmpty() ? List.of() : pieces(text, places);
  }

  private static void addPlaces(String text, ValueTest test, List<Place> places) {
    if (test instanceof ValueTest.And and) {
      and.of().forEach(each -> addPlaces(text, each, places));
    } else if (test instanceof ValueTest.Or or) {
      or.of().forEach(each -> addPlaces(text, each, places));
    } else if (test instanceof ValueTest.Words words) {
      places.addAll(words.analysis().places(text, words.words(), words.lastIsBeginning()));
    } else if (test instanceof ValueTest.Text part) {
      addPlaces(text, part, places);
    } else if (test instanceof ValueTest.Within
        || test instanceof ValueTest.Compare compare && compare.comparison() == Comparison.EQUAL) {
      if (ValueTests.passes(test, text)) {
        places.add(new Place(0, text.length()));
      }
    }
  }

  private static void addPlaces(String text, ValueTest.Text part, List<Place> places) {
    String operand = part.operand();
    switch (part.relation()) {
      case STARTS_WITH -> {
        if (text.startsWith(operand)) {
          places.add(new Place(0, operand.length()));
        }
      }
      case ENDS_WITH -> {
        if (text.endsWith(operand)) {
          places.add(new Place(text.length() - operand.length(), text.length()));
        }
      }
      case CONTAINS -> {
        int first = operand.isEmpty() ? -1 : text.indexOf(operand);
        // What is told ends soon behind the first place.
        for (int at = first; at >= 0 && at - first <= MAX_CHARS; ) {
          places.add(new Place(at, at + operand.length()));
          at = text.indexOf(operand, at + operand.length());
        }
      }
      case MATCHES -> {
        // No query of words asks for it.
      }
    }
  }

  private static List<String> pieces(String text, List<Place> places) {
    int from = 0;
    int to = text.length();
    if (to > MAX_CHARS) {
      from = betweenCharacters(text, Math.max(0, places.get(0).from() - CHARS_BEFORE));
      to = betweenCharacters(text, Math.min(to, from + MAX_CHARS));
    }
    List<String> pieces = new ArrayList<>();
    int at = from;
    for (int i = 0; i < places.size() && places.get(i).from() < to; ) {
      int start = places.get(i).from();
      int end = places.get(i).to();
      for (i++; i < places.size() && places.get(i).from() <= end; i++) {
        end = Math.max(end, places.get(i).to());
      }
      pieces.add(text.substring(at, start));
      at = Math.min(end, to);
      pieces.add(text.substring(start, at));
    }
    pieces.add(text.substring(at, to));
    if (from > 0) {
      pieces.set(0, LEFT_OUT + pieces.get(0));
    }
    if (to < text.length()) {
      pieces.set(pieces.size() - 1, pieces.get(pieces.size() - 1) + LEFT_OUT);
    }
    return pieces;
  }

  /** An index at or before another that does not cut a character in two. */
  private static int betweenCharacters(String text, int index) {
    boolean cuts =
        index > 0
            && index < text.length()
            && Character.isHighSurrogate(text.charAt(index - 1))
            && Character.isLowSurrogate(text.charAt(index));
    return cuts ? index - 1 : index;
  }
}
