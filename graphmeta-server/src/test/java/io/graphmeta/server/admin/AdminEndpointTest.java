package io.graphmeta.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.metrics.ServerMetrics;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class AdminEndpointTest {
  private final AtomicBoolean broken = new AtomicBoolean();

  private void read() {
    if (broken.get()) {
      throw new IllegalStateException("no disk");
    }
  }

  private static HttpResponse<String> get(AdminEndpoint endpoint, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + endpoint.address().getPort() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void readyMeansThatTheDatabaseCanBeReadAndNothingStops() throws Exception {
    try (ServerMetrics metrics = new ServerMetrics();
        AdminEndpoint endpoint =
            AdminEndpoint.start(
                ServerSettings.defaults().with(ServerSetting.ADMIN_PORT, 0), metrics, this::read)) {
      assertThat(get(endpoint, "/ready").statusCode()).isEqualTo(200);

      broken.set(true);
      assertThat(get(endpoint, "/ready").statusCode()).isEqualTo(503);
      assertThat(get(endpoint, "/ready").body()).contains("cannot be read", "no disk");
      assertThat(get(endpoint, "/live").statusCode()).isEqualTo(200);

      broken.set(false);
      assertThat(get(endpoint, "/ready").statusCode()).isEqualTo(200);

      endpoint.stopping();
      assertThat(get(endpoint, "/ready").statusCode()).isEqualTo(503);
      assertThat(get(endpoint, "/ready").body()).contains("shutting down");
      assertThat(get(endpoint, "/live").statusCode()).isEqualTo(200);
    }
  }
}
