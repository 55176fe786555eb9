/**
 * Deterministic simulation of the whole graph: real shards and real clients over a simulated
 * network, simulated disks and simulated clocks, all in one logical thread with virtual time.
 * Clients commit transactions, read, and run traversals, while vertices are split and processes,
 * messages and disks fail. A seed decides everything, so that it can be played again (after
 * FoundationDB: Zhou et al., SIGMOD 2021, section 4). {@link io.graphmeta.simulation.Simulation} is
 * one run; {@link io.graphmeta.simulation.Violation} lists what must hold.
 */
@NullMarked
package io.graphmeta.simulation;

import org.jspecify.annotations.NullMarked;
