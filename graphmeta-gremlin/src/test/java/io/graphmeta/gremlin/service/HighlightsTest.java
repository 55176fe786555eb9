package io.graphmeta.gremlin.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.plan.TextAnalysis;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.plan.ValueTests;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Texts in pieces. The seed of a failure is printed; {@code -Dgraphmeta.seed=N} runs it alone. */
class HighlightsTest {
  private static final String[] PARTS = {
    "model",
    "Cfg",
    "/",
    "_",
    ".",
    " ",
    "--nodes",
    "=",
    "-n",
    "4",
    "\ud83d\ude00",
    "mod",
    "x",
    "\"",
    "\u0130"
  };

  private static List<String> of(String text, ValueTest... tests) {
    return Highlights.of(text, List.of(tests));
  }

  private static ValueTest words(TextAnalysis analysis, String asked, boolean lastIsBeginning) {
    return new ValueTest.Words(analysis, analysis.asked(asked), lastIsBeginning);
  }

  @Test
  void everySecondPieceIsWhatWasFound() {
    ValueTest model = words(TextAnalysis.PATH, "MODEL", false);
    ValueTest cfg = words(TextAnalysis.PATH, "cfg", false);
    assertThat(of("/data/model_v2.cfg", model, cfg))
        .containsExactly("/data/", "model", "_v2.", "cfg", "");
    assertThat(of("model_v2.cfg", words(TextAnalysis.PATH, "model v2", false)))
        .containsExactly("", "model_v2", ".cfg");
    assertThat(of("/a/modelling", words(TextAnalysis.PATH, "mod", true)))
        .containsExactly("/a/", "mod", "elling");
    assertThat(of("srun --nodes=4 -n 2", words(TextAnalysis.COMMAND, "--nodes=4", false)))
        .containsExactly("srun ", "--nodes=4", " -n 2");
    assertThat(of("abcabc", new ValueTest.Text(TextRelation.CONTAINS, "bc")))
        .containsExactly("a", "bc", "a", "bc", "");
    assertThat(of("abcabc", new ValueTest.Text(TextRelation.ENDS_WITH, "bc")))
        .containsExactly("abca", "bc", "");
    assertThat(of("chen", new ValueTest.Within(List.of("chen", 4L))))
        .containsExactly("", "chen", "");
    assertThat(of("chen", new ValueTest.Compare(Comparison.GREATER, "a"))).isEmpty();
    assertThat(
            of(
                "aaa",
                new ValueTest.Text(TextRelation.CONTAINS, "aa"),
                words(TextAnalysis.WORDS, "aaa", false)))
        .containsExactly("", "aaa", "");
  }

  @Test
  void signsOfTheTextStayWhatTheyAre() {
    assertThat(of("<b>x</b>", new ValueTest.Text(TextRelation.CONTAINS, "x")))
        .containsExactly("<b>", "x", "</b>");
  }

  @Test
  void ofALongTextAPieceAroundTheFirstPlaceIsTold() {
    String text = "\ud83d\ude00".repeat(100_000) + "needle" + "z".repeat(100_000) + "needle";
    List<String> pieces = of(text, new ValueTest.Text(TextRelation.CONTAINS, "needle"));
    assertThat(pieces).hasSize(3);
    assertThat(pieces.get(0)).startsWith("\u2026\ud83d\ude00").hasSizeBetween(58, 63);
    assertThat(pieces.get(1)).isEqualTo("needle");
    assertThat(pieces.get(2)).endsWith("z\u2026");
    assertThat(String.join("", pieces)).hasSizeLessThanOrEqualTo(Highlights.MAX_CHARS + 2);
    String all = "a".repeat(100_000);
    assertThat(of(all, new ValueTest.Text(TextRelation.CONTAINS, "a")))
        .containsExactly("", "a".repeat(Highlights.MAX_CHARS), "\u2026");
  }

  /** There are places if and only if the test is true, and the pieces are the text. */
  @Test
  void placesAreFoundWhereTheTestIsTrue() {
    Long given = Long.getLong("graphmeta.seed");
    int found = 0;
    for (long seed = given == null ? 1 : given; seed <= (given == null ? 3_000 : given); seed++) {
      Random random = new Random(seed);
      String text = text(random, 12);
      TextAnalysis analysis = TextAnalysis.values()[random.nextInt(3)];
      List<String> asked = analysis.asked(text(random, 3));
      if (asked.isEmpty()) {
        continue;
      }
      ValueTest test = new ValueTest.Words(analysis, asked, random.nextBoolean());
      List<String> pieces = of(text, test);
      assertThat(!pieces.isEmpty())
          .as("seed %d: %s in '%s': %s", seed, test, text, pieces)
          .isEqualTo(ValueTests.passes(test, text));
      if (!pieces.isEmpty()) {
        found++;
        assertThat(String.join("", pieces)).as("seed %d", seed).isEqualTo(text);
        List<String> marked = new ArrayList<>();
        for (int i = 1; i < pieces.size(); i += 2) {
          marked.add(pieces.get(i));
        }
        assertThat(marked).as("seed %d: %s", seed, test).allMatch(each -> !each.isEmpty());
        assertThat(marked)
            .as("seed %d: %s in '%s'", seed, test, text)
            .allMatch(each -> ValueTests.passes(test, each));
      }
    }
    if (given == null) {
      assertThat(found).isGreaterThan(200);
    }
  }

  private static String text(Random random, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = 1 + random.nextInt(most); i > 0; i--) {
      text.append(PARTS[random.nextInt(PARTS.length)]);
    }
    return text.toString();
  }
}
