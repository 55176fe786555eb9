package io.graphmeta.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A text in which an expression is found has all of its literals. {@code -Dgraphmeta.regexes=N}
 * tries more random expressions, {@code -Dgraphmeta.seed=N} replays a run.
 */
final class RegexLiteralsTest {
  private static final int EXPRESSIONS = Integer.getInteger("graphmeta.regexes", 60_000);
  private static final String[] ATOMS = {
    "a",
    "b",
    "c",
    "ab",
    "abc",
    ".",
    "^",
    "$",
    "[ab]",
    "[^a]",
    "[a[bc]]",
    "[\\]a]",
    "[]a]",
    "(a)",
    "(a|b)",
    "(?:ab|c)",
    "(?=a)",
    "(?!b)",
    "(?<=a)",
    "(?<n>b)",
    "(?i)",
    "(?i:a)",
    "(?x)",
    "\\Qab\\E",
    "\\Qa",
    "\\Q\\E",
    "\\.",
    "\\d",
    "\\b",
    "\\x61",
    "\\u0062",
    "\\x{61}",
    "\\p{L}",
    "\\1",
    "\\0141",
    "\\cA",
    "\\t",
    "\\n",
    "|",
    " ",
    "#",
    "A",
    "-",
    "&&",
    "\\\\",
    "\\(",
    "\\[",
    "[(]",
    "[|]",
    "\uD83D\uDE00"
  };
  private static final String[] QUANTIFIERS = {
    "?", "*", "+", "{0}", "{0,2}", "{2}", "??", "*?", "+?", "?+", "*+", "++", "{1,}+"
  };
  private static final String[] TEXTS = {
    "a",
    "b",
    "c",
    "A",
    "ab",
    "abc",
    ".",
    "-",
    " ",
    "#",
    "(",
    "[",
    "|",
    "\\",
    "&&",
    "]",
    "\n",
    "1",
    "\uD83D\uDE00"
  };

  @ParameterizedTest
  @CsvSource({
    "tas_day_4711\\.nc, tas_day_4711.nc",
    "member_[0-9a-f]+/tas_day, 'member_;/tas_day'",
    "abcd?, abc",
    "abcd+ef, 'abcd;ef'",
    "\\Qa.b\\E\\.c, a.b.c",
    "(x|y)run, run",
    "^/data/.*\\.h5$, '/data/;.h5'",
    "ab|cd, ''",
    "(?i)abc, ''",
    "abc\\x41, ''"
  })
  void theseAre(String regex, String literals) {
    assertThat(RegexLiterals.of(regex))
        .isEqualTo(literals.isEmpty() ? List.of() : List.of(literals.split(";")));
  }

  @Test
  void whatIsFoundHasThemAll() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    int told = 0;
    for (int i = 0; i < EXPRESSIONS; i++) {
      String regex = joined(random, ATOMS, 1 + random.nextInt(5), true);
      Pattern pattern;
      try {
        pattern = Pattern.compile(regex);
      } catch (PatternSyntaxException e) {
        continue;
      }
      List<String> literals = RegexLiterals.of(regex);
      for (int j = 0; j < 12; j++) {
        String text = joined(random, TEXTS, random.nextInt(9), false);
        if (pattern.matcher(text).find()) {
          told += literals.isEmpty() ? 0 : 1;
          assertThat(literals)
              .as("of %s, which is found in %s (seed %d)", regex, text, seed)
              .allMatch(text::contains);
        }
      }
    }
    assertThat(told).as("texts with literals, seed " + seed).isGreaterThan(EXPRESSIONS / 20);
  }

  private static String joined(Random random, String[] parts, int count, boolean quantified) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(parts[random.nextInt(parts.length)]);
      if (quantified && random.nextInt(3) == 0) {
        text.append(QUANTIFIERS[random.nextInt(QUANTIFIERS.length)]);
      }
    }
    return text.toString();
  }
}
