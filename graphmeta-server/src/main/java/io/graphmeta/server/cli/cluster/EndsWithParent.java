package io.graphmeta.server.cli.cluster;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs the main method of another class in a process that ends when its parent does, however that
 * ends: standard input is a pipe whose other end the parent alone has open.
 */
final class EndsWithParent {
  private static final int PARENT_IS_GONE = 75;

  private EndsWithParent() {}

  /** Runs the main method of the class that is named first with what is named behind it. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    Thread watch = new Thread(EndsWithParent::awaitEnd, "parent");
    watch.setDaemon(true);
    watch.start();
    Object others = Arrays.copyOfRange(arguments, 1, arguments.length);
    try {
      Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, others);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(arguments[0] + " failed", e.getCause());
    }
  }

  private static void awaitEnd() {
    try {
      while (System.in.read() >= 0) {
        // What comes says nothing; that nothing more can come says it.
      }
    } catch (IOException e) {
      // As good as its end.
    }
    // Without the hooks of the JVM, which may wait for what the parent was to do.
    Runtime.getRuntime().halt(PARENT_IS_GONE);
  }
}
