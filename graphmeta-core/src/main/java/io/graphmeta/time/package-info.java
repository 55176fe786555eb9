/**
 * Time: stamps, the hybrid logical clock that hands them out, and the text forms in which people
 * give times. Pure but for the clock, which reads a {@link java.time.InstantSource} given to it.
 * Every package may use it.
 */
@NullMarked
package io.graphmeta.time;

import org.jspecify.annotations.NullMarked;
