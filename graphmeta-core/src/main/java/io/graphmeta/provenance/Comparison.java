package io.graphmeta.provenance;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tells in what two runs differ, or elements at two times: files that were read and the versions of
 * them, programs and their builds, command lines, properties. Time is respected as in {@link
 * Provenance}: the same path with another version is another input. Used by the thread of the
 * transaction.
 */
public final class Comparison {
  /** How many lines are looked at for the one most like another. */
  private static final int MAX_CANDIDATES = 100;

  private final GraphTransaction tx;
  private final LineageLimits limits;

  /**
   * Comparisons in a transaction.
   *
   * @param limits those of lineages that are compared
   */
  public Comparison(GraphTransaction tx, LineageLimits limits) {
    this.tx = tx;
    this.limits = limits;
  }

  /**
   * In what two jobs, or two processes, differ. What a run wrote itself and read again is no input.
   * Of runs that cannot be read within the time that the limits allow only properties are compared,
   * since of a part of them nobody can tell whether the other has it too.
   *
   * @throws GraphMetaException {@code NOT_FOUND} if the view has no such vertex, {@code
   *     INVALID_ARGUMENT} if they are not both jobs or both processes
   */
  public Differences ofRuns(String before, String after, ReadView view) {
    SearchTime time = limits.begin();
    RunFacts first = RunFacts.ofRun(tx, view, before, time.half());
    RunFacts second = RunFacts.ofRun(tx, view, after, time);
    String firstLabel = label(before, view);
    String secondLabel = label(after, view);
    if (!firstLabel.equals(secondLabel)) {
      throw GraphMetaException.invalid(
          "'"
              + before
              + "' is a "
              + firstLabel
              + " and '"
              + after
              + "' a "
              + secondLabel
              + "; expected two jobs or two processes");
    }
    List<Difference> found = new ArrayList<>();
    boolean whole = first.isWhole() && second.isWhole();
    if (whole) {
      compare("", first, second, found);
    }
    compareProperties(
        "", Difference.Aspect.PARAMETER, "", first.parameters, second.parameters, found);
    return new Differences(found, !whole);
  }

  private String label(String id, ReadView view) {
    return Objects.requireNonNull(tx.verticesById(List.of(id), view).get(0)).label();
  }

  /**
   * In what that differs which two elements rest on: all files, programs and command lines of their
   * lineages.
   *
   * @throws GraphMetaException as {@link Provenance#backward(String)}
   */
  public Differences ofLineages(String before, String after, ReadView view) {
    return ofLineages("", before, view, after, view);
  }

  private Differences ofLineages(
      String of, String before, ReadView beforeView, String after, ReadView afterView) {
    Lineage first = new Provenance(tx, beforeView, limits).backward(before);
    Lineage second = new Provenance(tx, afterView, limits).backward(after);
    List<Difference> found = new ArrayList<>();
    compare(of, RunFacts.ofLineage(first), RunFacts.ofLineage(second), found);
    return new Differences(found, first.partial() || second.partial());
  }

