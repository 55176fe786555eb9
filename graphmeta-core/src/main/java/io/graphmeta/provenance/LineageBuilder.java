package io.graphmeta.provenance;

import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the elements of a lineage, each once, and stops at a limit. Used by one thread. */
final class LineageBuilder {
  /** Position of an element that a limit forbids to add. */
  static final int NONE = -1;

  /** What makes an element one: a vertex, and for files and executables the version. */
  private record Identity(long vertex, Object version) {}

  private static final class Draft {
    final Identity identity;
    final int parent;
    final int depth;
    final String relation;
    final EnumSet<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    @Nullable Access write;
    boolean isVersion;

    Draft(Identity identity, int parent, int depth, String relation) {
      this.identity = identity;
      this.parent = parent;
      this.depth = depth;
      this.relation = relation;
    }
  }

  private final RecordSource source;
  private final LineageLimits limits;
  private final List<Draft> drafts = new ArrayList<>();
  private final Map<Identity, Integer> positions = new HashMap<>();
  private final Set<Lineage.Link> links = new LinkedHashSet<>();
  private boolean partial;
  private boolean outOfTime;

  LineageBuilder(RecordSource source, LineageLimits limits) {
    this.source = source;
    this.limits = limits;
  }

  /** Position of an element without versions, added if it is new. */
  int add(int parent, String relation, long vertex, Set<Doubt> doubts) {
    return add(new Identity(vertex, ""), parent, relation, doubts);
  }

  /**
   * Position of a version of a file, added if it is new; null is the content before the first
   * write.
   */
  int addVersion(
      int parent, String relation, long file, @Nullable Access write, Set<Doubt> doubts) {
    int position = add(versionIdentity(file, write), parent, relation, doubts);
    if (position != NONE && !drafts.get(position).isVersion) {
      drafts.get(position).write = write;
      drafts.get(position).isVersion = true;
    }
    return position;
  }

  /** Position of an executable in the build that a process ran, added if it is new. */
  int addExecutable(int parent, long executable, List<RecordRules.Met> builds, Set<Doubt> doubts) {
    List<Object> versions = new ArrayList<>();
    @Nullable Access newest = null;
    for (RecordRules.Met build : builds) {
      Access write = build.write();
      versions.add(write == null ? "" : write.edge());
      newest = newest == null ? write : newest;
    }
    int position = add(new Identity(executable, versions), parent, Vocabulary.EXE, doubts);
    if (position != NONE) {
      drafts.get(position).write = newest;
    }
    return position;
  }

  /** Whether a version is an element already. */
  boolean hasVersion(long file, @Nullable Access write) {
    return positions.containsKey(versionIdentity(file, write));
  }

  private static Identity versionIdentity(long file, @Nullable Access write) {
    return new Identity(file, write == null ? "" : write.edge());
  }

  private int add(Identity identity, int parent, String relation, Set<Doubt> doubts) {
    Integer known = positions.get(identity);
    if (known == null) {
      int depth = parent < 0 ? 0 : drafts.get(parent).depth + 1;
      if (depth > limits.maxDepth() || drafts.size() >= limits.maxElements()) {
        partial = true;
        return NONE;
      }
      known = drafts.size();
      drafts.add(new Draft(identity, parent, depth, relation));
      positions.put(identity, known);
    }
    if (parent >= 0 && parent != known) {
      links.add(new Lineage.Link(parent, known, relation));
    }
    drafts.get(known).doubts.addAll(doubts);
    return known;
  }

  /** How many elements can still be added. */
  int room() {
    return limits.maxElements() - drafts.size();
  }

  /** Whether elements are left out since there is no room for them. */
  boolean isFull() {
    return partial && room() <= 0;
  }

  /** Notes that elements are left out for want of time. */
  void markOutOfTime() {
    partial = true;
    outOfTime = true;
  }

  /** Notes that elements are left out. */
  void markPartial() {
    partial = true;
  }

  Lineage build() {
    Set<Long> vertices = new LinkedHashSet<>();
    for (Draft draft : drafts) {
      vertices.add(draft.identity.vertex());
      if (draft.write != null) {
        vertices.add(draft.write.process());
      }
    }
    source.loadVertices(vertices);
    List<LineageNode> nodes = new ArrayList<>(drafts.size());
    for (int i = 0; i < drafts.size(); i++) {
      nodes.add(node(i, drafts.get(i)));
    }
    return new Lineage(nodes, List.copyOf(links), partial, outOfTime);
  }

  private LineageNode node(int position, Draft draft) {
    VertexRecord vertex = source.vertex(draft.identity.vertex());
    Access write = draft.write;
    boolean isFile = draft.isVersion;
    LineageNode.@Nullable Fate fate = null;
    if (isFile) {
      // Told from all that the search has read on the file, which can be more than at first.
      FileCard card = source.file(draft.identity.vertex());
      fate = card.fateOf(write);
      if (write != null) {
        draft.doubts.addAll(RecordRules.doubtsOf(write, card.hasEarlier(write)));
      }
    }
    long start = write != null ? write.startMicros() : Stamp.micros(vertex.validStamp());
    long end =
        write != null
            ? write.endMicros()
            : isFile ? 0 : RecordedValues.micros(vertex.value(Vocabulary.END));
    if (vertex.label().equals(Vocabulary.PROCESS) && end == 0) {
      draft.doubts.add(Doubt.END_NOT_RECORDED);
    }
    if (Vocabulary.isFileByHash(vertex.id())) {
      draft.doubts.add(Doubt.PATH_BY_HASH);
    }
    return new LineageNode(
        position,
        draft.parent,
        vertex.id(),
        vertex.label(),
        RecordedValues.description(vertex),
        start,
        end,
        draft.depth,
        draft.relation,
        Collections.unmodifiableSet(draft.doubts),
        isFile && write != null ? source.vertex(write.process()).id() : null,
        source.seenAtStamp(vertex.key()),
        fate);
  }
}
