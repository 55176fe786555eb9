/**
 * What the pages of the view in the browser ask, and what they are answered. Entry class: {@link
 * io.graphmeta.server.gremlin.view.ViewQuestions}, which reads a question; {@link
 * io.graphmeta.server.gremlin.view.ViewResources} has the pages themselves.
 *
 * <p>A question is some scripts of Gremlin and a function from their results to a JSON object. The
 * scripts are evaluated as those of every client are, with the same limits and in the same audit,
 * and may only read; so a page can do nothing that its user could not do in a console, and each
 * answer tells the scripts that it came from.
 *
 * <p>Called by {@code server.gremlin.wire}. Pure, but for the pages, which are resources; questions
 * are immutable, and answered by the thread that evaluated their scripts.
 */
@NullMarked
package io.graphmeta.server.gremlin.view;

import org.jspecify.annotations.NullMarked;
