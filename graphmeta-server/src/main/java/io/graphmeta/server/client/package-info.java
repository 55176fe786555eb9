/**
 * The way of commands and of the console to a running server: a connection through TinkerPop's
 * driver, and the note by which a server tells where it listens. Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.server.client;

import org.jspecify.annotations.NullMarked;
