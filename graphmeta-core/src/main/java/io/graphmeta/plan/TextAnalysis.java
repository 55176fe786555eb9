package io.graphmeta.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How texts are taken apart into words, so that a text can be asked for words that stand next to
 * each other in it. Words are compared without regard to case; flags of command lines are not,
 * since {@code -n} and {@code -N} mean different things. The ordinal is sent: append only.
 *
 * <p>Every word has a place, from one position to another. Most are one position long; a flag spans
 * the positions of its parts, so that {@code --num-nodes} is found by itself and by {@code nodes},
 * and what follows it follows both.
 */
public enum TextAnalysis {
  /** Paths: their components, also cut at {@code _ . -}. */
  PATH,
  /** Command lines: as paths, with flags whole too; {@code --nodes=4} is a flag and a value. */
  COMMAND,
  /** Any text: what is made of letters and digits. */
  WORDS;

  /** The longest beginning of a word that is compared, in UTF-16 units. */
  public static final int MAX_WORD_CHARS = 256;

  private static final String PATH_ENDS = "/\\_.-:,;()[]{}<>'\"|&?!*~@#$%^+=`";

  /**
   * A word of a text.
   *
   * @param start the position that it begins at
   * @param end the position behind it
   * @param place where it stands in the text
   */
  record Word(String text, int start, int end, Place place) {}

  /**
   * A part of a text.
   *
   * @param from the UTF-16 unit that it begins with
   * @param to the one behind it
   */
  public record Place(int from, int to) {}

  /** The words of a text, each once, in no order that says anything. */
  public Collection<String> words(String text) {
    Set<String> words = new TreeSet<>();
    placed(text).forEach(word -> words.add(word.text()));
    return words;
  }

  /**
   * What a text is asked for: words next to each other, a flag whole. None if there is no word in
   * the text.
   */
  public List<String> asked(String text) {
    List<Word> placed = placed(text);
    List<String> asked = new ArrayList<>();
    int position = 0;
    for (Word word : placed) { // of those that begin at a position, the longest is the first
      if (word.start() == position) {
        asked.add(word.text());
        position = word.end();
      }
    }
    return asked;
  }

  /**
   * Whether words stand next to each other in a text.
   *
   * @param asked words as {@link #asked} gives them; at least one
   * @param lastIsBeginning whether of the last word only the beginning is asked
   */
  boolean holds(String text, List<String> asked, boolean lastIsBeginning) {
    List<Word> placed = placed(text);
    Set<Integer> reached = null; // positions behind what was found of the words before; null: any
    for (int i = 0; i < asked.size(); i++) {
      String next = asked.get(i);
      boolean isBeginning = lastIsBeginning && i == asked.size() - 1;
      Set<Integer> behind = new TreeSet<>();
      for (Word word : placed) {
        boolean isNext = reached == null || reached.contains(word.start());
        if (isNext && (isBeginning ? word.text().startsWith(next) : word.text().equals(next))) {
          behind.add(word.end());
        }
      }
      if (behind.isEmpty()) {
        return false;
      }
      reached = behind;
    }
    return true;
  }

  /**
   * Where words stand next to each other in a text: of each time that they do, the part from the
   * first to the last of them; of a word of which the beginning is asked, that. The first places
   * come first.
   *
   * @param asked words as {@link #asked} gives them; at least one
   * @param lastIsBeginning whether of the last word only the beginning is asked
   * @return none if and only if {@link #holds} is false
   */
  public List<Place> places(String text, List<String> asked, boolean lastIsBeginning) {
    List<Word> placed = placed(text);
    Map<Integer, Integer> reached = null; // by the position behind: where the first word begins
    Map<Integer, Integer> ends = new TreeMap<>(); // by where the first begins: the end of the last
    for (int i = 0; i < asked.size(); i++) {
      String next = asked.get(i);
      boolean isLast = i == asked.size() - 1;
      Map<Integer, Integer> behind = new HashMap<>();
      for (Word word : placed) {
        Integer from = reached == null ? (Integer) word.place().from() : reached.get(word.start());
        boolean isBeginning = isLast && lastIsBeginning;
        if (from == null
            || !(isBeginning ? word.text().startsWith(next) : word.text().equals(next))) {
          continue;
        }
        behind.put(word.end(), from);
        if (isLast) {
          int end =
              isBeginning
                  ? Math.min(word.place().to(), word.place().from() + next.length())
                  : word.place().to();
          ends.merge(from, end, Math::max);
        }
      }
      reached = behind;
    }
    List<Place> places = new ArrayList<>();
    ends.forEach((from, to) -> places.add(new Place(from, to)));
    return places;
  }

