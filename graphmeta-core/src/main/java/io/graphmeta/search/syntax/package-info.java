/**
 * Queries in a line of text, read with the parser of Lucene. Called by {@code engine} for each
 * search. Pure, and safe for use by many threads.
 */
@NullMarked
package io.graphmeta.search.syntax;

import org.jspecify.annotations.NullMarked;