  /**
   * In what elements differ between two views: whether they exist, their properties, the newest
   * version of a file, and what a job or process used.
   *
   * @param ids ids of vertices or edges
   * @throws GraphMetaException {@code NOT_FOUND} for an id that neither view has
   */
  public Differences ofTimes(Collection<String> ids, ReadView before, ReadView after) {
    List<String> all = List.copyOf(ids);
    List<@Nullable VertexRecord> first = tx.verticesById(all, before);
    List<@Nullable VertexRecord> second = tx.verticesById(all, after);
    List<Difference> found = new ArrayList<>();
    List<String> edges = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (first.get(i) == null && second.get(i) == null) {
        edges.add(all.get(i));
      } else {
        vertexAtTimes(all.get(i), first.get(i), before, second.get(i), after, found);
      }
    }
    edgesAtTimes(edges, before, after, found);
    return new Differences(found, false);
  }

  /**
   * In what that differs which elements rest on in two views.
   *
   * @throws GraphMetaException as {@link Provenance#backward(String)}
   */
  public Differences ofLineagesAtTimes(Collection<String> ids, ReadView before, ReadView after) {
    List<Difference> found = new ArrayList<>();
    boolean partial = false;
    for (String id : ids) {
      Differences one = ofLineages(id, id, before, id, after);
      found.addAll(one.all());
      partial |= one.partial();
    }
    return new Differences(found, partial);
  }

  private void vertexAtTimes(
      String id,
      @Nullable VertexRecord first,
      ReadView before,
      @Nullable VertexRecord second,
      ReadView after,
      List<Difference> found) {
    if (first == null || second == null || !first.label().equals(second.label())) {
      found.add(
          Difference.ofValues(
              id,
              Difference.Aspect.ELEMENT,
              id,
              "",
              first == null ? null : first.label(),
              second == null ? null : second.label()));
      return;
    }
    if (first.label().equals(Vocabulary.FILE)) {
      List<FileVersion> was = newest(first.key(), before);
      List<FileVersion> is = newest(second.key(), after);
      if (!was.equals(is)) {
        found.add(
            new Difference(
                id,
                Difference.Aspect.VERSION,
                Difference.Change.CHANGED,
                id,
                "",
                null,
                null,
                was,
                is,
                Set.of()));
      }
    } else if (RunFacts.isRun(first)) {
      SearchTime time = SearchTime.UNLIMITED;
      compare(id, RunFacts.ofRun(tx, before, id, time), RunFacts.ofRun(tx, after, id, time), found);
    }
    compareProperties(
        id,
        Difference.Aspect.PROPERTY,
        id,
        RunFacts.properties(first.properties()),
        RunFacts.properties(second.properties()),
        found);
  }

  private List<FileVersion> newest(long file, ReadView view) {
    RecordSource source = new RecordSource(tx, view, false);
    source.loadFiles(List.of(file));
    Access write = source.file(file).newestAt(Stamp.micros(view.validAt()));
    return List.of(
        write == null
            ? FileVersion.INITIAL
            : new FileVersion(write.startMicros(), source.vertex(write.process()).id()));
  }

  private void edgesAtTimes(
      List<String> ids, ReadView before, ReadView after, List<Difference> found) {
    if (ids.isEmpty()) {
      return;
    }
    List<@Nullable EdgeRecord> first = tx.edgesById(ids, before);
    List<@Nullable EdgeRecord> second = tx.edgesById(ids, after);
    for (int i = 0; i < ids.size(); i++) {
      String id = ids.get(i);
      EdgeRecord was = first.get(i);
      EdgeRecord is = second.get(i);
      if (was != null && is != null) {
        compareProperties(
            id,
            Difference.Aspect.PROPERTY,
            id,
            RunFacts.properties(was.properties()),
            RunFacts.properties(is.properties()),
            found);
      } else if (was == null && is == null) {
        throw new GraphMetaException(
            ErrorCode.NOT_FOUND,
            "Nothing with the id '"
                + id
                + "' at "
                + Stamp.format(before.validAt())
                + " or "
                + Stamp.format(after.validAt())
                + "; expected the id of a vertex or edge, for a file its absolute path");
      } else {
        found.add(
            Difference.ofValues(
                id,
                Difference.Aspect.ELEMENT,
                id,
                "",
                was == null ? null : was.label(),
                is == null ? null : is.label()));
      }
    }
  }

  private static void compare(String of, RunFacts first, RunFacts second, List<Difference> found) {
    compareUses(of, Difference.Aspect.INPUT, first.inputs, second.inputs, found);
    compareUses(of, Difference.Aspect.EXECUTABLE, first.executables, second.executables, found);
    Set<String> executables = new TreeSet<>(first.commandLines.keySet());
    executables.addAll(second.commandLines.keySet());
    for (String executable : executables) {
      List<String> was = first.commandLines.getOrDefault(executable, List.of());
      List<String> is = second.commandLines.getOrDefault(executable, List.of());
      compareCommandLines(of, executable, was, is, found);
    }
  }

  private static void compareUses(
      String of,
      Difference.Aspect aspect,
      SortedMap<String, RunFacts.Use> first,
      SortedMap<String, RunFacts.Use> second,
      List<Difference> found) {
    Set<String> ids = new TreeSet<>(first.keySet());
    ids.addAll(second.keySet());
    for (String id : ids) {
      RunFacts.Use was = first.get(id);
      RunFacts.Use is = second.get(id);
      if (was != null && is != null && was.versions.equals(is.versions)) {
        continue;
      }
      Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
      doubts.addAll(was == null ? Set.of() : was.doubts);
      doubts.addAll(is == null ? Set.of() : is.doubts);
      Difference.Change change =
          was == null
              ? Difference.Change.ADDED
              : is == null ? Difference.Change.REMOVED : Difference.Change.CHANGED;
      found.add(
          new Difference(
              of,
              aspect,
              change,
              id,
              "",
              null,
              null,
              was == null ? List.of() : was.newestFirst(),
              is == null ? List.of() : is.newestFirst(),
              doubts));
    }
  }

  /** Leaves out the lines that both have, and sets the others beside those most like them. */
  private static void compareCommandLines(
      String of, String executable, List<String> was, List<String> is, List<Difference> found) {
    List<String> onlyFirst = new ArrayList<>(was);
    List<String> onlySecond = new ArrayList<>();
    for (String line : is) {
      if (!onlyFirst.remove(line)) {
        onlySecond.add(line);
      }
    }
    for (String line : onlyFirst) {
      found.add(commandLine(of, executable, line, takeMostAlike(line, onlySecond)));
    }
    onlySecond.forEach(line -> found.add(commandLine(of, executable, null, line)));
  }

  private static Difference commandLine(
      String of, String executable, @Nullable String before, @Nullable String after) {
    return Difference.ofValues(
        of, Difference.Aspect.PARAMETER, executable, Vocabulary.COMMAND_LINE, before, after);
  }

  /** Removes from some lines the one that shares most words with another; null if none is left. */
  private static @Nullable String takeMostAlike(String line, List<String> candidates) {
    Set<String> words = new TreeSet<>(List.of(line.split(" +")));
    int best = -1;
    long mostShared = -1;
    for (int i = 0; i < Math.min(candidates.size(), MAX_CANDIDATES); i++) {
      long shared = List.of(candidates.get(i).split(" +")).stream().filter(words::contains).count();
      if (shared > mostShared) {
        best = i;
        mostShared = shared;
      }
    }
    return best < 0 ? null : candidates.remove(best);
  }

  private static void compareProperties(
      String of,
      Difference.Aspect aspect,
      String id,
      Map<String, Object> first,
      Map<String, Object> second,
      List<Difference> found) {
    Map<String, Object> both = new TreeMap<>(first);
    both.putAll(second);
    for (String key : both.keySet()) {
      Object was = first.get(key);
      Object is = second.get(key);
      if (!Objects.equals(was, is)) {
        found.add(Difference.ofValues(of, aspect, id, key, was, is));
      }
    }
  }
}
