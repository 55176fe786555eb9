/**
 * What a server can be told: every setting with its default, range and meaning, and a checked,
 * immutable set of their values. Used by all other packages of the server; uses none of them.
 */
@NullMarked
package io.graphmeta.server.settings;

import org.jspecify.annotations.NullMarked;
