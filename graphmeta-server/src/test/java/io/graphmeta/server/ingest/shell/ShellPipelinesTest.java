package io.graphmeta.server.ingest.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.server.ingest.DarshanIngest;
import io.graphmeta.server.ingest.ProcessGranularity;
import io.graphmeta.server.ingest.shell.Disk.Content;
import io.graphmeta.server.ingest.shell.Disk.Label;
import io.graphmeta.server.ingest.shell.ShellCampaign.Round;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random shell pipelines, recorded as Darshan would and loaded by the loader, asked for what each
 * file rests on and for what rests on it, at many moments. No answer may be wrong without a mark,
 * and none may hold what sizes or removals rule out.
 *
 * <p>{@code -Dgraphmeta.sequences=N} plays that many campaigns, from {@code -Dgraphmeta.first-seed}
 * on; {@code -Dgraphmeta.seed=S} plays one again.
 */
class ShellPipelinesTest {
  private static final int CAMPAIGNS = Integer.getInteger("graphmeta.sequences", 60);

  @TempDir Path directory;

  @Test
  void no_answer_is_wrong_without_a_mark() throws IOException {
    Long one = Long.getLong("graphmeta.seed");
    long first = one == null ? Long.getLong("graphmeta.first-seed", 1) : one;
    Tally tally = new Tally();
    for (long seed = first; seed < first + (one == null ? CAMPAIGNS : 1); seed++) {
      play(seed, tally);
    }
    assertThat(tally.wrong()).as("%s", tally).isEmpty();
    if (one == null) {
      marksAreFew(tally);
    }
  }

  /** Marking everything would be no way out: most answers are exact, many are without any mark. */
  private static void marksAreFew(Tally tally) {
    Tally.Count back = tally.of("backward");
    Tally.Count forth = tally.of("forward");
    Tally.Count plainBack = tally.of("backward model");
    assertThat(back.share(back.exact())).as("%s", tally).isGreaterThan(0.3);
    assertThat(forth.share(forth.exact())).as("%s", tally).isGreaterThan(0.4);
    assertThat(plainBack.share(plainBack.plain())).as("%s", tally).isGreaterThan(0.25);
  }

  private void play(long seed, Tally tally) throws IOException {
    Path logs = Files.createDirectories(directory.resolve(Long.toString(seed)));
    ShellCampaign campaign = new ShellCampaign(seed, logs);
    List<Round> rounds = campaign.play();
    Truth truth = new Truth(campaign.disk());
    Random random = new Random(seed);
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      DarshanIngest ingest = new DarshanIngest(database, ProcessGranularity.JOB);
      Map<ReadView, Map<String, List<LineageNode>>> known = new HashMap<>();
      for (Round round : rounds) {
        List<Path> shuffled = new ArrayList<>(round.logs());
        Collections.shuffle(shuffled, random);
        for (Path log : shuffled) {
          ingest.load(log);
        }
        try (GraphTransaction tx = database.begin()) {
          Map<String, List<LineageNode>> then = new HashMap<>();
          Provenance now = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
          for (String path : round.contents().keySet()) {
            if (exists(tx, path)) {
              then.put(path, now.backward(path).nodes());
            }
          }
          known.put(new ReadView(tx.snapshot().validAt(), tx.snapshot().knownAt()), then);
        }
      }
      try (GraphTransaction tx = database.begin()) {
        Answers answers = new Answers(campaign, truth, pids(tx), seed, tally);
        for (Round round : rounds) {
          ReadView then =
              new ReadView(Stamp.endOfMicros(round.atMicros()), tx.snapshot().knownAt());
          Provenance past = new Provenance(tx, then, LineageLimits.DEFAULT);
          Provenance now = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
          for (Map.Entry<String, Content> file : round.contents().entrySet()) {
            Lineage lineage = past.backward(file.getKey());
            answers.backward(lineage, file.getKey(), file.getValue());
            answers.backward(
                now.backward(file.getKey(), then.validAt()), file.getKey(), file.getValue());
            Label newest = answers.label(lineage.root());
            answers.forward(past.forward(file.getKey(), then.validAt()), newest, round.atMicros());
            answers.forward(now.forward(file.getKey(), then.validAt()), newest, Long.MAX_VALUE);
          }
        }
        known.forEach(
            (view, then) ->
                then.forEach(
                    (path, nodes) ->
                        assertThat(
                                new Provenance(tx, view, LineageLimits.DEFAULT)
                                    .backward(path)
                                    .nodes())
                            .as("seed %d, %s as it was known at %s", seed, path, view)
                            .isEqualTo(nodes)));
      }
    }
  }

  private static boolean exists(GraphTransaction tx, String path) {
    return tx.verticesById(List.of(path), tx.snapshot()).get(0) != null;
  }

  private static Map<String, Long> pids(GraphTransaction tx) {
    Map<String, Long> pids = new HashMap<>();
    try (ElementCursor<VertexRecord> processes =
        tx.scanVertices(Set.of(Vocabulary.PROCESS), tx.snapshot())) {
      for (VertexRecord each = processes.next(); each != null; each = processes.next()) {
        pids.put(each.id(), (Long) each.value(Vocabulary.PID));
      }
    }
    return pids;
  }
}