  private List<Word> placed(String text) {
    List<Word> words = new ArrayList<>();
    switch (this) {
      case PATH -> addParts(text, 0, text.length(), words);
      case COMMAND -> addArguments(text, words);
      case WORDS -> addRuns(text, words);
    }
    return words;
  }

  private static int next(List<Word> words) {
    return words.isEmpty() ? 0 : words.get(words.size() - 1).end();
  }

  private static void add(String text, int from, int to, List<Word> words) {
    int position = next(words);
    String word = cut(text, from, to).toLowerCase(Locale.ROOT);
    words.add(new Word(word, position, position + 1, new Place(from, to)));
  }

  private static String cut(String text, int from, int to) {
    return text.substring(from, Math.min(to, from + MAX_WORD_CHARS));
  }

  private static void addParts(String text, int from, int to, List<Word> words) {
    int start = from;
    for (int i = from; i <= to; i++) {
      if (i == to || endsPart(text.charAt(i))) {
        if (i > start) {
          add(text, start, i, words);
        }
        start = i + 1;
      }
    }
  }

  private static boolean endsPart(char unit) {
    return Character.isWhitespace(unit) || PATH_ENDS.indexOf(unit) >= 0;
  }

  private static void addArguments(String text, List<Word> words) {
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || Character.isWhitespace(text.charAt(i))) {
        addArgument(text, start, i, words);
        start = i + 1;
      }
    }
  }

  private static void addArgument(String text, int from, int to, List<Word> words) {
    int start = from;
    while (start < to && (text.charAt(start) == '"' || text.charAt(start) == '\'')) {
      start++;
    }
    int flagEnd = flagEnd(text, start, to);
    if (flagEnd == start) {
      addParts(text, start, to, words);
      return;
    }
    List<Word> parts = new ArrayList<>();
    addParts(text, start, flagEnd, parts);
    int position = next(words);
    int length = Math.max(1, parts.size());
    Place flag = new Place(start, flagEnd);
    words.add(new Word(cut(text, start, flagEnd), position, position + length, flag));
    for (Word part : parts) {
      int at = position + part.start();
      words.add(new Word(part.text(), at, position + part.end(), part.place()));
    }
    addParts(text, flagEnd, to, words);
  }

  /** Where the flag ends that begins at an index; the same index if none does. */
  private static int flagEnd(String text, int from, int to) {
    if (from == to || text.charAt(from) != '-') {
      return from;
    }
    int end = from;
    while (end < to && text.charAt(end) != '=' && "\"';|&".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    boolean isNumber = end > from + 1 && Character.isDigit(text.charAt(from + 1));
    return end == from + 1 || isNumber ? from : end; // a dash alone, or a negative number
  }

  private static void addRuns(String text, List<Word> words) {
    int start = -1;
    for (int i = 0; i <= text.length(); ) {
      int point = i < text.length() ? text.codePointAt(i) : -1;
      if (point >= 0 && Character.isLetterOrDigit(point)) {
        start = start < 0 ? i : start;
      } else if (start >= 0) {
        add(text, start, i, words);
        start = -1;
      }
      i += point < 0 ? 1 : Character.charCount(point);
    }
  }
}
