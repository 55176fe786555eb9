package io.graphmeta.server.gremlin.wire;

import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.jspecify.annotations.Nullable;

/**
 * A frame, read.
 *
 * @param message what the client asks; of a frame that cannot be read, a message with the id of the
 *     request alone
 * @param fault why the frame cannot be read; null if it can
 * @param answers what the answers are written in
 */
record WebSocketRequest(RequestMessage message, @Nullable String fault, AnswerFormat answers) {}
