/**
 * Tests of the shape of the code: who may depend on whom, and what every source file keeps to. Pure
 * reading of classes and sources; nothing is executed.
 */
@NullMarked
package io.graphmeta.architecture;

import org.jspecify.annotations.NullMarked;
