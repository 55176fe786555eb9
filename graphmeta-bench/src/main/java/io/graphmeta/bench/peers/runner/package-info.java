/**
 * What runs in the process of one subject: the graph from a file, the queries, and the loop that
 * takes commands on standard input. It is compiled once more for each peer, against the version of
 * TinkerPop that the peer has, so it uses nothing but the JDK, the annotations of JSpecify and the
 * part of TinkerPop's API that 3.5 to 3.8 have in common. One thread.
 */
@NullMarked
package io.graphmeta.bench.peers.runner;

import org.jspecify.annotations.NullMarked;
