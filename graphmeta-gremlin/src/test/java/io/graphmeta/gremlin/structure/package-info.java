/** Tests of the provider's own promises, beyond those that TinkerPop's suites check. */
@NullMarked
package io.graphmeta.gremlin.structure;

import org.jspecify.annotations.NullMarked;
