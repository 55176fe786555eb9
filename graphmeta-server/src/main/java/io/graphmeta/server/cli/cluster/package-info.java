/**
 * Clusters and their nodes: {@code cluster} and {@code node}, and the processes that are started
 * beside a command so that a cluster can be tried on one machine, which end with it; and the
 * cluster that {@code class-archive} rehearses. Called by the root package alone. A command runs on
 * one thread; a node stops when the thread that ends the process says so.
 */
@NullMarked
package io.graphmeta.server.cli.cluster;

import org.jspecify.annotations.NullMarked;
