package io.graphmeta.gremlin.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.jsr223.GremlinLangScriptEngine;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.OptionsStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The values of {@code with('asOf', t)} and {@code with('knownAt', t)} in each type in which the
 * drivers send them: dates of Python, JavaScript and Go arrive as {@code OffsetDateTime}, numbers
 * as Integer, Long or Double, a BigInt of JavaScript as BigInteger, a key without value as true.
 */
class TimeOptionsTest {
  /** Two versions of a value: one became true in this millisecond, another in the next. */
  private static final Instant MOMENT = Instant.parse("2026-03-04T05:06:07.890Z");

  private static final long MILLIS = MOMENT.toEpochMilli();

  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  @BeforeEach
  void fill() {
    try (GraphTransaction tx = database.begin()) {
      tx.addVertex("old", "file", Map.of(), Stamp.startOf(Instant.ofEpochMilli(5)));
      tx.addVertex("then", "file", Map.of(), Stamp.startOf(MOMENT));
      tx.addVertex("later", "file", Map.of(), Stamp.startOf(MOMENT.plusMillis(1)));
      tx.commit();
    }
  }

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  @Test
  void everyTypeThatADriverSendsNamesTheSameMoment() {
    Map<String, Object> forms = new LinkedHashMap<>();
    forms.put("long", MILLIS);
    forms.put("double", (double) MILLIS);
    forms.put("big integer", BigInteger.valueOf(MILLIS));
    forms.put("text of digits", Long.toString(MILLIS));
    forms.put("date", Date.from(MOMENT));
    forms.put("offset date time", MOMENT.atOffset(ZoneOffset.UTC));
    forms.put("other offset", MOMENT.atOffset(ZoneOffset.ofHoursMinutes(-9, -30)));
    forms.put("instant, embedded", MOMENT);
    forms.put("text in UTC", "2026-03-04T05:06:07.890Z");
    forms.put("text without zone", "2026-03-04T05:06:07.890");
    forms.put("text with blank", "2026-03-04 05:06:07.890");
    forms.put("text with offset", "2026-03-04T07:06:07.890+02:00");
    forms.put("text in microseconds", "2026-03-04T05:06:07.890000Z");
    forms.forEach(
        (name, form) -> {
          assertThat(g.with("asOf", form).V().id().toList())
              .as("%s: %s", name, form)
              .containsExactlyInAnyOrder("old", "then");
          assertThat(
                  g.withStrategies(OptionsStrategy.build().with("asOf", form).create())
                      .V()
                      .id()
                      .toList())
              .as("%s as a strategy", name)
              .containsExactlyInAnyOrder("old", "then");
        });
    for (Object small : List.of(5, (short) 5, 5L, 5.0f, "5")) {
      assertThat(g.with("asOf", small).V().id().toList()).as("%s", small).containsExactly("old");
    }
    assertThat(g.with("asOf", "2026-03-04").V().id().toList()).containsExactly("old");
    assertThat(g.with("asOf", "2026-03-05").V().count().next()).isEqualTo(3);
  }

  @Test
  void knownAtTakesTheSameTypes() {
    Instant now = Instant.now().plusMillis(100);
    for (Object form :
        List.of(
            now.toEpochMilli(),
            (double) now.toEpochMilli(),
            BigInteger.valueOf(now.toEpochMilli()),
            now.toString(),
            Date.from(now),
            OffsetDateTime.ofInstant(now, ZoneOffset.ofHours(5)))) {
      assertThat(g.with("knownAt", form).V().count().next()).as("%s", form).isEqualTo(3);
    }
    for (Object form : List.of(MILLIS, "2026-03-04", MOMENT.atOffset(ZoneOffset.UTC))) {
      assertThat(g.with("knownAt", form).V().count().next()).as("%s", form).isZero();
    }
  }

  @Test
  void whatIsNoTimeIsRefusedByNameAndValue() {
    for (Object wrong :
        List.of(
            true,
            -1,
            1.5,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            1e300,
            BigInteger.ONE.shiftLeft(80),
            BigDecimal.TEN,
            Long.MAX_VALUE,
            "",
            "yesterday",
            "2026-13-01",
            "2026-03-04T25:00:00Z",
            "99999999999999999999",
            List.of(1),
            Map.of(),
            UUID.randomUUID())) {
      for (String option : List.of("asOf", "knownAt")) {
        assertThatThrownBy(() -> g.with(option, wrong).V().toList())
            .as("%s %s", option, wrong)
            .isInstanceOfSatisfying(
                GraphMetaException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
            .hasMessageContaining("'" + option + "'")
            .hasMessageContaining(wrong.toString())
            .hasMessageContaining("expected ISO-8601 text");
      }
    }
  }

  @Test
  void aDateUnderAnyOtherNameIsRefusedAndNotIgnored() {
    OffsetDateTime moment = OffsetDateTime.parse("2026-11-21T00:35:25Z");
    for (Object date :
        List.of(moment, Date.from(moment.toInstant()), moment.toString(), "2026-11-21")) {
      assertThatThrownBy(() -> g.with("at", date).V().toList())
          .as("%s", date)
          .hasMessageContaining("'at'")
          .hasMessageContaining("asOf");
    }
    for (Object other : List.of("a-b", "5", 5, true)) {
      assertThat(g.with("hint", other).V().count().next()).as("%s", other).isNotNegative();
    }
  }

  @Test
  void aKeyWithoutAValueIsRefused() {
    for (String option : List.of("asOf", "knownAt")) {
      assertThatThrownBy(() -> g.with(option).V().toList())
          .hasMessageContaining("'" + option + "'")
          .hasMessageContaining("'true' (Boolean)");
      assertThatThrownBy(() -> g.with(option).call("graphmeta.history", Map.of("id", "old")).next())
          .hasMessageContaining("'" + option + "'");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.with('asOf', '2026-03-04T05:06:07.890Z').V()",
        "g.with('asOf', datetime('2026-03-04T05:06:07.890Z')).V()",
        "g.with('asOf', 1772600767890L).V()",
        "g.with('asOf', 1772600767890).V()",
        "g.with('asOf', 1772600767890.0).V()",
        "g.with('asOf', 1772600767890n).V()",
        "g.withStrategies(new OptionsStrategy(asOf: '2026-03-04T05:06:07.890Z')).V()"
      })
  void gremlinLangNamesTheSameMoment(String query) throws Exception {
    assertThat(MILLIS).isEqualTo(1_772_600_767_890L);
    GremlinLangScriptEngine engine = new GremlinLangScriptEngine();
    engine.put("g", g);
    Traversal<?, ?> traversal = (Traversal<?, ?>) engine.eval(query);
    assertThat(traversal.toList()).hasSize(2);
  }
}
