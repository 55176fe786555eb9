/**
 * Places the boxes of a directed graph from left to right. Entry class: {@link
 * io.graphmeta.server.layout.LayeredLayout}. Knows sizes and links alone, nothing of what is drawn
 * in the boxes.
 *
 * <p>The way of Sugiyama: links that close circles are turned round; each box gets a layer, by the
 * longest way that leads to it; links over more than one layer get bends, which the links of one
 * box share; the boxes of each layer are put into an order with few crossings; and each layer is
 * brought to the heights of its neighbours as near as its order and the distances allow.
 *
 * <p>A graph can tell where boxes lay in an earlier picture: their order and heights stay near to
 * these, if that costs few crossings.
 *
 * <p>Pure: the same graph gives the same places to the pixel, on every machine. Safe for use by
 * many threads.
 */
@NullMarked
package io.graphmeta.server.layout;

import org.jspecify.annotations.NullMarked;
