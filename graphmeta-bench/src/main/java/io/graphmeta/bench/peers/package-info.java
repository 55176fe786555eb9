/**
 * GraphMeta beside other graph databases and beside plain loops: each in a process of its own, with
 * the same graph and the same queries, in turn. Started from the command line; one thread, and one
 * more for each process.
 */
@NullMarked
package io.graphmeta.bench.peers;

import org.jspecify.annotations.NullMarked;
