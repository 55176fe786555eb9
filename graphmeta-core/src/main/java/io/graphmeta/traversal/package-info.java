/**
 * The client side of a traversal: gives the shards a plan and the elements it begins with, drives
 * them level by level or follows them without levels, keeps the paths where results depend on them,
 * and hands out the results. Transactions run plans through {@link
 * io.graphmeta.traversal.TraversalClient}, which reaches the shards through the router and is safe
 * for use by many threads; the {@link io.graphmeta.traversal.PlanCursor} of each plan belongs to
 * one thread.
 */
@NullMarked
package io.graphmeta.traversal;

import org.jspecify.annotations.NullMarked;
