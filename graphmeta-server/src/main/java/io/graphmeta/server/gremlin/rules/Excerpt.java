package io.graphmeta.server.gremlin.rules;

/** Texts of clients and of libraries, cut to what a message to a client or a log can hold. */
public final class Excerpt {
  private static final int MAX_CHARS = 200;

  private Excerpt() {}

  /** The beginning of a text. */
  public static String of(String text) {
    return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "...";
  }

  /** The first line of an error message, without the advice and the stack that follow it. */
  public static String firstLine(String text) {
    int end = text.indexOf('\n');
    return of(end < 0 ? text : text.substring(0, end));
  }
}
