/**
 * What the Gremlin Console learns of GraphMeta: imports, and shorthands for reading the past.
 *
 * <p>Loaded by the console through {@code ServiceLoader}, or switched on by {@code :plugin use
 * graphmeta}. Everything here is stateless and safe for use by many threads.
 */
@NullMarked
package io.graphmeta.gremlin.jsr223;

import org.jspecify.annotations.NullMarked;
