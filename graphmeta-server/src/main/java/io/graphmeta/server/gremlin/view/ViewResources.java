package io.graphmeta.server.gremlin.view;

import io.graphmeta.server.picture.SvgForm;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files that the view consists of, read once. Immutable. */
public final class ViewResources {
  private static final List<String> MODULES =
      List.of(
          "main.js",
          "address.js",
          "ask.js",
          "text.js",
          "picture.js",
          "stage.js",
          "save.js",
          "tabs.js",
          "lineage.js",
          "impact.js",
          "amounts.js",
          "grid.js",
          "job.js",
          "words.js",
          "runs.js",
          "gremlin.js",
          "profile.js",
          "placement.js",
          "timeline.js",
          "search.js",
          "panel.js");

  private static final int TAG_BYTES = 16;

  private final Map<String, Resource> resources = new LinkedHashMap<>();

  /**
   * A file.
   *
   * @param type its media type
   * @param bytes what is in it; not to be changed
   * @param tag a text that is another if the file is
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared, and kept by its owner alone.
  public record Resource(String type, byte[] bytes, String tag) {}

  /** Reads the files. */
  public ViewResources() {
    put("", "text/html; charset=utf-8", read("index.html"));
    put("view.css", "text/css; charset=utf-8", read("view.css"));
    put(
        "picture.css",
        "text/css; charset=utf-8",
        SvgForm.styleSheet().getBytes(StandardCharsets.UTF_8));
    put("icon.svg", "image/svg+xml", read("icon.svg"));
    for (String module : MODULES) {
      put(module, "text/javascript; charset=utf-8", read(module));
    }
  }

  /** The file of a name; null if there is none. The page itself has the empty name. */
  public @Nullable Resource find(String name) {
    return resources.get(name);
  }

  private void put(String name, String type, byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      String tag = "\"" + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + "\"";
      resources.put(name, new Resource(type, bytes, tag));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  private static byte[] read(String name) {
    try (InputStream in = ViewResources.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("The resource " + name + " is missing");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
