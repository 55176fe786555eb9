/**
 * Deterministic simulation of the whole graph: real servers and real clients over a simulated
 * network, simulated disks and simulated clocks, all in one logical thread with virtual time. A
 * seed decides everything, so that it can be played again (after FoundationDB: Zhou et al., SIGMOD
 * 2021, section 4). {@link io.graphmeta.simulation.Simulation} is one run; {@link
 * io.graphmeta.simulation.Violation} lists what must hold.
 */
@NullMarked
package io.graphmeta.simulation;

import org.jspecify.annotations.NullMarked;
