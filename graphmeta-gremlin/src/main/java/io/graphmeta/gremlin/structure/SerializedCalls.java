package io.graphmeta.gremlin.structure;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.traversal.PlanCursor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * An object of the engine that belongs to one thread, and the cursors it hands out, made usable by
 * several: one call at a time. Written over the interface as a whole, so that no method of it is
 * left out.
 */
final class SerializedCalls implements InvocationHandler {
  @GuardedBy("lock")
  private final Object target;

  private final Object lock;

  private SerializedCalls(Object target, Object lock) {
    this.target = target;
    this.lock = lock;
  }

  static <T> T to(Class<T> type, T target) {
    return to(type, target, new Object());
  }

  private static <T> T to(Class<T> type, Object target, Object lock) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, new SerializedCalls(target, lock));
    return type.cast(proxy);
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    synchronized (lock) {
      Object result;
      try {
        result = method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
      if (result instanceof AdjacencyCursor) {
        return to(AdjacencyCursor.class, result, lock);
      }
      if (result instanceof PlanCursor) {
        return to(PlanCursor.class, result, lock);
      }
      return result instanceof ElementCursor ? to(ElementCursor.class, result, lock) : result;
    }
  }
}
