package io.graphmeta.server.gremlin;

import io.graphmeta.server.Launcher;
import io.graphmeta.server.StartedJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;

/**
 * The server of the distribution, started as a person starts it; without log-in, except where that
 * is what a test is about.
 */
final class ServerProcess implements AutoCloseable {
  private static final Pattern LISTENING =
      Pattern.compile("^listening on .*:(\\d+)$", Pattern.MULTILINE);
  private static final Pattern ADMIN =
      Pattern.compile("^health and metrics on .*:(\\d+)$", Pattern.MULTILINE);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final Process process;
  final int port;
  final int adminPort;
  private final Path output;
  private final Path errors;
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  ServerProcess(Path directory, String javaOptions, String... arguments)
      throws IOException, InterruptedException {
    this(false, 0, directory, javaOptions, arguments);
  }

  private ServerProcess(
      boolean logIn, int askedPort, Path directory, String javaOptions, String... arguments)
      throws IOException, InterruptedException {
    output = Files.createTempFile(directory, "server", ".out");
    errors = Files.createTempFile(directory, "server", ".err");
    List<String> command =
        new ArrayList<>(
            List.of(
                Launcher.FILE.toString(),
                "server",
                "--db",
                directory.resolve("db").toString(),
                "--port",
                String.valueOf(askedPort),
                "--admin-port",
                "0"));
    if (!logIn) {
      command.add("--no-log-in");
    }
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(directory.toFile());
    builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .put("GRAPHMETA_JAVA_OPTS", String.join(" ", StartedJvm.with(javaOptions)));
    builder.environment().put("HOME", directory.toString());
    process = builder.start();
    Matcher listening = await(LISTENING);
    port = Integer.parseInt(listening.group(1));
    adminPort = Integer.parseInt(await(ADMIN).group(1));
  }

  /** One that asks for a log-in; its home is the directory. */
  static ServerProcess withLogIn(Path directory, String javaOptions, String... arguments)
      throws IOException, InterruptedException {
    return new ServerProcess(true, 0, directory, javaOptions, arguments);
  }

  /** One at the port of another that has ended. */
  static ServerProcess after(ServerProcess other, Path directory)
      throws IOException, InterruptedException {
    return new ServerProcess(false, other.port, directory, "");
  }

  private Matcher await(Pattern line) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      Matcher matcher = line.matcher(Files.readString(output));
      if (matcher.find()) {
        return matcher;
      }
      if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
        break;
      }
    }
    throw new AssertionError("no server: " + errors());
  }

  /** All that it printed. */
  String errors() throws IOException {
    return Files.readString(output) + Files.readString(errors);
  }

  Cluster.Builder cluster() {
    return Cluster.build("127.0.0.1").port(port).maxContentLength(64 << 20);
  }

  Driver driver() {
    return new Driver(cluster().serializer(Serializers.GRAPHBINARY_V1));
  }

  HttpResponse<String> post(String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/gremlin"))
            .timeout(PATIENCE)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    request.setHeader("Content-Type", "application/json");
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> admin(String path) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + path))
            .timeout(PATIENCE)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** The sum of a metric over all of its labels. */
  double metric(String name) throws IOException, InterruptedException {
    double sum = 0;
    for (String line : admin("/metrics").body().split("\n")) {
      if (line.startsWith(name + " ") || line.startsWith(name + "{")) {
        sum += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
      }
    }
    return sum;
  }

  /** Sends SIGTERM and waits; the exit code. */
  int terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("still running after SIGTERM");
    }
    return process.exitValue();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
