package io.graphmeta.server.gremlin.rules;

/**
 * The client that asks. Immutable.
 *
 * @param user the name given at log-in; {@code anonymous} where there is none
 * @param address remote address and port
 */
public record Caller(String user, String address) {}
