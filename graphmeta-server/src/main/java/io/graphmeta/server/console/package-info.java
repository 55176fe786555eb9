/**
 * TinkerPop's Gremlin Console, started in this process with a graph already bound.
 *
 * <p>Entry class: {@link io.graphmeta.server.console.ConsoleSession}, called by the command line.
 * The console runs on the thread that starts it, takes over standard input and output, and ends the
 * process; there is one a process.
 */
@NullMarked
package io.graphmeta.server.console;

import org.jspecify.annotations.NullMarked;
