/**
 * Lines of text from streams of any length, each of limited length. Entry class: {@link
 * io.graphmeta.server.ingest.lines.LineInput}, for use by one thread. For the readers of logs that
 * are text.
 */
@NullMarked
package io.graphmeta.server.ingest.lines;

import org.jspecify.annotations.NullMarked;
