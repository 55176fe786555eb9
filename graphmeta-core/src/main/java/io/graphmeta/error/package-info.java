/**
 * The errors of GraphMeta: one exception type, one code for each cause, and a category that tells
 * the caller what to do. Every package may use it; it depends on nothing. Immutable, safe for use
 * by any thread.
 */
@NullMarked
package io.graphmeta.error;

import org.jspecify.annotations.NullMarked;
