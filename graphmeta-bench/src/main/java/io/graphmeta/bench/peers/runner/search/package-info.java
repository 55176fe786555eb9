/**
 * The process of one subject of the comparison of searches, {@link
 * io.graphmeta.bench.peers.runner.search.SearchRunner}, and the data and questions that all share.
 * Compiled against the libraries of each subject, so that it uses none but those of TinkerPop. One
 * thread.
 */
@NullMarked
package io.graphmeta.bench.peers.runner.search;

import org.jspecify.annotations.NullMarked;
