/**
 * What a traversal asks for, as data: where it begins, which steps lead on, and what is wanted in
 * the end. Clients build plans, the client side of a traversal drives them, shards run them; none
 * of that is here. Pure and immutable, safe for use by many threads.
 *
 * <p>A plan means what the Gremlin steps of the same names mean, bulks and multiplicities included:
 * elements are reached as often as there are ways to them, and equal ones are counted, not kept
 * apart, unless the plan asks for paths.
 */
@NullMarked
package io.graphmeta.plan;

import org.jspecify.annotations.NullMarked;
