/**
 * What users may rely on. All that is public and documented keeps its meaning from one minor
 * version to the next, unless it carries one of the two marks of this package: {@link
 * io.graphmeta.stability.Experimental} or {@link io.graphmeta.stability.Internal}. The page {@code
 * docs/reference/stability.md} lists all that is marked. Every package may use this one, which
 * depends on none. Pure.
 */
@NullMarked
package io.graphmeta.stability;

import org.jspecify.annotations.NullMarked;
