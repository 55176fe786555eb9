/**
 * Running a server, and who may log in to it: {@code server}, {@code user}, {@code token}. Called
 * by the root command alone. A command runs on one thread; a server stops when the thread that ends
 * the process says so.
 */
@NullMarked
package io.graphmeta.server.cli.server;

import org.jspecify.annotations.NullMarked;
