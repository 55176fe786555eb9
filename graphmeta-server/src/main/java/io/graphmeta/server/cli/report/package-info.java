/**
 * Sums and pages for people: {@code top}, who reads and writes most, and {@code report}, all about
 * one job as a page of HTML. Called by the root command alone, on one thread.
 */
@NullMarked
package io.graphmeta.server.cli.report;

import org.jspecify.annotations.NullMarked;
