/**
 * Big-endian access to byte arrays, growable output and bounded input. Pure; every package may use
 * it. Objects belong to one thread at a time.
 */
@NullMarked
package io.graphmeta.bytes;

import org.jspecify.annotations.NullMarked;
