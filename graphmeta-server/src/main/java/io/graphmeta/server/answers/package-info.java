/**
 * Answers of the services of GraphMeta, read back from their maps: {@link
 * io.graphmeta.server.answers.AnsweredLineage} and {@link io.graphmeta.server.answers.AnswerRow}.
 * The command line and the view in the browser ask the same questions and read the answers here.
 * Pure.
 */
@NullMarked
package io.graphmeta.server.answers;

import org.jspecify.annotations.NullMarked;
