package io.graphmeta.server.membership;

import java.util.UUID;

/**
 * What the ephemeral znode of a node says. Immutable.
 *
 * @param incarnation which process of the node it is
 * @param process drawn by that process when it joined, so that it knows its own znode again when it
 *     was not told whether it had been made
 */
record Presence(long incarnation, UUID process) {}
