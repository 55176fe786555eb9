package io.graphmeta.server.cli.demo;

import java.util.List;

/**
 * A question of the demonstration with the Gremlin that answers it too.
 *
 * @param title the question
 * @param gremlin a query that can be pasted into {@code graphmeta query}
 * @param lines what that query prints, as lineage answers it, in any order
 */
record DemoQuestion(String title, String gremlin, List<String> lines) {}
