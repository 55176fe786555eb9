/**
 * Elements that flow through the operations of a program: batches of vertices and edges, elements
 * that wait at positions, elements that were seen before, and the limit of what is held. Data for
 * the packages {@code stage.level}, {@code stage.results} and {@code stage}. Batches are not
 * changed once they are made; all else belongs to one thread at a time.
 */
@NullMarked
package io.graphmeta.stage.flow;

import org.jspecify.annotations.NullMarked;
