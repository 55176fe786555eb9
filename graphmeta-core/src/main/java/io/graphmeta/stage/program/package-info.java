/**
 * A plan compiled into a row of operations, with ids in the place of names, and what is wanted of
 * the elements that they find. The other packages of {@code stage} use it. Pure: immutable, no
 * input or output, safe for use by many threads.
 */
@NullMarked
package io.graphmeta.stage.program;

import org.jspecify.annotations.NullMarked;
