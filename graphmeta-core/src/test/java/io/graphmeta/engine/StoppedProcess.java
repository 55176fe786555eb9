package io.graphmeta.engine;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds a thread of another process where it comes to a {@link KillPlace}, by the interface for
 * debuggers; all its other threads go on. So no program needs to know of such places. Belongs to
 * one thread.
 */
final class StoppedProcess implements AutoCloseable {
  private static final int MAX_FRAMES = 12;

  private final ListeningConnector connector;
  private final Map<String, Connector.Argument> arguments;
  private final String address;
  private @Nullable VirtualMachine machine;

  /** Listens for a process that is started with {@link #option}. */
  StoppedProcess() throws IOException {
    connector =
        Bootstrap.virtualMachineManager().listeningConnectors().stream()
            .filter(each -> each.transport().name().equals("dt_socket"))
            .findFirst()
            .orElseThrow();
    arguments = connector.defaultArguments();
    arguments.get("localAddress").setValue("127.0.0.1");
    arguments.get("timeout").setValue("60000");
    try {
      address = connector.startListening(arguments);
    } catch (IllegalConnectorArgumentsException e) {
      throw new IOException(e);
    }
  }

  /** The option of Java with which the process is started. */
  String option() {
    return "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=127.0.0.1:"
        + address.substring(address.lastIndexOf(':') + 1);
  }

  /**
   * Lets the process go on until a thread has come to a place, and holds that thread.
   *
   * @param occurrence how often a thread has to come there, from 1
   * @return whether one did within the time
   */
  boolean await(KillPlace place, int occurrence, long millis) throws Exception {
    VirtualMachine of = connector.accept(arguments);
    machine = of;
    Set<String> classes = new HashSet<>();
    place.steps().forEach(step -> classes.add(step.className()));
    for (String name : classes) {
      ClassPrepareRequest prepared = of.eventRequestManager().createClassPrepareRequest();
      prepared.addClassFilter(name);
      prepared.setSuspendPolicy(EventRequest.SUSPEND_ALL);
      prepared.enable();
    }
    Map<Long, Integer> steps = new HashMap<>();
    int left = occurrence;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < deadline) {
      EventSet events;
      try {
        events = of.eventQueue().remove(50);
      } catch (VMDisconnectedException e) {
        return false;
      }
      if (events == null) {
        continue;
      }
      for (Event event : events) {
        if (event instanceof ClassPrepareEvent prepared) {
          stopIn(of, prepared.referenceType(), place.steps());
        } else if (event instanceof BreakpointEvent reached
            && isLast(reached, place.steps(), steps)
            && --left == 0) {
          return true;
        }
      }
      events.resume();
    }
    return false;
  }

  private static void stopIn(VirtualMachine of, ReferenceType type, List<KillPlace.Step> steps)
      throws AbsentInformationException {
    Set<Location> locations = new HashSet<>();
    for (KillPlace.Step step : steps) {
      if (!step.className().equals(type.name())) {
        continue;
      }
      for (Method method : type.methodsByName(step.method())) {
        if (method.location() != null && !method.isAbstract()) {
          locations.add(method.location());
        }
      }
    }
    if (locations.isEmpty()) {
      throw new IllegalStateException(type + " has no method of " + steps);
    }
    for (Location location : locations) {
      BreakpointRequest request = of.eventRequestManager().createBreakpointRequest(location);
      request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
      request.enable();
    }
  }

  /** Whether a thread has come to the last step; counts its steps. */
  private static boolean isLast(
      BreakpointEvent event, List<KillPlace.Step> steps, Map<Long, Integer> reached)
      throws IncompatibleThreadStateException {
    ThreadReference thread = event.thread();
    int at = reached.getOrDefault(thread.uniqueID(), 0);
    if (!isAt(thread, event.location().method(), steps.get(at))) {
      return false;
    }
    reached.put(thread.uniqueID(), (at + 1) % steps.size());
    return at + 1 == steps.size();
  }

  private static boolean isAt(ThreadReference thread, Method method, KillPlace.Step step)
      throws IncompatibleThreadStateException {
    if (!method.declaringType().name().equals(step.className())
        || !method.name().equals(step.method())) {
      return false;
    }
    if (step.caller().isEmpty()) {
      return true;
    }
    int frames = Math.min(thread.frameCount(), MAX_FRAMES);
    for (StackFrame frame : thread.frames(1, frames - 1)) {
      Method caller = frame.location().method();
      String className = caller.declaringType().name();
      String name = className.substring(className.lastIndexOf('.') + 1) + "." + caller.name();
      if (name.equals(step.caller())) {
        return true;
      }
    }
    return false;
  }

  /** Holds all other threads too, as far as they are Java's. */
  void holdAll() {
    VirtualMachine of = machine;
    if (of != null) {
      of.suspend();
    }
  }

  /** Lets the thread that was held go on. */
  void goOn() {
    VirtualMachine of = machine;
    if (of != null) {
      try {
        of.resume();
      } catch (VMDisconnectedException e) {
        // It has ended meanwhile.
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      connector.stopListening(arguments);
      VirtualMachine of = machine;
      if (of != null) {
        of.dispose();
      }
    } catch (VMDisconnectedException | IllegalConnectorArgumentsException e) {
      // The process was killed.
    }
  }
}
