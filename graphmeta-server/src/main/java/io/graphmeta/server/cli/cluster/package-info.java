/**
 * Processes that a command starts beside itself, so that a cluster can be tried on one machine.
 * They end with the process that started them.
 */
@NullMarked
package io.graphmeta.server.cli.cluster;

import org.jspecify.annotations.NullMarked;
