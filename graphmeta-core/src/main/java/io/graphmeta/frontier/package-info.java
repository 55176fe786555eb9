/**
 * Sets of numbers that traversals are made of, in primitive arrays: what has been reached, and in
 * how many ways. Shards and clients of traversals use them. Pure; each belongs to one thread.
 */
@NullMarked
package io.graphmeta.frontier;

import org.jspecify.annotations.NullMarked;
