package io.graphmeta.server.ingest.shell;

import io.graphmeta.server.ingest.shell.Disk.Content;
import io.graphmeta.server.ingest.shell.Disk.Label;
import io.graphmeta.server.ingest.shell.Disk.Read;
import io.graphmeta.server.ingest.shell.Disk.Run;
import io.graphmeta.server.ingest.shell.Disk.Version;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What truly rests on what: versions on what their writers had read when they wrote last, renamed
 * files on what they held under the old name.
 */
final class Truth {
  /**
   * That one version rests on another.
   *
   * @param must whether bytes of the older were there
   * @param sizesTell whether the record shows by sizes that the older was not overwritten
   */
  record Step(Version from, Version to, boolean must, boolean sizesTell) {}

  private final Map<Version, List<Step>> backward = new HashMap<>();
  private final Map<Version, List<Step>> forward = new HashMap<>();

  private final List<Version> versions;

  Truth(Disk disk) {
    versions = disk.versions;
    for (Version version : disk.versions) {
      if (version.taken != null) {
        add(version, version.taken, false, true);
        continue;
      }
      if (version.before != null) {
        add(version, version.before, false, false);
      }
      for (Read read : version.writer.reads) {
        if (read.atMicros() <= version.lastMicros) {
          add(version, read.content(), read.counted(), true);
        } else if (!version.counted) {
          // Without counted bytes nobody knows when the last was written.
          add(version, read.content(), read.counted(), false);
        }
      }
    }
  }

  private void add(Version version, Content content, boolean counted, boolean must) {
    for (Version older : content.may()) {
      boolean held = must && content.must().contains(older);
      Step step = new Step(version, older, held, counted && held && sizesTell(content, older));
      backward.computeIfAbsent(version, key -> new ArrayList<>()).add(step);
      forward.computeIfAbsent(older, key -> new ArrayList<>()).add(step);
    }
  }

  /**
   * Whether sizes tell that a version was kept by those written after it: all bytes of those are
   * counted, there are some, and none of their processes wrote more to the file at other times.
   */
  private boolean sizesTell(Content content, Version version) {
    Set<Label> later = labels(content.after(version));
    return content.after(version).stream().allMatch(each -> each.counted)
        && content.must().containsAll(content.may())
        && versions.stream()
            .filter(each -> later.contains(each.label))
            .allMatch(content.must()::contains);
  }

  /**
   * Whether the sizes of all that a file held are recorded: each version is one opening of a
   * process with all its bytes counted.
   */
  boolean isAccountedFor(Content content) {
    Set<Label> labels = labels(content.must());
    return !content.must().isEmpty()
        && content.must().containsAll(content.may())
        && content.must().stream().allMatch(version -> version.counted)
        && versions.stream().filter(each -> labels.contains(each.label)).count()
            == content.must().size();
  }

  List<Step> steps(Version version, boolean back) {
    return (back ? backward : forward).getOrDefault(version, List.of());
  }

  /** All that versions rest on, or that rests on them, with themselves. */
  Set<Version> closure(Collection<Version> start, boolean back, boolean must) {
    Set<Version> closure = new LinkedHashSet<>(start);
    List<Version> open = new ArrayList<>(closure);
    while (!open.isEmpty()) {
      for (Step step : steps(open.remove(open.size() - 1), back)) {
        Version next = back ? step.to() : step.from();
        if ((step.must() || !must) && closure.add(next)) {
          open.add(next);
        }
      }
    }
    return closure;
  }

  static Set<Label> labels(Collection<Version> versions) {
    Set<Label> labels = new LinkedHashSet<>();
    versions.forEach(version -> labels.add(version.label));
    return labels;
  }

  /** The processes that wrote versions, and those in whose logs the writing stands. */
  static Set<Long> processes(Collection<Version> versions) {
    Set<Long> pids = new LinkedHashSet<>();
    for (Version version : versions) {
      pids.add(version.writer.pid);
      pids.add(version.label.pid());
    }
    return pids;
  }

  static boolean wrote(Run run, Version version) {
    return version.writer == run;
  }
}
