/**
 * What a program without a graph database comes to: the marks that graph databases are measured by.
 * One thread.
 */
@NullMarked
package io.graphmeta.bench.peers.mark;

import org.jspecify.annotations.NullMarked;
