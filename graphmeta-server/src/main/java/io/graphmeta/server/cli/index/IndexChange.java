package io.graphmeta.server.cli.index;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.connection.Answer;
import io.graphmeta.server.cli.connection.AskedGraph;
import io.graphmeta.server.cli.connection.GraphQuestion;
import io.graphmeta.server.cli.connection.ViewOptions;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that changes one index. */
abstract class IndexChange extends GraphQuestion {
  private static final long PAUSE_MILLIS = 200;

  @Parameters(
      paramLabel = "NAME",
      description =
          "The index: LABEL.KEY, such as file.name or wrote.bytes, or LABEL.id for the ids of vertices.")
  private String name;

  @Option(
      names = "--json",
      description = "One JSON object, with the fields of the service graphmeta.index.")
  private boolean json;

  /** What the service is to do. */
  abstract String action();

  /** What can be asked of an index that is created; null for the default, and with all else. */
  @Nullable String kinds() {
    return null;
  }

  /** What an index that is created is over; null for what has the label, and with all else. */
  @Nullable String element() {
    return null;
  }

  /** Whether to wait until all shards have built it. */
  boolean waits() {
    return false;
  }

  /** What to tell of what was done. */
  abstract String done(Answer index);

  @Override
  public final Integer call() throws IOException {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("do", action());
    parameters.put("name", name);
    String kinds = kinds();
    if (kinds != null) {
      parameters.put("kind", kinds);
    }
    String element = element();
    if (element != null) {
      parameters.put("element", element);
    }
    Answer changed;
    try (AskedGraph graph = open(true)) {
      changed = new Answer(graph.callToWrite(IndexText.SERVICE, parameters).get(0));
      if (waits()) {
        changed = awaitBuilt(graph);
      }
    }
    if (json) {
      JsonLines.printAnswer(out(), changed.fields());
      return 0;
    }
    out().println(done(changed));
    List<?> defined = changed.list("defined");
    if (!defined.isEmpty()) {
      err()
          .println(
              "No vertex has had "
                  + String.join(" or ", defined.stream().map(each -> "'" + each + "'").toList())
                  + " as its label or property so far; is it what you meant?");
    }
    return 0;
  }

  /** Asks until all shards have built it. */
  private Answer awaitBuilt(AskedGraph graph) {
    String after =
        "the index is there, and the shards go on building it: see 'graphmeta index list'";
    try (Progress progress = Terminal.detect(spec).progress(err(), "Vertices indexed:", 0, after)) {
      while (true) {
        Answer index = asked(graph);
        if (IndexText.isBuilt(index)) {
          return index;
        }
        for (Answer shard : index.maps("shards")) {
          if (!shard.text("fault").isEmpty()) {
            throw new GraphMetaException(
                ErrorCode.STORAGE_FAILURE,
                "Shard "
                    + shard.number("shard")
                    + " cannot build the index '"
                    + name
                    + "': "
                    + shard.text("fault"));
          }
        }
        progress.update(IndexText.elements(index));
        pause();
      }
    }
  }

  private Answer asked(AskedGraph graph) {
    List<Map<String, Object>> found =
        graph.call(new ViewOptions(), IndexText.SERVICE, Map.of("name", name));
    if (found.isEmpty()) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "Another client dropped the index '" + name + "' while it was built; create it again");
    }
    return new Answer(found.get(0));
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GraphMetaException(
          ErrorCode.CANCELLED, "The command was interrupted while it waited for the index", e);
    }
  }

  /** How far an index is that was asked to be built. */
  final String howFar(Answer index) {
    return waits()
        ? "it is built on " + index.maps("shards").size() + " shards"
        : "shards build it while they are up ('graphmeta index list' tells how far, --wait waits)";
  }
}
