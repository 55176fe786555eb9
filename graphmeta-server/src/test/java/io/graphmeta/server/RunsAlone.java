package io.graphmeta.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks a test that takes the whole machine: it starts the nodes of a cluster, or holds a server to
 * times. The build runs it when no other runs. Other tests that start processes run two at once.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag(RunsAlone.TAG)
public @interface RunsAlone {
  /** As the build names it. */
  String TAG = "alone";
}
