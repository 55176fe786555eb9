package io.graphmeta.plan;

import java.util.List;

/** The elements that a plan begins with. */
public sealed interface PlanSource {
  /** What kind of elements these are. */
  ElementKind kind();

  /** Vertices or edges that are given when the plan is run. */
  record Given(ElementKind kind) implements PlanSource {}

  /**
   * All vertices or edges.
   *
   * @param labels of which labels; of all if empty
   */
  record Scan(ElementKind kind, List<String> labels) implements PlanSource {
    /** Copies the labels. */
    public Scan {
      labels = List.copyOf(labels);
    }
  }
}
