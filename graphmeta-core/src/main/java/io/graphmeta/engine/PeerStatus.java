package io.graphmeta.engine;

/**
 * How a node is reached from here, at some moment.
 *
 * @param node its name
 * @param connected whether calls can be sent at once
 * @param incarnation of the process that was reached last; 0 if none was
 * @param clockOffsetMicros by how much its clock was ahead when last compared, in microseconds
 * @param queuedBytes bytes of calls that wait to be sent
 */
public record PeerStatus(
    String node, boolean connected, long incarnation, long clockOffsetMicros, long queuedBytes) {}
