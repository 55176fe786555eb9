/**
 * What the command line shows: colours and progress on a terminal, JSON, and errors as one line
 * each. Called by all commands; knows none of them and no graph. A command writes on one thread;
 * only the last line of {@link io.graphmeta.server.cli.output.Progress} comes from the thread that
 * ends the process.
 */
@NullMarked
package io.graphmeta.server.cli.output;

import org.jspecify.annotations.NullMarked;
