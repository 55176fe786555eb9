package io.graphmeta.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Words of texts. {@code -Dgraphmeta.seed=N} runs one seed of the random ones. */
final class TextAnalysisTest {
  private static final String[] PIECES = {
    "model",
    "cfg",
    "Data",
    "/",
    "_",
    ".",
    "-",
    "--",
    "--num-nodes",
    "=",
    "4",
    " ",
    "\"",
    "'",
    "-N",
    "-n",
    "é",
    "😀",
    "\uD83D",
    "İ",
    "\u0000",
    "a",
    ";",
    "-0.5"
  };

  @Test
  void pathsAreCutIntoComponentsAndTheirParts() {
    assertThat(TextAnalysis.PATH.words("/scratch/Climate/model_v2.cfg"))
        .containsExactlyInAnyOrder("scratch", "climate", "model", "v2", "cfg");
    assertHolds(TextAnalysis.PATH, "/scratch/Climate/model_v2.cfg", "model_v2.cfg", true);
    assertHolds(TextAnalysis.PATH, "/scratch/Climate/model_v2.cfg", "climate/model", true);
    assertHolds(TextAnalysis.PATH, "/scratch/Climate/model_v2.cfg", "model cfg", false);
    assertHolds(TextAnalysis.PATH, "/scratch/Climate/model_v2.cfg", "odel", false);
  }

  @Test
  void flagsAreWordsWholeAndByTheirParts() {
    String line = "srun --num-nodes=4 -N 2 /usr/bin/python3 train.py --lr=0.01 -x=-1";
    for (String asked :
        List.of(
            "--num-nodes",
            "--num-nodes=4",
            "num-nodes=4",
            "num-nodes 4",
            "nodes",
            "-N",
            "-N 2",
            "srun --num-nodes=4 -N",
            "python3 train.py",
            "bin/python3",
            "--lr=0.01",
            "0.01",
            "train.py --lr 0.01")) {
      assertHolds(TextAnalysis.COMMAND, line, asked, true);
    }
    for (String asked :
        List.of("-n", "--num", "--nodes", "--num-nodes=2", "-N=4", "--LR", "rain")) {
      assertHolds(TextAnalysis.COMMAND, line, asked, false);
    }
  }

  @Test
  void wordsAreRunsOfLettersAndDigitsWhateverTheirCase() {
    assertThat(TextAnalysis.WORDS.words("Größe: 12km, 東京 (x)"))
        .containsExactlyInAnyOrder("größe", "12km", "東京", "x");
    assertHolds(TextAnalysis.WORDS, "Größe: 12km", "GRÖSSE", false);
    assertHolds(TextAnalysis.WORDS, "Größe: 12km", "GRÖßE 12KM", true);
  }

  @Test
  void onlyTheLastWordMayBeABeginning() {
    ValueTest test = new ValueTest.Words(TextAnalysis.PATH, List.of("model", "v"), true);
    assertThat(ValueTests.passes(test, "/a/model_v2.cfg")).isTrue();
    assertThat(ValueTests.passes(test, "/a/models_v2.cfg")).isFalse();
    assertThat(ValueTests.passes(test, "/a/v_model")).isFalse();
    assertThat(ValueTests.passes(test, 7L)).isFalse();
  }

  @TestFactory
  List<DynamicTest> whatStandsInATextIsFoundInIt() {
    List<DynamicTest> tests = new ArrayList<>();
    Long given = Long.getLong("graphmeta.seed");
    for (long seed = given == null ? 1 : given; seed <= (given == null ? 100 : given); seed++) {
      long own = seed;
      tests.add(DynamicTest.dynamicTest("seed " + own, () -> run(own)));
    }
    return tests;
  }

  private static void run(long seed) {
    Random random = new Random(new SplittableRandom(seed).nextLong());
    for (int i = 0; i < 200; i++) {
      String part = text(random);
      for (TextAnalysis analysis : TextAnalysis.values()) {
        List<String> asked = analysis.asked(part);
        String around = text(random) + "\n" + part + "\n" + text(random);
        if (!asked.isEmpty()) {
          assertThat(analysis.holds(around, asked, false))
              .as("seed %d: %s, '%s' in '%s'", seed, analysis, part, around)
              .isTrue();
          assertThat(analysis.words(around)).as("seed %d", seed).containsAll(asked);
        }
      }
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(7); i > 0; i--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  private static void assertHolds(
      TextAnalysis analysis, String text, String asked, boolean expected) {
    List<String> words = analysis.asked(asked);
    assertThat(words).as(asked).isNotEmpty();
    assertThat(analysis.holds(text, words, false)).as("%s in %s", words, text).isEqualTo(expected);
  }
}
