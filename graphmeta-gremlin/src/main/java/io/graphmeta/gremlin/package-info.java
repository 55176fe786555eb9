/**
 * The Apache TinkerPop provider. Users enter by {@code GraphMetaGraph} in the structure package;
 * this package holds nothing but its sub-packages.
 */
@NullMarked
package io.graphmeta.gremlin;

import org.jspecify.annotations.NullMarked;
