package io.graphmeta.server.gremlin;

import java.nio.file.Path;
import java.util.Map;

/** The sample campaign on a server, and a browser before it. Needs Chromium. */
final class BrowsedCampaign implements AutoCloseable {
  final Browser browser;
  private final ServedGraph served;

  private BrowsedCampaign(Browser browser, ServedGraph served) {
    this.browser = browser;
    this.served = served;
  }

  /** Starts both; ends the test where there is no Chromium. */
  static BrowsedCampaign start(Path directory) throws Exception {
    Chromium.assumeDriven();
    Browser browser = Browser.start(directory);
    ServedGraph served = new ServedGraph(Map.of());
    SampleGraph.load(served.database);
    return new BrowsedCampaign(browser, served);
  }

  /** The address of a page in a state, such as {@code #/search}. */
  String page(String state) {
    return "http://127.0.0.1:" + served.port() + "/ui/" + state;
  }

  @Override
  public void close() {
    browser.close();
    served.close();
  }
}
