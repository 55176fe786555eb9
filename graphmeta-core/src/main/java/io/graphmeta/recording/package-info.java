/**
 * Events for the Flight Recorder of the JDK: what a shard does in which phase of a traversal. They
 * cost next to nothing while nobody records them, and tell of batches of elements, never of one
 * edge. Nothing else uses the recorder.
 */
@NullMarked
package io.graphmeta.recording;

import org.jspecify.annotations.NullMarked;
