/**
 * Figures of benchmarks: collected run by run, shown as medians with their spread beside one
 * another. Not safe for use by several threads; depends on nothing.
 */
@NullMarked
package io.graphmeta.bench.report;

import org.jspecify.annotations.NullMarked;
