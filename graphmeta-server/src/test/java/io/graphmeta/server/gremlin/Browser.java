package io.graphmeta.server.gremlin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A Chromium that Selenium drives, with one tab for many pages: its mouse and its keys are those of
 * a person. What is evaluated in a page is not bound by the policy of the page. Used by one thread.
 */
final class Browser implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;
  private static final int POLL_MILLIS = 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Map<String, Keys> KEYS =
      Map.of(
          "Tab", Keys.TAB,
          "Enter", Keys.ENTER,
          "Escape", Keys.ESCAPE,
          "ArrowLeft", Keys.ARROW_LEFT,
          "ArrowUp", Keys.ARROW_UP,
          "ArrowRight", Keys.ARROW_RIGHT,
          "ArrowDown", Keys.ARROW_DOWN);

  /** Says at each start that Selenium has no types for this Chromium's protocol; none are used. */
  private static final Logger VERSIONS =
      Logger.getLogger("org.openqa.selenium.devtools.CdpVersionFinder");

  static {
    VERSIONS.setLevel(Level.OFF);
  }

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts one, which writes what its driver does to a file in a directory. */
  static Browser start(Path directory) throws IOException {
    LoggingPreferences told = new LoggingPreferences();
    told.enable(LogType.BROWSER, Level.ALL);
    told.enable(LogType.PERFORMANCE, Level.ALL); // what is asked for, among others
    ChromeOptions options = new ChromeOptions();
    options.setBinary(Chromium.find());
    options.addArguments(
        "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000");
    options.setCapability(ChromeOptions.LOGGING_PREFS, told);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(new File(Chromium.findDriver()))
            .usingAnyFreePort()
            .withLogFile(Files.createTempFile(directory, "chromedriver", ".log").toFile())
            .build();
    return new Browser(new ChromeDriver(service, options));
  }

  /** Sends a command of the DevTools protocol, and waits for its answer. */
  JsonNode send(String method, Map<String, ?> parameters) {
    return JSON.valueToTree(driver.executeCdpCommand(method, Map.copyOf(parameters)));
  }

  /**
   * Answers a server that asks who is there; the browser remembers it, as of somebody who types it.
   */
  void logIn(URI address, String user, String password) throws URISyntaxException {
    driver.get(
        new URI(
                address.getScheme(),
                user + ":" + password,
                address.getHost(),
                address.getPort(),
                address.getPath(),
                null,
                null)
            .toString());
  }

  /** Opens a page anew and waits until it shows what it was asked for. */
  void open(String address) {
    driver.get("about:blank");
    driver.get(address);
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
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + "\n" + answer.get("exceptionDetails"));
    }
    return answer.get("result").path("value");
  }

  /** Waits until an expression is true. */
  void until(String expression) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!evaluate("!!(" + expression + ")").booleanValue()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("Never true: " + expression + "\n" + text() + "\n" + console());
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

  /** The texts of the elements that a selector has, shown or not. */
  List<String> texts(String selector) {
    List<String> texts = new ArrayList<>();
    evaluate(
            "Array.from(document.querySelectorAll("
                + quoted(selector)
                + "), each => each.textContent)")
        .forEach(each -> texts.add(each.textValue()));
    return texts;
  }

  /** Clicks with the mouse on the first element of a selector, which has to be visible. */
  void click(String selector) {
    driver.findElement(By.cssSelector(selector)).click();
    settle();
  }

  /** As that, on the first whose text has a part. */
  void click(String selector, String part) {
    driver.findElements(By.cssSelector(selector)).stream()
        .filter(each -> String.valueOf(each.getDomProperty("textContent")).contains(part))
        .findFirst()
        .orElseThrow()
        .click();
    settle();
  }

  /** Presses a key, as {@code Tab}, {@code Enter}, {@code ArrowLeft} or a character. */
  void press(String key) {
    new Actions(driver).sendKeys(KEYS.containsKey(key) ? KEYS.get(key) : key).perform();
    settle();
  }

  /** Types a text where the keyboard is. */
  void type(String text) {
    new Actions(driver).sendKeys(text).perform();
  }

  /** What pages said to the console since this was asked last: messages, faults, refusals. */
  List<String> console() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(LogEntry::getMessage)
        .toList();
  }

  /** The addresses that were asked for since this was asked last, of pages and by pages. */
  List<String> requests() {
    List<String> asked = new ArrayList<>();
    for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
      JsonNode message = read(entry.getMessage()).path("message");
      if (message.path("method").asText().equals("Network.requestWillBeSent")) {
        asked.add(message.path("params").path("request").path("url").asText());
      }
    }
    return asked;
  }

  private static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new AssertionError(json, e);
    }
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
    driver.quit();
  }
}
