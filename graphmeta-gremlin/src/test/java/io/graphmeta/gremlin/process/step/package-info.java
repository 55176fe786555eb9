/** Tests of the steps of the provider by themselves. */
@NullMarked
package io.graphmeta.gremlin.process.step;

import org.jspecify.annotations.NullMarked;
