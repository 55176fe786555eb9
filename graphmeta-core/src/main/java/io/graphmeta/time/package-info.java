/**
 * Time: stamps, the hybrid logical clock that hands them out, the time of day without its jumps,
 * and the text forms in which people give times. Pure but for the clocks, which read an {@link
 * java.time.InstantSource} given to them, and may be used by many threads. Every package may use
 * it.
 */
@NullMarked
package io.graphmeta.time;

import org.jspecify.annotations.NullMarked;
