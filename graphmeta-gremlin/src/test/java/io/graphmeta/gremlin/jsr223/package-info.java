/** Tests of the console's plugin. */
@NullMarked
package io.graphmeta.gremlin.jsr223;

import org.jspecify.annotations.NullMarked;
