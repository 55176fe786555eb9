package io.graphmeta.server.gremlin.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ScriptOptionsTest {
  @Test
  void readsWhatTinkerPopReads() {
    assertThat(ScriptOptions.of("g.with('evaluationTimeout', 500).V()").timeoutMillis())
        .isEqualTo(500);
    assertThat(
            ScriptOptions.of("g . with ( \"scriptEvaluationTimeout\" ,500L).V()").timeoutMillis())
        .isEqualTo(500);
    assertThat(
            ScriptOptions.of("g.with('evaluationTimeout',1).V();g.with('evaluationTimeout',2).V()")
                .timeoutMillis())
        .isEqualTo(3);
    assertThat(
            ScriptOptions.of("g.with('materializeProperties','tokens').V()")
                .materializeProperties())
        .isEqualTo("tokens");
    assertThat(ScriptOptions.of("g.// a comment\nwith('evaluationTimeout',7)").timeoutMillis())
        .isEqualTo(7);
  }

  @Test
  void readsNothingThatIsNotThere() {
    for (String script :
        new String[] {
          "",
          "g.V()",
          "g.V().has('x', \".with('evaluationTimeout',5)\")",
          "g.V() // .with('evaluationTimeout',5)",
          "g.V().has('it\\'s', '.with(\\'evaluationTimeout\\',5)')",
          "g.with('evaluationTimeout')",
          "g.with('evaluationTimeout',)",
          "g.with('evaluationTimeout','5')",
          "g.with('other',5)",
          "with('evaluationTimeout',5)",
          "g.with('evaluationTimeout',5",
          "'",
          "\"\\",
          "g.with('"
        }) {
      assertThat(ScriptOptions.of(script).timeoutMillis()).as(script).isNull();
      assertThat(ScriptOptions.of(script).materializeProperties()).as(script).isNull();
    }
  }

  @Test
  void numbersHaveAnEnd() {
    String most = "g.with('evaluationTimeout',%s).V()";
    assertThat(ScriptOptions.of(most.formatted("9".repeat(100))).timeoutMillis())
        .isEqualTo(Long.MAX_VALUE);
    assertThat(
            ScriptOptions.of((most + ";" + most).formatted(Long.MAX_VALUE, Long.MAX_VALUE))
                .timeoutMillis())
        .isEqualTo(Long.MAX_VALUE);
  }
}
