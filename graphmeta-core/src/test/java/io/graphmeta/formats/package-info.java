/**
 * The bytes that outlive a build: databases, rows and messages as earlier builds wrote them, from
 * {@code src/test/resources/formats}, read by this one. What may change and how is said in {@code
 * docs/internals/FORMATS.md}.
 */
@NullMarked
package io.graphmeta.formats;

import org.jspecify.annotations.NullMarked;
