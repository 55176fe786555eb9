package io.graphmeta.server.ingest.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a document of PROV-JSON. Activities are runs; entities files, or versions of the files that
 * they specialize; agents that are associated with activities users. An activity that started
 * others is their job. What PROV tells besides (communication, delegation, attribution, membership,
 * plans) says nothing of files that the graph keeps, and is passed over.
 *
 * <p>The graph orders by time, so a run without any is refused with its document: a start, an end,
 * or the time of what it used or generated has to be there, unless the reader was told when such
 * runs were. Used once.
 */
public final class ProvReader {
  private final String source;
  private final TraceLimits limits;
  private final long untimedMicros;
  private final Map<String, ProvNames.Element> elements = new LinkedHashMap<>();
  private final Map<String, RunDraft> runs = new LinkedHashMap<>();
  private final Map<String, RunDraft.Version> versions = new HashMap<>();
  private final WrittenVersions written = new WrittenVersions(runs);
  private final Map<String, RunDraft> generators = new HashMap<>();
  private final Map<String, String> starters = new HashMap<>();
  private final Map<String, List<String>> users = new HashMap<>();
  private final Map<String, List<String>> storedIn = new HashMap<>();

  private ProvReader(String source, TraceLimits limits, long untimedMicros) {
    this.source = source;
    this.limits = limits;
    this.untimedMicros = untimedMicros;
  }

