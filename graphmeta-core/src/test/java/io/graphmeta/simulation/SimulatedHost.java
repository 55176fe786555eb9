package io.graphmeta.simulation;

/** A node that holds replicas: they come and go together, and go by one clock. */
final class SimulatedHost {
  private final int number;
  private final SimulatedClock clock;
  private int incarnation;
  private boolean up = true;

  SimulatedHost(int number, Scheduler scheduler) {
    this.number = number;
    this.clock = new SimulatedClock(scheduler);
  }

  int number() {
    return number;
  }

  SimulatedClock clock() {
    return clock;
  }

  /** Another one after each end and each start of its process. */
  int incarnation() {
    return incarnation;
  }

  boolean isUp() {
    return up;
  }

  /** Its process begins or ends. */
  void set(boolean isUp) {
    up = isUp;
    incarnation++;
  }

  @Override
  public String toString() {
    return "h" + number;
  }
}
