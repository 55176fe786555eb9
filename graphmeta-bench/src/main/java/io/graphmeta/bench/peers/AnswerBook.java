package io.graphmeta.bench.peers;

import io.graphmeta.bench.peers.runner.Query;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was answered, which is to be the same from all, and who gave no answer. For one thread. */
final class AnswerBook {
  private final Map<Query, String> answers = new HashMap<>();
  private final Map<Query, String> firstToAnswer = new HashMap<>();
  private final Map<String, Map<Query, String>> refusals = new HashMap<>();

  /** Compares an answer with what others have answered. */
  void check(Query query, String subject, String answer) {
    Query asked = sameAnswer(query);
    String expected = answers.putIfAbsent(asked, answer);
    firstToAnswer.putIfAbsent(asked, subject);
    if (expected != null && !expected.equals(answer)) {
      throw new IllegalStateException(
          "The answers to %s (%s) differ: %s says %s, %s says %s"
              .formatted(
                  query,
                  query.kind().gremlin(),
                  firstToAnswer.get(asked),
                  expected,
                  subject,
                  answer));
    }
  }

  /** Two ways to write one question have one answer. */
  private static Query sameAnswer(Query query) {
    return query.kind() == Query.Kind.DISTINCT_REPEAT
        ? new Query(Query.Kind.DISTINCT, query.steps())
        : query;
  }

  /** The answer of all. */
  @Nullable String of(Query query) {
    return answers.get(sameAnswer(query));
  }

  /** Notes why a subject gives no answer. */
  void refuse(Query query, String subject, String reason) {
    refusals.computeIfAbsent(subject, s -> new HashMap<>()).put(query, reason);
  }

  /**
   * Why a subject gives no answer, or would give none because it gave none to the same query of
   * fewer steps; null if it may.
   */
  @Nullable String refusal(Query query, String subject) {
    return refusals.getOrDefault(subject, Map.of()).entrySet().stream()
        .filter(e -> e.getKey().kind() == query.kind() && e.getKey().steps() <= query.steps())
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }
}
