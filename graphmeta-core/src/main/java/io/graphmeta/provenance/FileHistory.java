package io.graphmeta.provenance;

import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.FileCard.Rename;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells who did what with one file. Used once, by one thread. */
final class FileHistory {
  private final RecordSource source;
  private final long file;
  private final FileCard card;
  private final List<FileEvent> events = new ArrayList<>();

  FileHistory(RecordSource source, long file) {
    this.source = source;
    this.file = file;
    source.loadFiles(List.of(file));
    this.card = source.file(file);
    Set<Long> targets = new LinkedHashSet<>();
    card.renamesAway.forEach(rename -> targets.add(rename.target()));
    source.loadFiles(targets);
    source.loadVertices(card.renamesHere.stream().map(Rename::source).toList());
    Set<Long> processes = new LinkedHashSet<>();
    card.writes.forEach(access -> processes.add(access.process()));
    card.reads.forEach(access -> processes.add(access.process()));
    card.deletions.forEach(access -> processes.add(access.process()));
    targets.forEach(
        target -> source.file(target).writes.forEach(access -> processes.add(access.process())));
    source.loadPrograms(processes);
  }

  /** Versions, renames and deletions, oldest first. */
  List<FileEvent> changes() {
    for (Access write : card.writes) {
      Set<Doubt> doubts = RecordRules.doubtsOf(write, card.hasEarlier(write));
      FileEvent.Kind kind = write.isRename() ? FileEvent.Kind.RENAMED_HERE : FileEvent.Kind.WROTE;
      if (Redirections.isRedirection(source, write, card)) {
        doubts.add(Doubt.SHELL_REDIRECTION);
      }
      add(kind, write, renamedFrom(write), List.of(), doubts, card.fateOf(write));
    }
    for (Access deletion : card.deletions) {
      add(
          FileEvent.Kind.DELETED,
          deletion,
          "",
          List.of(),
          EnumSet.of(Doubt.FROM_COMMAND_LINE),
          null);
    }
    for (Rename rename : card.renamesAway) {
      for (Access write : source.file(rename.target()).writes) {
        if (write.isRename() && source.vertex(write.process()).id().equals(rename.processId())) {
          Set<Doubt> doubts = RecordRules.doubtsOf(write, false);
          add(
              FileEvent.Kind.RENAMED_AWAY,
              write,
              source.vertex(rename.target()).id(),
              List.of(),
              doubts,
              null);
        }
      }
    }
    return sorted();
  }

  /** Reads with the versions they may have met, oldest first. */
  List<FileEvent> reads() {
    for (Access read : card.reads) {
      Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
      List<Long> versions = new ArrayList<>();
      for (RecordRules.Met met : card.met(read)) {
        versions.add(met.write() == null ? 0 : met.write().startMicros());
        doubts.addAll(met.doubts());
      }
      if (read.evidence() == Evidence.OPENED) {
        doubts.add(Doubt.OPENED_ONLY);
      }
      add(FileEvent.Kind.READ, read, "", versions, doubts, null);
    }
    return sorted();
  }

  private List<FileEvent> sorted() {
    events.sort(Comparator.comparingLong(FileEvent::startMicros).thenComparing(FileEvent::process));
    return List.copyOf(events);
  }

  private String renamedFrom(Access write) {
    String process = source.vertex(write.process()).id();
    for (Rename rename : card.renamesHere) {
      if (write.isRename() && rename.processId().equals(process)) {
        return source.vertex(rename.source()).id();
      }
    }
    return "";
  }

  private void add(
      FileEvent.Kind kind,
      Access access,
      String otherFile,
      List<Long> versions,
      Set<Doubt> doubts,
      LineageNode.@Nullable Fate fate) {
    Program program = source.program(access.process());
    VertexRecord process = source.vertex(access.process());
    @Nullable VertexRecord job = program.jobs.isEmpty() ? null : source.vertex(program.jobs.get(0));
    List<Long> users = job == null ? List.of() : source.usersOfJob(job.key());
    @Nullable VertexRecord user = users.isEmpty() ? null : source.vertex(users.get(0));
    events.add(
        new FileEvent(
            kind,
            access.startMicros(),
            access.endMicros(),
            Stamp.micros(access.knownStamp()),
            process.id(),
            RecordedValues.description(process),
            program.executables.isEmpty() ? "" : source.vertex(program.executables.get(0)).id(),
            job == null ? "" : job.id(),
            job == null
                ? ""
                : String.valueOf(Objects.requireNonNullElse(job.value(Vocabulary.NAME), "")),
            user == null
                ? ""
                : String.valueOf(
                    Objects.requireNonNullElse(user.value(Vocabulary.NAME), user.id())),
            access.bytes(),
            access.operations(),
            access.opens(),
            otherFile,
            List.copyOf(versions),
            Collections.unmodifiableSet(doubts),
            fate));
  }
}
