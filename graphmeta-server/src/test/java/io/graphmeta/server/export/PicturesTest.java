package io.graphmeta.server.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What was written as text for pictures, read back by the rules of its language, is what was to be
 * written, whatever stands in paths, command lines and names. {@code ExportsIT} reads the same by
 * the tools themselves.
 */
final class PicturesTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int ROUNDS = Integer.getInteger("graphmeta.sequences", 100);

  private static final Pattern DOT_NODE =
      Pattern.compile(
          "  n(\\d+) \\[label=\"((?:[^\"\\\\]|\\\\.)*)\", shape=.*element=\"([^\"]*)\"\\];");
  private static final Pattern DOT_LINK =
      Pattern.compile("  n(\\d+) -> n(\\d+) \\[label=\"(\\w+)\"\\];");
  private static final Pattern MERMAID_NODE =
      Pattern.compile("  n(\\d+)[\\[({/]+\"([^\"]*)\"[\\])}/]+(?::::doubtful)?");
  private static final Pattern MERMAID_LINK =
      Pattern.compile("  n(\\d+) -->\\|\"(\\w+)\"\\| n(\\d+)");
  private static final Pattern ENTITY = Pattern.compile("#(\\d+);");

  @Test
  void everyNameAndLinkIsReadBack() {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
        List<String> questions = HostileGraph.write(database, seed);
        try (GraphTransaction tx = database.begin()) {
          Provenance provenance = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
          for (String id : questions) {
            check(provenance.backward(id), false, seed);
            check(provenance.forward(id, Stamp.MAX), true, seed);
          }
        }
      }
    }
  }

  private static void check(Lineage lineage, boolean forward, long seed) {
    LineageGraph graph = new LineageGraph(lineage, forward);
    Map<Integer, List<String>> wanted = new TreeMap<>();
    for (LineageNode node : lineage.nodes()) {
      wanted.put(node.index(), ElementText.lines(node));
    }
    List<String> links =
        graph.arrows().stream()
            .map(arrow -> arrow.from().index() + " " + arrow.relation() + " " + arrow.to().index())
            .toList();
    assertThat(links).as("links, seed %d", seed).doesNotHaveDuplicates();
    assertThat(ends(graph.arrows().stream().map(arrow -> Set.of(arrow.from(), arrow.to()))))
        .as("what is linked, seed %d", seed)
        .isEqualTo(
            ends(
                lineage.links().stream()
                    .map(
                        link ->
                            Set.of(
                                lineage.nodes().get(link.from()),
                                lineage.nodes().get(link.to())))));
    checkDot(graph, wanted, links, seed);
    checkMermaid(MermaidForm.write(graph), wanted, links, seed);
  }

  private static Set<Set<Integer>> ends(Stream<Set<LineageNode>> links) {
    return links
        .map(ends -> ends.stream().map(LineageNode::index).collect(Collectors.toSet()))
        .collect(Collectors.toSet());
  }

  private static void checkDot(
      LineageGraph graph, Map<Integer, List<String>> wanted, List<String> links, long seed) {
    Map<Integer, List<String>> nodes = new TreeMap<>();
    List<String> found = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (String line : DotForm.write(graph).split("\n")) {
      Matcher node = DOT_NODE.matcher(line);
      Matcher link = DOT_LINK.matcher(line);
      if (node.matches()) {
        nodes.put(Integer.valueOf(node.group(1)), ofEscapeString(node.group(2)));
        keys.add(node.group(3));
        String id = node.group(3).replaceFirst("^\\w+/", "").replaceFirst("@.*", "");
        assertThat(URLDecoder.decode(id.replaceFirst("~\\d+$", ""), StandardCharsets.UTF_8))
            .as("key, seed %d", seed)
            .isEqualTo(
                graph
                    .elements()
                    .get(Integer.parseInt(node.group(1)))
                    .id()
                    .replaceFirst("~\\d+$", ""));
      } else if (link.matches()) {
        found.add(link.group(1) + " " + link.group(3) + " " + link.group(2));
      }
    }
    assertThat(nodes).as("nodes of dot, seed %d", seed).isEqualTo(wanted);
    assertThat(found).as("links of dot, seed %d", seed).isEqualTo(links);
    assertThat(keys).as("keys, seed %d", seed).hasSameSizeAs(wanted.keySet());
  }

  private static List<String> ofEscapeString(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && text.charAt(i + 1) == 'n') {
        lines.add(line.toString());
        line.setLength(0);
        i++;
      } else {
        line.append(c == '\\' ? text.charAt(++i) : c);
      }
    }
    lines.add(line.toString());
    // An ampersand stands in an entity only, and this is the only one that is written.
    lines.replaceAll(
        each -> {
          assertThat(each).doesNotContainPattern("&(?!amp;)");
          return each.replace("&amp;", "&");
        });
    return lines;
  }

  private static void checkMermaid(
      String text, Map<Integer, List<String>> wanted, List<String> links, long seed) {
    Map<Integer, List<String>> nodes = new TreeMap<>();
    List<String> found = new ArrayList<>();
    for (String line : text.split("\n")) {
      Matcher node = MERMAID_NODE.matcher(line);
      Matcher link = MERMAID_LINK.matcher(line);
      if (node.matches()) {
        List<String> lines = new ArrayList<>();
        for (String each : node.group(2).split("<br/>", -1)) {
          assertThat(each).as("seed %d", seed).doesNotContain("<", "&", "`", "%", "[", "|");
          lines.add(
              ENTITY
                  .matcher(each)
                  .replaceAll(
                      match ->
                          Matcher.quoteReplacement(
                              Character.toString(Integer.parseInt(match.group(1))))));
        }
        nodes.put(Integer.valueOf(node.group(1)), lines);
      } else if (link.matches()) {
        found.add(link.group(1) + " " + link.group(2) + " " + link.group(3));
      }
    }
    assertThat(nodes).as("nodes of mermaid, seed %d", seed).isEqualTo(wanted);
    assertThat(found).as("links of mermaid, seed %d", seed).isEqualTo(links);
  }
}
