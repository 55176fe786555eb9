/**
 * What a command works on: the options that name a database or a server, the options that say as of
 * when it is read, and {@link io.graphmeta.server.cli.connection.AskedGraph}, which is the graph
 * that they come to. Called by commands; the one place that decides between a database opened here
 * and a server asked. Used by one thread.
 */
@NullMarked
package io.graphmeta.server.cli.connection;

import org.jspecify.annotations.NullMarked;
