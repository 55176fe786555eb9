package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.graphmeta.schema.SchemaName;
import io.graphmeta.server.gremlin.WaysIn.Nothing;
import io.graphmeta.server.gremlin.WaysIn.WayIn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Every way into a graph against every limit. The most that is allowed is taken; a little more is
 * refused by an error that names the limit, and changes nothing.
 */
class LimitMatrixTest {
  /** Text is stored with its length, which counts for four bytes. */
  private static final int LONGEST_VALUE = WaysIn.MAX_VALUE_BYTES - 4;

  private static final int START = 5;
  private static int ids;

  /** A limit, and how near to it a way in is led. */
  private enum Limit {
    VALUE("most " + WaysIn.MAX_VALUE_BYTES + " (graphmeta.max-value-bytes)") {
      @Override
      void use(WayIn way, boolean allowed) throws Exception {
        way.value("x".repeat(LONGEST_VALUE + (allowed ? 0 : 1)));
      }
    },
    VALUE_BY_BYTES("most " + WaysIn.MAX_VALUE_BYTES + " (graphmeta.max-value-bytes)") {
      @Override
      void use(WayIn way, boolean allowed) throws Exception {
        way.value("\u20ac".repeat(LONGEST_VALUE / 3 + (allowed ? 0 : 1)));
      }
    },
    ID("most " + WaysIn.MAX_ID_BYTES + " (graphmeta.max-id-bytes)") {
      @Override
      void use(WayIn way, boolean allowed) throws Exception {
        way.id(start() + "x".repeat(WaysIn.MAX_ID_BYTES - START + (allowed ? 0 : 1)));
      }
    },
    ID_BY_BYTES("most " + WaysIn.MAX_ID_BYTES + " (graphmeta.max-id-bytes)") {
      @Override
      void use(WayIn way, boolean allowed) throws Exception {
        int most = (WaysIn.MAX_ID_BYTES - START) / 3;
        way.id(start() + "\u20ac".repeat(allowed ? most : most + 1));
      }
    },
    NAME("most " + SchemaName.MAX_BYTES) {
      @Override
      void use(WayIn way, boolean allowed) throws Exception {
        way.name("n".repeat(SchemaName.MAX_BYTES + (allowed ? 0 : 1)));
      }
    },
    TRANSACTION("than " + WaysIn.MAX_TRANSACTION_BYTES + " bytes") {
      @Override
      void use(WayIn way, boolean allowed) throws Exception {
        way.writes(allowed ? 40 : 400);
      }
    },
    FRONTIER("" + WaysIn.MAX_FRONTIER) {
      @Override
      void use(WayIn way, boolean allowed) throws Exception {
        way.frontier(WaysIn.MAX_FRONTIER + (allowed ? 0 : 1));
      }
    },
    EVENT_TIME("2255-06-05") {
      @Override
      void use(WayIn way, boolean allowed) throws Exception {
        way.event(Instant.parse(allowed ? "1970-01-01T00:00:01Z" : "9999-12-31T00:00:00Z"));
      }
    },
    VIEW_TIME("1970-01-01") {
      @Override
      void use(WayIn way, boolean allowed) throws Exception {
        way.view(allowed ? "9999-12-31" : "1969-12-31");
      }
    };

    private final String told;

    Limit(String told) {
      this.told = told;
    }

    abstract void use(WayIn way, boolean allowed) throws Exception;

    /** So that no id is given twice. */
    static String start() {
      return String.format("%0" + START + "d", ids++);
    }
  }

  @Test
  void everyWayInKeepsEveryLimit() throws Exception {
    List<String> failures = new ArrayList<>();
    int cells = 0;
    int none = 0;
    try (WaysIn graph = new WaysIn()) {
      for (WayIn way : graph.all()) {
        for (Limit limit : Limit.values()) {
          List<String> before = graph.contents();
          Throwable refused = catchThrowable(() -> limit.use(way, false));
          cells++;
          if (refused instanceof Nothing) {
            none++;
            continue;
          }
          String cell = way + " / " + limit;
          if (refused == null) {
            failures.add(cell + ": not refused");
          } else if (!told(refused).contains(limit.told)) {
            failures.add(cell + ": does not tell '" + limit.told + "': " + told(refused));
          }
          if (!graph.contents().equals(before)) {
            failures.add(cell + ": refused, and changed something");
          }
          Throwable allowed = catchThrowable(() -> limit.use(way, true));
          if (allowed != null) {
            failures.add(cell + ": the most that is allowed is refused: " + told(allowed));
          }
        }
      }
    }
    assertThat(failures).isEmpty();
    assertThat(cells).isEqualTo(18 * Limit.values().length);
    assertThat(none).as("cells with nothing to limit").isEqualTo(37);
  }

  private static String told(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      text.append(each).append('\n');
    }
    return text.toString();
  }
}
