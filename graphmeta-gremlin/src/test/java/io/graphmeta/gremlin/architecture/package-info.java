/** Tests of the shape of this module's code. */
@NullMarked
package io.graphmeta.gremlin.architecture;

import org.jspecify.annotations.NullMarked;
