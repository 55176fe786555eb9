package io.graphmeta.bench.search;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.engine.ScratchDirectory;
import io.graphmeta.bench.report.Effort;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.AttributeIndex.Candidates;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.IndexedVersion;
import io.graphmeta.search.lucene.LuceneIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Files of a centre, whose size changes and some of whose owners do: live versions are indexed in
 * the order of their stamps, published each {@code --publish-each} versions and committed at the
 * end. Then questions are asked as of now and as of the middle, with a limit above all answers. The
 * bytes are those of all files after the commit.
 */
public final class AttributeIndexBenchmark {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "versions", "200000",
          "publish-each", "10000",
          "questions", "5000",
          "warmups", "1000",
          "seed", "1",
          "directory", System.getProperty("java.io.tmpdir"));
  private static final int VERSIONS_PER_FILE = 5;
  private static final int OWNERS = 500;
  private static final long MAX_SIZE_BYTES = 1L << 40;
  private static final int MOST = 1_000_000;

  private static final IndexDefinition NAME =
      definition(1, "file.path", IndexKind.EXACT, IndexKind.FRAGMENT);
  private static final IndexDefinition SIZE = definition(2, "file.size", IndexKind.RANGE);
  private static final IndexDefinition OWNER = definition(3, "file.owner", IndexKind.EXACT);

  private final SplittableRandom random;
  private final int files;
  private final Figures figures = new Figures();
  private long stamp = 1;

  private AttributeIndexBenchmark(Arguments arguments) {
    random = new SplittableRandom(arguments.number("seed"));
    files = Math.max(1, arguments.number("versions") / VERSIONS_PER_FILE);
  }

  private static IndexDefinition definition(int number, String name, IndexKind... kinds) {
    return new IndexDefinition(number, name, ElementKind.VERTEX, 1, number, Set.of(kinds));
  }

  /** Runs it and prints a table. */
  public static void main(String[] given) throws IOException {
    Arguments arguments = Arguments.parse(given, DEFAULTS);
    try (ScratchDirectory scratch = new ScratchDirectory(Path.of(arguments.text("directory")));
        LuceneIndex index = LuceneIndex.open(scratch.path())) {
      new AttributeIndexBenchmark(arguments).run(index, arguments);
    }
  }

  private void run(AttributeIndex index, Arguments arguments) {
    int versions = index(index, arguments.number("publish-each"));
    AttributeIndex.IndexSizes sizes = index.sizes();
    figures.add("bytes per version", "Lucene", (double) sizes.bytesOnDisk() / versions);
    for (int warmup = 1; warmup >= 0; warmup--) {
      int questions = arguments.number(warmup == 1 ? "warmups" : "questions");
      ReadView now = ReadView.at(stamp);
      ReadView middle = ReadView.at(stamp / 2);
      SortedMap<String, IntFunction<IndexClause>> asked = new TreeMap<>(questions());
      for (Map.Entry<String, IntFunction<IndexClause>> each : asked.entrySet()) {
        String name = each.getKey();
        IntFunction<IndexClause> question = each.getValue();
        ask(index, name + ", now", question, now, questions, warmup == 0);
        ask(index, name + ", as of the middle", question, middle, questions, warmup == 0);
      }
    }
    System.out.println(arguments);
    System.out.println(versions + " versions, of which open " + sizes.current());
    System.out.println(figures.table());
  }

  private int index(AttributeIndex index, int publishEach) {
    long[] sizeStamps = new long[files];
    long[] sizeBytes = new long[files];
    int versions = 0;
    Effort effort = new Effort();
    for (int round = 0; round < VERSIONS_PER_FILE - 2; round++) {
      for (int file = 0; file < files; file++) {
        stamp++;
        if (round == 0) {
          index.put(open(NAME, file, path(file)));
          index.put(open(OWNER, file, owner(file)));
          versions += 2;
        } else {
          index.put(version(SIZE, file, sizeStamps[file], sizeBytes[file], stamp));
        }
        sizeStamps[file] = stamp;
        sizeBytes[file] = random.nextLong(MAX_SIZE_BYTES);
        index.put(open(SIZE, file, sizeBytes[file]));
        versions++;
        if (file % publishEach == 0) {
          index.publish(stamp);
        }
      }
    }
    index.publish(stamp);
    index.commit(List.of());
    effort.addTo(figures, "index", "version", "Lucene", versions);
    return versions;
  }

  private static String path(int file) {
    return "/gpfs/projects/climate"
        + file % 37
        + "/user"
        + owner(file)
        + "/run-2026-"
        + file / 1000
        + "/output/member_"
        + Integer.toHexString(file * 0x9E3779B1)
        + "/tas_day_"
        + file
        + ".nc";
  }

  private static String owner(int file) {
    return "u" + Integer.toUnsignedLong(file * 0x9E3779B1) % OWNERS;
  }

  private IndexedVersion open(IndexDefinition definition, int file, Object value) {
    return version(definition, file, stamp, value, IndexedVersion.OPEN);
  }

  private static IndexedVersion version(
      IndexDefinition definition, int file, long from, Object value, long to) {
    byte[] element = ByteBuffer.allocate(Long.BYTES).putLong((long) file << 16).array();
    return new IndexedVersion(definition, element, 0, from, from, value, to, to);
  }

  private Map<String, IntFunction<IndexClause>> questions() {
    IntFunction<IndexClause> owner = file -> compare(OWNER, Comparison.EQUAL, owner(file));
    IntFunction<IndexClause> large =
        file -> compare(SIZE, Comparison.GREATER, MAX_SIZE_BYTES - MAX_SIZE_BYTES / 100);
    return Map.of(
        "path",
        file -> compare(NAME, Comparison.EQUAL, path(file)),
        "prefix of paths",
        file ->
            text(TextRelation.STARTS_WITH, path(file).substring(0, path(file).indexOf("/output"))),
        "fragment of paths",
        file -> text(TextRelation.CONTAINS, "tas_day_" + file),
        "owner",
        owner,
        "largest 1 %",
        large,
        "owner and largest 1 %",
        file -> new IndexClause.And(List.of(owner.apply(file), large.apply(file))));
  }

  private static IndexClause compare(
      IndexDefinition definition, Comparison comparison, Object operand) {
    return new IndexClause.Test(definition, new ValueTest.Compare(comparison, operand));
  }

  private static IndexClause text(TextRelation relation, String operand) {
    return new IndexClause.Test(NAME, new ValueTest.Text(relation, operand));
  }

  private void ask(
      AttributeIndex index,
      String name,
      IntFunction<IndexClause> question,
      ReadView view,
      int questions,
      boolean counts) {
    long candidates = 0;
    Effort effort = new Effort();
    for (int i = 0; i < questions; i++) {
      Candidates found = index.find(question.apply(random.nextInt(files)), ViewSpan.of(view), MOST);
      candidates += found == null ? 0 : found.vertices().length;
    }
    if (counts) {
      effort.addTo(figures, name, "question", "Lucene", questions);
      figures.add(name + ": candidates", "Lucene", (double) candidates / questions);
    }
  }
}
