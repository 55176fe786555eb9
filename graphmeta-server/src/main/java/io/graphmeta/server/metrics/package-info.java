/**
 * What a Gremlin Server or a node counts and measures, in the form that Prometheus reads. The one
 * package that knows Micrometer; safe for use by many threads.
 */
@NullMarked
package io.graphmeta.server.metrics;

import org.jspecify.annotations.NullMarked;
