/**
 * The parts around the engine that people and machines talk to: the command line, the console, the
 * server of Gremlin clients with its users, settings, health and metrics, and the ingest of logs,
 * one sub-package each. This package holds nothing but its sub-packages.
 */
@NullMarked
package io.graphmeta.server;

import org.jspecify.annotations.NullMarked;
