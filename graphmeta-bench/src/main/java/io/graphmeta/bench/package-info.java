/**
 * Benchmarks that set GraphMeta beside other engines in one run. Nothing depends on this module.
 */
@NullMarked
package io.graphmeta.bench;

import org.jspecify.annotations.NullMarked;
