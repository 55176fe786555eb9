/**
 * The index of attributes by itself: what versions cost to index and to keep, and what questions
 * cost to answer. Main classes for people who run them; nobody else uses the package.
 */
@NullMarked
package io.graphmeta.bench.search;

import org.jspecify.annotations.NullMarked;
