/** Tests that traversals which run as plans mean what Gremlin says. */
@NullMarked
package io.graphmeta.gremlin.plan;

import org.jspecify.annotations.NullMarked;
