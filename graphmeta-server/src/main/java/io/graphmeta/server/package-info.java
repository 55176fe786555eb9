/**
 * The parts around the engine that people and machines talk to: the command line and the ingest of
 * logs, one sub-package each. This package holds nothing but its sub-packages.
 */
@NullMarked
package io.graphmeta.server;

import org.jspecify.annotations.NullMarked;
