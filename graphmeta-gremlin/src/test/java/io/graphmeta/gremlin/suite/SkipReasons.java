package io.graphmeta.gremlin.suite;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Why tests are skipped, in words: the suites give the assumption that did not hold. Pure. */
final class SkipReasons {
  static final String NETWORK = "needs a file from a web site; not counted where that is reached";

  static final String ORDER = "compares a file that has the vertices in the order of the graph";

  private static final Pattern FEATURE = Pattern.compile("(\\w+)Features\\.(\\w+)=(true|false)");
  private static final String ABSENT = "tests a graph that lacks a feature which GraphMeta has";

  private SkipReasons() {}

  static String of(@Nullable String message) {
    String text = message == null ? "" : message;
    Matcher feature = FEATURE.matcher(text);
    if (feature.find()) {
      return feature.group(3).equals("false")
          ? ABSENT
          : "needs the feature " + feature.group(2) + ", which GraphMeta does not have";
    }
    if (text.contains("got: <true>, expected: is <false>")) {
      return ABSENT;
    }
    if (text.contains("got: <false>, expected: is <true>")) {
      return "needs a type of values that GraphMeta does not store";
    }
    if (text.contains("gryo") || text.contains("graphson") || text.contains("graphml")) {
      return "does not apply to the format at hand";
    }
    if (text.contains("apply to TinkerGraph only")) {
      return "asserts only where the class of the graph is called TinkerGraph";
    }
    if (text.contains("is ignored for STANDARD")) {
      return "needs a graph computer";
    }
    if (text.contains("not supported by Gherkin")
        || text.contains("not supported by gremlin-lang")) {
      return "cannot be expressed or checked by the framework of the features";
    }
    return text.lines().findFirst().orElse("no reason given");
  }
}