  /**
   * Reads a document.
   *
   * @param untimedMicros when runs were of which the document tells no time; 0 to refuse these
   * @throws TraceFormatException if it is damaged, of no use, or goes beyond a limit
   * @throws IOException if it cannot be read
   */
  public static List<TracedRun> read(Path file, TraceLimits limits, long untimedMicros)
      throws IOException {
    String source = file.toString();
    byte[] text;
    try (InputStream in = Files.newInputStream(file)) {
      text = in.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, limits.maxDocumentBytes() + 1));
    }
    if (text.length > limits.maxDocumentBytes()) {
      throw new TraceFormatException(
          source,
          "more than "
              + limits.maxDocumentBytes()
              + " bytes; split it into documents, or where it has less than 256 MiB, give Java more"
              + " memory (-Xmx in GRAPHMETA_JAVA_OPTS)");
    }
    try {
      return new ProvReader(source, limits, untimedMicros).read(Json.object(text));
    } catch (TraceFormatException e) {
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      throw new TraceFormatException(source, String.valueOf(e.getMessage()));
    }
  }

  private List<TracedRun> read(JsonNode document) throws IOException {
    List<ProvNames.Scope> scopes = ProvNames.scopes(document);
    for (ProvNames.Scope scope : scopes) {
      scope
          .elements()
          .forEach(element -> elements.merge(element.name(), element, ProvNames.Element::plus));
    }
    for (ProvNames.Scope scope : scopes) {
      structure(scope);
    }
    Set<String> jobs = new HashSet<>(starters.values());
    for (ProvNames.Element element : elements.values()) {
      if (element.kind().equals("activity") && !jobs.contains(element.name())) {
        run(element);
      }
    }
    for (ProvNames.Scope scope : scopes) {
      accesses(scope);
    }
    if (runs.isEmpty()) {
      throw new IOException("no activity in it, expected a document of PROV-JSON with some");
    }
    if (runs.size() > limits.maxRuns()) {
      throw new IOException("more than " + limits.maxRuns() + " activities; split the document");
    }
    written.byThoseNotTold();
    List<TracedRun> result = new ArrayList<>();
    for (RunDraft run : runs.values()) {
      if (run.startMicros == 0) {
        run.happenedAt(untimedMicros);
        requireTime(run);
      }
      result.add(run.finished());
    }
    return result;
  }

  /**
   * What has to be known of all before the runs are told: which entity is which, and who is whose
   * job.
   */
  private void structure(ProvNames.Scope scope) {
    for (ProvNames.Statement each : scope.statements("specializationOf")) {
      ProvNames.Element specific = elements.get(each.name("prov:specificEntity"));
      ProvNames.Element general = elements.get(each.name("prov:generalEntity"));
      if (specific != null && general != null) {
        specific.specializes(general);
      }
    }
    for (ProvNames.Statement each : scope.statements("wasStartedBy")) {
      if (!each.name("prov:starter").isEmpty()) {
        starters.put(each.name("prov:activity"), each.name("prov:starter"));
      }
    }
    for (ProvNames.Statement each : scope.statements("wasAssociatedWith")) {
      users
          .computeIfAbsent(each.name("prov:activity"), key -> new ArrayList<>())
          .add(each.name("prov:agent"));
    }
    for (ProvNames.Statement each : scope.statements("wasDerivedFrom")) {
      String from = each.name("prov:usedEntity");
      String to = each.name("prov:generatedEntity");
      switch (each.ownType()) {
        case "storedIn" ->
            storedIn.computeIfAbsent(to, key -> new ArrayList<>()).add(version(from).file);
        case "renamedFrom" -> version(to).renamedFrom.add(version(from).file);
        case "prov:Revision" -> version(to).continues = true;
        default -> {}
      }
    }
  }

  private RunDraft run(ProvNames.Element element) {
    RunDraft run = runs.computeIfAbsent(element.id("run:"), RunDraft::new);
    run.commandLine = element.label();
    long start = element.time("prov:startTime");
    long end = element.time("prov:endTime");
    if (start > 0 || end > 0) {
      run.happenedAt(start > 0 ? start : end);
      run.endMicros = Math.max(run.endMicros, end);
    }
    String starter = starters.get(element.name());
    List<String> agents = users.getOrDefault(element.name(), List.of());
    if (starter != null) {
      run.job = job(starter);
    } else if (!agents.isEmpty()) {
      run.job =
          new TracedRun.Job("job:" + run.id, element.label(), 0, run.endMicros, users(agents));
    }
    return run;
  }

  private TracedRun.Job job(String name) {
    ProvNames.Element element = ProvNames.element(elements, name, "activity");
    return new TracedRun.Job(
        element.id("job:"),
        element.label(),
        element.time("prov:startTime"),
        element.time("prov:endTime"),
        users(users.getOrDefault(name, List.of())));
  }

  private List<TracedRun.User> users(List<String> agents) {
    List<TracedRun.User> result = new ArrayList<>();
    for (String agent : agents) {
      if (!agent.isEmpty()) {
        ProvNames.Element element = ProvNames.element(elements, agent, "agent");
        result.add(new TracedRun.User(element.id("user:"), element.label()));
      }
    }
    return result;
  }

  private void accesses(ProvNames.Scope scope) {
    for (ProvNames.Statement each : scope.statements("wasGeneratedBy")) {
      String activity = each.name("prov:activity");
      if (!activity.isEmpty()) {
        RunDraft run = runOf(activity);
        RunDraft.Version version = version(each.name("prov:entity"));
        long time = each.time();
        if (time > 0) {
          run.happenedAt(time);
          version.startMicros = version.startMicros == 0 ? time : version.startMicros;
          version.endMicros = Math.max(version.endMicros, version.startMicros);
        }
        written.by(run, version);
        generators.put(each.name("prov:entity"), run);
      }
    }
    for (ProvNames.Statement each : scope.statements("used")) {
      used(each);
    }
    for (ProvNames.Statement each : scope.statements("wasInvalidatedBy")) {
      String activity = each.name("prov:activity");
      if (!activity.isEmpty()) {
        runOf(activity).deleted.add(version(each.name("prov:entity")).file);
      }
    }
    for (ProvNames.Statement each : scope.statements("wasInfluencedBy")) {
      if (each.ownType().equals("redirected")) {
        version(each.name("prov:influencee")).printers.add(runOf(each.name("prov:influencer")));
      }
    }
    scope.statements("wasDerivedFrom").forEach(this::derived);
  }

  /**
   * A derivation says that some activity used the one and generated the other: the one it names, or
   * the one that generated it, or one of which nothing else is told.
   */
  private void derived(ProvNames.Statement derivation) {
    String to = derivation.name("prov:generatedEntity");
    if (!ProvNames.element(elements, to, "entity").text("gm:id").isEmpty()) {
      return;
    }
    String activity = derivation.name("prov:activity");
    RunDraft run = activity.isEmpty() ? generators.get(to) : runOf(activity);
    if (run == null) {
      run = runs.computeIfAbsent("run:derivation of " + to, RunDraft::new);
      run.commandLine = "derivation of " + to;
    }
    run.read(version(derivation.name("prov:usedEntity")));
    written.by(run, version(to));
  }

  private void used(ProvNames.Statement used) {
    RunDraft run = runOf(used.name("prov:activity"));
    String name = used.name("prov:entity");
    if (name.isEmpty()) {
      return;
    }
    ProvNames.Element entity = ProvNames.element(elements, name, "entity");
    if (used.time() > 0) {
      run.happenedAt(used.time());
    }
    if (entity.isExecutable()) {
      run.program(
          new TracedRun.Program(
              entity.id("exe:"),
              storedIn.getOrDefault(name, List.of()).stream().distinct().toList()));
    } else if (used.isOfExecutable()) {
      String file = version(name).file;
      run.program(new TracedRun.Program("exe:" + file, List.of(file)));
    } else {
      run.read(version(name));
    }
  }

  private RunDraft runOf(String activity) {
    if (activity.isEmpty()) {
      throw new IllegalArgumentException(
          "a statement about an activity does not name it; expected prov:activity");
    }
    ProvNames.Element element = ProvNames.element(elements, activity, "activity");
    RunDraft known = runs.get(element.id("run:"));
    return known == null ? run(element) : known;
  }

  private RunDraft.Version version(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          "a statement about an entity does not name it; expected prov:entity, prov:usedEntity or the like");
    }
    return versions.computeIfAbsent(
        name,
        key -> {
          ProvNames.Element entity = ProvNames.element(elements, key, "entity");
          RunDraft.Version version = new RunDraft.Version(entity.fileId(), entity.versionName());
          version.startMicros = entity.time("gm:start");
          version.endMicros = entity.time("gm:end");
          version.doubts.addAll(entity.texts("gm:doubt"));
          return written.shared(version, entity.text("gm:writer"));
        });
  }

  private static void requireTime(RunDraft run) throws IOException {
    if (run.startMicros == 0) {
      throw new IOException(
          "the activity "
              + run.id
              + " has no time; expected prov:startTime, or prov:time of what it used or generated, or"
              + " --at with the time of such activities");
    }
  }
}
