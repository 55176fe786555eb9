/**
 * Random shell pipelines, whose truth is known by construction, recorded as Darshan would record
 * them and loaded as the loader does.
 */
@NullMarked
package io.graphmeta.server.ingest.shell;

import org.jspecify.annotations.NullMarked;
