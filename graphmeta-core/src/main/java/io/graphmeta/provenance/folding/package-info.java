/**
 * A lineage folded to a picture that can be read: elements that play the same part become one box.
 *
 * <p>Entry class: {@link io.graphmeta.provenance.folding.Folding}. What is folded is an {@link
 * io.graphmeta.provenance.folding.Overlay}, which is one lineage or two of different times laid
 * over each other; what comes out is a {@link io.graphmeta.provenance.folding.FoldedLineage}, of
 * boxes and links. Providers of services, the command line and the view in the browser use this
 * package, so that all of them show the same boxes.
 *
 * <p>Everything here is a pure function of its arguments: the same lineage and the same budget give
 * the same boxes in the same order. Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.provenance.folding;

import org.jspecify.annotations.NullMarked;
