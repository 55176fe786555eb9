/**
 * The everyday operations on one graph, in the process of one subject: workloads, what a subject
 * must be able to do, the same through Gremlin, and the loop that takes commands on standard input.
 * Compiled once more for each peer, as the package above. One thread gives commands; a round has as
 * many threads as its workload, each with a session of its own.
 */
@NullMarked
package io.graphmeta.bench.peers.runner.everyday;

import org.jspecify.annotations.NullMarked;
