/**
 * The versioned property graph as values: keys, records of vertices and edges, views, and the
 * property types that every driver can read. Pure and immutable; every package above may use it.
 */
@NullMarked
package io.graphmeta.model;

import org.jspecify.annotations.NullMarked;
