/**
 * The dictionaries that give vertex labels, edge labels and property keys their short ids:
 * immutable images that grow by copying. Pure; safe for use by many threads.
 */
@NullMarked
package io.graphmeta.schema;

import org.jspecify.annotations.NullMarked;
