/**
 * The client side of a traversal: gives the servers a plan and what it begins with, drives them
 * level by level or follows them without levels, keeps the paths where results depend on them, and
 * hands out what was found. Transactions run plans through it; it reaches the servers through the
 * router. A running traversal belongs to one thread; all else is safe for use by many.
 */
@NullMarked
package io.graphmeta.traversal;

import org.jspecify.annotations.NullMarked;
