package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Requests sent before the answers to those in front of them are answered in their order. */
final class RequestOrderTest {
  private static final Pattern BODY =
      Pattern.compile("\"message\":\"[^\"]*?(?<refused>r\\d+)|\"@value\":(?<value>\\d+)\\}\\]");
  private static final long SEED = Long.getLong("graphmeta.seed", 20);
  private static final int ROUNDS = 20;

  private static String request(int number, Random random) {
    String head;
    String body = "";
    switch (random.nextInt(5)) {
      case 0 -> // Takes long.
          body =
              "{\"gremlin\":\"g.inject(1).repeat(map(constant(1))).times(9000).constant("
                  + number
                  + ")\"}";
      case 1 -> // Is refused before it is evaluated.
          body = "{\"gremlin\":\"g.V()\",\"aliases\":{\"g\":\"r" + number + "\"}}";
      case 2 -> {
        return "GET /gremlin?gremlin=g.inject(" + number + ") HTTP/1.1\r\nHost: localhost\r\n\r\n";
      }
      default -> body = "{\"gremlin\":\"g.inject(" + number + ")\"}";
    }
    head = "POST /gremlin HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    return head + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  @Test
  void answersComeInTheOrderOfRequests() throws Exception {
    try (ServedGraph served = new ServedGraph(Map.of())) {
      for (int round = 0; round < ROUNDS; round++) {
        Random random = new Random(SEED + round);
        int requests = 1 + random.nextInt(200);
        StringBuilder all = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
          all.append(request(i, random));
          expected.add(String.valueOf(i));
        }
        all.append("GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        String said = RawHttp.say(served.port(), all.toString());
        List<String> answered =
            BODY.matcher(said)
                .results()
                .map(found -> found.group(1) == null ? found.group(2) : found.group(1).substring(1))
                .toList();
        assertThat(answered).as("seed %d: %s", SEED + round, said).isEqualTo(expected);
        assertThat(said).contains("There is nothing at '/nothing'");
      }
    }
  }
}
