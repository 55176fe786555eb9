/**
 * Typed, immutable configuration. Every setting has a name, a default, a range and a sentence;
 * unknown names are refused. Pure.
 */
@NullMarked
package io.graphmeta.config;

import org.jspecify.annotations.NullMarked;
