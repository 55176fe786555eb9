/**
 * Gremlin steps that read the graph in batches, and {@link
 * io.graphmeta.gremlin.process.step.ElementReader}, the port through which they read it. The
 * strategies put them into traversals; the structure package implements the port. A step belongs to
 * the one thread that iterates its traversal.
 */
@NullMarked
package io.graphmeta.gremlin.process.step;

import org.jspecify.annotations.NullMarked;
