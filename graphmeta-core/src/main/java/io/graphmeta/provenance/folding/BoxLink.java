package io.graphmeta.provenance.folding;

/**
 * A way that data took from one box to another.
 *
 * @param from position of the box that the data came from
 * @param to position of the box that they went to
 * @param relation label of the edges, {@code exe} from the file of a program to its processes, or
 *     {@link io.graphmeta.provenance.Lineage#CONTINUES}
 * @param count how many links between elements it stands for
 * @param presence when these are part of the lineage
 */
public record BoxLink(int from, int to, String relation, int count, Presence presence) {}
