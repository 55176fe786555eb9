package io.graphmeta.server.report;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Writes elements of HTML and of SVG within it. Names of tags and attributes are constants of the
 * program; values and texts are anything, and escaped here and nowhere else. Used by one thread.
 */
final class HtmlWriter {
  private static final char REPLACEMENT = '\ufffd';

  private final StringBuilder html = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();
  private boolean inTag;

  /** Begins an element. */
  HtmlWriter open(String tag) {
    endTag();
    html.append('<').append(tag);
    open.push(tag);
    inTag = true;
    return this;
  }

  /** An attribute of the element that was begun last and holds nothing yet. */
  HtmlWriter set(String attribute, String value) {
    if (!inTag) {
      throw new IllegalStateException(
          "Attribute " + attribute + " behind the start of its element");
    }
    html.append(' ').append(attribute).append("=\"");
    escape(value);
    html.append('"');
    return this;
  }

  /** As {@link #set(String, String)}, of a coordinate. */
  HtmlWriter set(String attribute, double number) {
    return set(attribute, String.format(Locale.ROOT, "%.2f", number).replaceFirst("\\.?0+$", ""));
  }

  HtmlWriter text(String text) {
    endTag();
    escape(text);
    return this;
  }

  /** Ends the element that was begun last. */
  HtmlWriter close() {
    endTag();
    html.append("</").append(open.pop()).append('>');
    return this;
  }

  /** An element that holds a text. */
  HtmlWriter element(String tag, String text) {
    return open(tag).text(text).close();
  }

  /** An element of a class that holds a text. */
  HtmlWriter element(String tag, String style, String text) {
    return open(tag).set("class", style).text(text).close();
  }

  /** An element that has no end, as {@code meta}. */
  HtmlWriter single(String tag, String... attributes) {
    open(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      set(attributes[i], attributes[i + 1]);
    }
    html.append('>');
    open.pop();
    inTag = false;
    return this;
  }

  /** What stands in a style element, which knows no escapes: a constant of the program. */
  HtmlWriter style(String css) {
    open("style");
    endTag();
    html.append(css);
    return close();
  }

  HtmlWriter line() {
    endTag();
    html.append('\n');
    return this;
  }

  private void endTag() {
    if (inTag) {
      html.append('>');
      inTag = false;
    }
  }

  /** What HTML has no form for, NUL and halves of characters, becomes the sign for it. */
  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(each)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      switch (each) {
        case '&' -> html.append("&amp;");
        case '<' -> html.append("&lt;");
        case '>' -> html.append("&gt;");
        case '"' -> html.append("&quot;");
        case '\'' -> html.append("&#39;");
        // A parser would make a line feed of it.
        case '\r' -> html.append("&#13;");
        case 0 -> html.append(REPLACEMENT);
        default -> {
          if (pair) {
            html.append(each).append(text.charAt(++i));
          } else {
            html.append(Character.isSurrogate(each) ? REPLACEMENT : each);
          }
        }
      }
    }
  }

  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("Elements not ended: " + open);
    }
    return html.toString();
  }
}
