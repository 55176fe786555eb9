/**
 * What one everyday operation costs, layer by layer, beside what it may cost. Started from the
 * command line; one thread, and one that does the operation.
 */
@NullMarked
package io.graphmeta.bench.budget;

import org.jspecify.annotations.NullMarked;
