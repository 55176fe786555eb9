/**
 * What there is of the heap, and who may still ask for some. Every package may use it; it depends
 * on errors alone. Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.heap;

import org.jspecify.annotations.NullMarked;
