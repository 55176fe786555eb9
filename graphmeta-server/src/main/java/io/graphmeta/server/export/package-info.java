/**
 * Lineage in forms that other tools read: Graphviz, Mermaid, PROV-JSON, RO-Crate and OpenLineage.
 * Entry classes: {@link io.graphmeta.server.export.LineageGraph}, what is written, and {@link
 * io.graphmeta.server.export.ExportFormat}, how. Pure; used by the command line, which prints what
 * comes of it.
 *
 * <p>Each form has the elements and links of the answer, all of them and no others, in the form's
 * own terms where it has any. What it has no term for stands under a term of the namespace {@link
 * io.graphmeta.server.export.LineageGraph#NAMESPACE}.
 */
@NullMarked
package io.graphmeta.server.export;

import org.jspecify.annotations.NullMarked;
