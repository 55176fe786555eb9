/**
 * Translation of Gremlin into plans: the longest prefix of a traversal that a plan can say exactly.
 * What is not exact is not translated. Used by the strategy alone; pure.
 */
@NullMarked
package io.graphmeta.gremlin.process.plan;

import org.jspecify.annotations.NullMarked;
