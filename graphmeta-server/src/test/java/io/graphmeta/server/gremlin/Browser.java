package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A Chromium that is driven by its DevTools protocol: one process and one tab for many pages. What
 * is evaluated in a page is not bound by the policy of the page. Used by one thread.
 */
final class Browser implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;
  private static final int POLL_MILLIS = 20;
  private static final int MOST_REMOVALS = 50;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final Path profile;
  private final WebSocket socket;
  private final AtomicInteger numbers = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<String> console = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  private CompletableFuture<?> sending = CompletableFuture.completedFuture(null);
  private volatile Map<String, String> logIn = Map.of();

  private Browser(Process process, Path profile, String address) {
    this.profile = profile;
    this.process = process;
    this.socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create(address), new Listener())
            .join();
  }

  /** Starts one with a profile of its own below a directory. */
  static Browser start(Path directory, String... options) throws Exception {
    Path profile = Files.createTempDirectory(directory, "profile");
    List<String> command =
        new ArrayList<>(
            List.of(
                Chromium.find(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--window-size=1400,1000",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile));
    command.addAll(List.of(options));
    command.add("about:blank");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Files.createTempFile(directory, "chromium", ".log").toFile())
            .start();
    Path port = profile.resolve("DevToolsActivePort");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!Files.exists(port) || Files.readAllLines(port).size() < 2) {
      assertThat(process.isAlive() && System.nanoTime() < end).as("%s starts", command).isTrue();
      Thread.sleep(POLL_MILLIS);
    }
    String number = Files.readAllLines(port).get(0);
    Browser browser = new Browser(process, profile, tab(number));
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      browser.send(domain + ".enable", Map.of());
    }
    return browser;
  }

  private static String tab(String port) throws IOException, InterruptedException {
    URI list = URI.create("http://127.0.0.1:" + port + "/json/list");
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString());
    for (JsonNode target : JSON.readTree(response.body())) {
      if (target.get("type").textValue().equals("page")) {
        return target.get("webSocketDebuggerUrl").textValue();
      }
    }
    throw new AssertionError("No tab in " + response.body());
  }

  /** Sends a command of the protocol, and waits for its answer. */
  JsonNode send(String method, Map<String, ?> parameters) {
    int number = numbers.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(number, answer);
    try {
      write(number, method, parameters);
      JsonNode node = answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(node.get("error")).as("%s %s", method, parameters).isNull();
      return node.get("result");
    } catch (Exception e) {
      throw new AssertionError(method + " " + parameters, e);
    }
  }

  /** Puts a command behind those that are on their way. */
  private synchronized void write(int number, String method, Map<String, ?> parameters) {
    try {
      String message =
          JSON.writeValueAsString(Map.of("id", number, "method", method, "params", parameters));
      sending = sending.thenCompose(before -> socket.sendText(message, true));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Answers servers that ask who is there, as somebody who types it. */
  void logIn(String user, String password) {
    logIn = Map.of("response", "ProvideCredentials", "username", user, "password", password);
    send("Fetch.enable", Map.of("handleAuthRequests", true));
  }

  /** Opens a page anew and waits until it shows what it was asked for. */
  void open(String address) {
    send("Page.navigate", Map.of("url", "about:blank"));
    send("Page.navigate", Map.of("url", address));
    settle();
  }

  /** Goes to another state of the page, as a link in it does. */
  void go(String hash) {
    evaluate("location.hash = " + quoted(hash));
    settle();
  }

  /** Waits until the page has nothing under way. */
  void settle() {
    until(
        "document.readyState === 'complete' && document.getElementById('page')"
            + " && document.getElementById('page').dataset.shown === location.hash"
            + " && !document.getElementById('page').hasAttribute('aria-busy')");
  }

  /** The value of an expression. */
  JsonNode evaluate(String expression) {
    JsonNode answer =
        send(
            "Runtime.evaluate",
            Map.of(
                "expression", expression,
                "returnByValue", true,
                "awaitPromise", true,
                "userGesture", true));
    assertThat(answer.get("exceptionDetails")).as(expression).isNull();
    return answer.get("result").path("value");
  }

  /** Waits until an expression is true. */
  void until(String expression) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!evaluate("!!(" + expression + ")").booleanValue()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("Never true: " + expression + "\n" + text() + "\n" + console);
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** What the page shows as text. */
  String text() {
    return evaluate("document.body.innerText").asText();
  }

  /** What the page is made of. */
  String html() {
    return evaluate("document.documentElement.outerHTML").asText();
  }

  /** How many elements a selector has. */
  int count(String selector) {
    return evaluate("document.querySelectorAll(" + quoted(selector) + ").length").intValue();
  }

  /** The texts of the elements that a selector has. */
  List<String> texts(String selector) {
    List<String> texts = new ArrayList<>();
    evaluate(
            "Array.from(document.querySelectorAll("
                + quoted(selector)
                + "), each => each.textContent)")
        .forEach(each -> texts.add(each.textValue()));
    return texts;
  }

  void click(String selector) {
    evaluate("document.querySelector(" + quoted(selector) + ").click()");
    settle();
  }

  /** Presses a key, as {@code Tab}, {@code Enter}, {@code ArrowLeft} or a character. */
  void press(String key) {
    Map<String, Integer> codes =
        Map.of(
            "Tab",
            9,
            "Enter",
            13,
            "Escape",
            27,
            "ArrowLeft",
            37,
            "ArrowUp",
            38,
            "ArrowRight",
            39,
            "ArrowDown",
            40,
            " ",
            32);
    int code = codes.getOrDefault(key, (int) Character.toUpperCase(key.charAt(0)));
    String text = key.length() == 1 ? key : key.equals("Enter") ? "\r" : "";
    Map<String, Object> down =
        new java.util.HashMap<>(
            Map.of(
                "type",
                text.isEmpty() ? "rawKeyDown" : "keyDown",
                "key",
                key,
                "windowsVirtualKeyCode",
                code));
    if (!text.isEmpty()) {
      down.put("text", text);
    }
    send("Input.dispatchKeyEvent", down);
    send(
        "Input.dispatchKeyEvent",
        Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", code));
    settle();
  }

  /** Types a text where the keyboard is. */
  void type(String text) {
    send("Input.insertText", Map.of("text", text));
  }

  /** What pages said to the console since this was asked last: messages, faults, refusals. */
  List<String> console() {
    List<String> said = List.copyOf(console);
    console.clear();
    return said;
  }

  /** The addresses that were asked for since this was asked last, of pages and by pages. */
  List<String> requests() {
    List<String> asked = List.copyOf(requests);
    requests.clear();
    return asked;
  }

  static String quoted(String text) {
    try {
      return JSON.writeValueAsString(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    socket.abort();
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      // Some of its processes write into the profile for a moment longer.
      children.forEach(ProcessHandle::destroyForcibly);
      children.forEach(child -> child.onExit().join());
      removeProfile();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Removes what it kept; a process that is none of its children may write there still. */
  private void removeProfile() throws InterruptedException {
    for (int attempt = 0; Files.exists(profile) && attempt < MOST_REMOVALS; attempt++) {
      try (Stream<Path> files = Files.walk(profile)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (IOException | UncheckedIOException e) {
        Thread.sleep(100);
      }
    }
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder parts = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      parts.append(data);
      if (last) {
        String message = parts.toString();
        parts.setLength(0);
        try {
          received(JSON.readTree(message.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
          console.add("unreadable: " + e);
        }
      }
      from.request(1);
      return CompletableFuture.completedFuture(null);
    }

    private void received(JsonNode message) {
      if (message.has("id")) {
        CompletableFuture<JsonNode> answer = answers.remove(message.get("id").intValue());
        if (answer != null) {
          answer.complete(message);
        }
        return;
      }
      JsonNode parameters = message.path("params");
      switch (message.path("method").asText()) {
        case "Runtime.consoleAPICalled" -> console.add(parameters.path("args").toString());
        case "Runtime.exceptionThrown" ->
            console.add(parameters.path("exceptionDetails").toString());
        case "Log.entryAdded" -> console.add(parameters.path("entry").toString());
        case "Network.requestWillBeSent" ->
            requests.add(parameters.path("request").path("url").asText());
        case "Fetch.requestPaused" ->
            write(
                numbers.incrementAndGet(),
                "Fetch.continueRequest",
                Map.of("requestId", parameters.path("requestId").asText()));
        case "Fetch.authRequired" ->
            write(
                numbers.incrementAndGet(),
                "Fetch.continueWithAuth",
                Map.of(
                    "requestId",
                    parameters.path("requestId").asText(),
                    "authChallengeResponse",
                    logIn));
        default -> {}
      }
    }
  }
}
