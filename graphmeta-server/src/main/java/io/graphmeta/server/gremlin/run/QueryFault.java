package io.graphmeta.server.gremlin.run;

import io.graphmeta.error.GraphMetaException;
import java.time.DateTimeException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Tells errors that a query brought about from defects of the server.
 *
 * <p>The engine's errors say it themselves. TinkerPop's steps throw errors of Java, as they do for
 * a limit below zero, and so does the provider where TinkerPop lays down which. The same errors
 * thrown by other code are defects. So is all else, such as a NullPointerException.
 */
public final class QueryFault {
  private static final String TINKERPOP = "org.apache.tinkerpop.";
  private static final String OURS = "io.graphmeta.";
  private static final String PROVIDER = "io.graphmeta.gremlin.";

  private static final List<Class<? extends RuntimeException>> OF_STEPS =
      List.of(
          IllegalArgumentException.class,
          IllegalStateException.class,
          UnsupportedOperationException.class,
          ArithmeticException.class,
          ClassCastException.class,
          DateTimeException.class);

  private static final Pattern CAST =
      Pattern.compile("class (\\S+) cannot be cast to class (\\S+)");
  private static final Pattern CLASS_NAME =
      Pattern.compile(
          "(?:class )?\\b(?:java|org\\.apache\\.tinkerpop|io\\.graphmeta)(?:\\.[\\w$]+)+");

  private QueryFault() {}

  /** Whether the query is at fault, and would fail again. */
  public static boolean is(Throwable thrown) {
    if (thrown instanceof GraphMetaException error) {
      return switch (error.code().category()) {
        case INPUT, LIMIT -> true;
        case RETRY, UNCERTAIN, STATE, STORAGE, DEFECT -> false;
      };
    }
    if (thrown instanceof PatternSyntaxException) {
      return true;
    }
    String origin = origin(thrown);
    if (thrown instanceof NoSuchElementException) {
      return origin.startsWith(TINKERPOP);
    }
    return (origin.startsWith(TINKERPOP) || origin.startsWith(PROVIDER))
        && OF_STEPS.stream().anyMatch(type -> type.isInstance(thrown));
  }

  /** The class of TinkerPop or of GraphMeta that threw it, or called the library that threw it. */
  private static String origin(Throwable thrown) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      if (frame.getClassName().startsWith(TINKERPOP) || frame.getClassName().startsWith(OURS)) {
        return frame.getClassName();
      }
    }
    return thrown.getClass().getName();
  }

  /** What the client reads: of types it learns the names that Gremlin has, not those of Java. */
  public static String words(Throwable thrown) {
    String message = thrown.getMessage();
    if (thrown instanceof GraphMetaException && message != null) {
      return message;
    }
    if (message == null || message.isBlank()) {
      return thrown instanceof NoSuchElementException
          ? "There is no result where the query asks for one; expected hasNext() or toList() where there"
              + " can be none"
          : "A step cannot do what the query asks of it";
    }
    if (thrown instanceof ArithmeticException) {
      return "The query comes to a number that its type cannot hold ("
          + message
          + "); expected one in the range of the type";
    }
    Matcher cast = CAST.matcher(message);
    if (thrown instanceof ClassCastException && cast.find()) {
      return "A step was given a value of the type "
          + simpleName(cast.group(1))
          + "; expected "
          + simpleName(cast.group(2));
    }
    return CLASS_NAME.matcher(message).replaceAll(name -> simpleName(name.group()));
  }

  private static String simpleName(String className) {
    int end = Math.max(className.lastIndexOf('.'), className.lastIndexOf('$'));
    String simple = className.substring(end + 1);
    return simple.startsWith("GraphMeta") ? simple.substring("GraphMeta".length()) : simple;
  }
}
