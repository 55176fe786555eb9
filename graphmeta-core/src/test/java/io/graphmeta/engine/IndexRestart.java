package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import java.util.List;
import java.util.Random;

/**
 * Opens databases that {@link IndexedWrites} were torn from: at once, while others write, queries
 * find what is there, and so they do when the indexes have caught up, which then hold what is
 * stored. Belongs to one thread.
 */
final class IndexRestart {
  private static final int QUESTIONS = 5;

  private long found;
  private long compared;

  /** How many elements were found. */
  long found() {
    return found;
  }

  /** How many versions in indexes were compared with what is stored. */
  long compared() {
    return compared;
  }

  /**
   * Opens one, and closes it.
   *
   * @param firstStamp as {@link IndexedWrites#begin} tells it
   * @param isKept whether the indexes that stay must be asked at once
   * @return what was logged of indexes meanwhile
   */
  List<String> run(
      GraphMetaConfig config, long firstStamp, Random random, String story, boolean isKept)
      throws InterruptedException {
    try (IndexLog log = new IndexLog()) {
      try (GraphDatabase database = GraphDatabases.open(config)) {
        IndexedAnswers answers = new IndexedAnswers(database, random, firstStamp);
        IndexedWrites writes = new IndexedWrites(database, random.nextLong(), () -> {});
        writes.start();
        try {
          answers.ask(QUESTIONS, story + ": at once");
          if (isKept) {
            answers.assertKept(story);
          }
          answers.ask(QUESTIONS, story);
        } finally {
          assertThat(writes.stop()).as(story).isEmpty();
        }
        answers.awaitCaughtUp(story);
        answers.ask(QUESTIONS, story + ": caught up");
        compared += answers.assertClean(story);
        found += answers.found();
      }
      return log.lines();
    }
  }
}
