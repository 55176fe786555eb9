/**
 * What is indexed of a graph, and what an index is asked: the port behind which a library of
 * inverted indexes stands. An index is derived from the rows of a store and never trusted: it names
 * <em>candidates</em>, which the store confirms in the view of the reader.
 *
 * <p>One law holds for every index: <em>at every view the candidates hold all elements that
 * match.</em> So whatever is not exact makes the candidates more, never fewer, and nothing is ever
 * negated here.
 *
 * <p>The unit of indexing is a {@linkplain io.graphmeta.search.IndexedVersion version of a
 * property}. At a view (V, K) the version of a slot that counts is, of those with valid &lt;= V and
 * committed &lt;= K, the one with the greatest valid, and of these the one with the greatest
 * committed stamp (package {@code codec}). So a version from (v, c) whose next statement is (v',
 * c') is hidden where v' &lt;= V and c' &lt;= K; it may be found where v &lt;= V, c &lt;= K, and V
 * &lt; v' or K &lt; c'. Further statements can hide it from more views; that is left to confirming.
 * Of the views (V, K) with a &lt;= V &lt;= b one may find it where v &lt;= b, c &lt;= K, and a &lt;
 * v' or K &lt; c': a view alone is the case a = b.
 *
 * <p>Shards follow their store and fill the index; what implements the port is chosen by {@code
 * node}. Everything here but the port is immutable.
 */
@NullMarked
package io.graphmeta.search;

import org.jspecify.annotations.NullMarked;
