/**
 * Which virtual node a vertex belongs to, and which server holds it. Pure and immutable: can be
 * asked by the million.
 */
@NullMarked
package io.graphmeta.placement;

import org.jspecify.annotations.NullMarked;
