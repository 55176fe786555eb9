package io.graphmeta.server.ingest.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads events of OpenLineage, one JSON object a line. All events of a file that tell of one run
 * make one {@link TracedRun}; what they say adds up. Events of jobs and datasets without a run tell
 * nothing that the graph keeps.
 */
public final class OpenLineageReader {
  private static final String FILES = "file";

  private final String source;
  private final TraceLimits limits;
  private final Consumer<IOException> failures;
  private final Map<String, RunDraft> runs = new LinkedHashMap<>();
  private final Map<String, JobDraft> jobs = new HashMap<>();
  private final Map<String, String> jobOfRun = new HashMap<>();
  private final WrittenVersions written = new WrittenVersions(runs);
  private long line;
  private int uses;

  /** A version of a file and how a run had to do with it. */
  private record Dataset(RunDraft.Version version, String writer, String relation) {}

  private static final class JobDraft {
    String name = "";
    long startMicros;
    long endMicros;
    final Map<String, TracedRun.User> users = new LinkedHashMap<>();
  }

  private OpenLineageReader(String source, TraceLimits limits, Consumer<IOException> failures) {
    this.source = source;
    this.limits = limits;
    this.failures = failures;
  }

  /**
   * Reads a file.
   *
   * @param failures is told of each line that cannot be taken; the others are
   * @throws TraceFormatException if the file goes beyond a limit
   * @throws IOException if it cannot be read
   */
  public static List<TracedRun> read(Path file, TraceLimits limits, Consumer<IOException> failures)
      throws IOException {
    OpenLineageReader reader = new OpenLineageReader(file.toString(), limits, failures);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return reader.read(in);
    }
  }

  private List<TracedRun> read(InputStream in) throws IOException {
    while (readLine(in)) {
      requireWithin(limits.maxRuns(), Math.max(runs.size(), jobs.size()), "runs");
      requireWithin(limits.maxUses(), uses, "accesses");
    }
    for (RunDraft run : runs.values()) {
      String job = jobOfRun.get(run.id);
      if (job != null) {
        run.job = job(job);
      }
    }
    written.byThoseNotTold();
    return runs.values().stream().map(RunDraft::finished).toList();
  }

  private void requireWithin(int limit, int count, String things) throws IOException {
    if (count > limit) {
      throw new TraceFormatException(
          source,
          line,
          "more than " + limit + " " + things + " in one file; split it between runs");
    }
  }

  private TracedRun.Job job(String id) {
    JobDraft draft = jobs.computeIfAbsent(id, key -> new JobDraft());
    return new TracedRun.Job(
        id, draft.name, draft.startMicros, draft.endMicros, List.copyOf(draft.users.values()));
  }

  private boolean readLine(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    long length = 0;
    int next = in.read();
    if (next < 0) {
      return false;
    }
    line++;
    for (; next >= 0 && next != '\n'; next = in.read()) {
      if (++length <= limits.maxLineBytes()) {
        bytes.write(next);
      }
    }
    try {
      if (length > limits.maxLineBytes()) {
        throw new IOException(
            "a line of " + length + " bytes, expected at most " + limits.maxLineBytes());
      }
      if (!bytes.toString(java.nio.charset.StandardCharsets.UTF_8).isBlank()) {
        take(Json.object(bytes.toByteArray()));
      }
    } catch (IOException | IllegalArgumentException e) {
      failures.accept(new TraceFormatException(source, line, String.valueOf(e.getMessage())));
    }
    return true;
  }

  private void take(JsonNode event) throws IOException {
    if (!event.has("run")) {
      if (event.has("dataset")) {
        JsonNode dataset = event.path("dataset");
        written.shared(
            version(dataset), Json.text(dataset, "facets", "graphmeta_version", "writer"));
      } else if (!event.has("job")) {
        throw new IOException("no event of OpenLineage, expected 'run', 'job' or 'dataset' in it");
      }
      return;
    }
    String runId = required(event, "run", "runId");
    long time = Moments.micros(required(event, "eventTime"));
    JsonNode facets = event.path("run").path("facets");
    JsonNode own = facets.path("graphmeta_run");
    if (Json.text(own, "kind").equals("job")) {
      takeJob(Json.text(own, "id"), event, time);
      return;
    }
    // All is read before anything is kept: a bad event leaves nothing behind.
    List<Dataset> inputs = datasets(event, "inputs", "inputFacets", "read");
    List<Dataset> outputs = datasets(event, "outputs", "outputFacets", "wrote");
    String name = required(event, "job", "namespace") + "/" + required(event, "job", "name");
    String id = Json.text(own, "id");
    RunDraft run = runs.computeIfAbsent(id.isEmpty() ? "run:" + runId : id, RunDraft::new);
    times(run, Json.text(event, "eventType"), time);
    if (id.isEmpty()) {
      run.name = Json.text(event, "job", "name");
      run.commandLine = name;
    } else {
      run.commandLine = Json.text(own, "description");
    }
    jobOf(run, event, facets, runId, time);
    programs(run, own);
    inputs.forEach(input -> use(run, input));
    outputs.forEach(output -> use(run, output));
  }

  private void use(RunDraft run, Dataset dataset) {
    RunDraft.Version version = written.shared(dataset.version(), dataset.writer());
    switch (dataset.relation()) {
      case "read" -> uses += run.read(version) ? 1 : 0;
      case "wrote" -> uses += written.by(run, version) ? 1 : 0;
      case "redirected" -> uses += version.printers.add(run) ? 1 : 0;
      case "exe" ->
          run.program(new TracedRun.Program("exe:" + version.file, List.of(version.file)));
      // What a version or an executable comes from is told with these.
      default -> {}
    }
  }

  private static void times(RunDraft run, String type, long time) {
    run.happenedAt(time);
    switch (type) {
      case "COMPLETE", "FAIL", "ABORT" -> run.endMicros = Math.max(run.endMicros, time);
      default -> {}
    }
  }

  private void takeJob(String id, JsonNode event, long time) throws IOException {
    if (id.isEmpty()) {
      throw new IOException("a job without an id in graphmeta_run");
    }
    JobDraft job = jobs.computeIfAbsent(id, key -> new JobDraft());
    job.name = Json.text(event, "run", "facets", "graphmeta_run", "description");
    job.startMicros = job.startMicros == 0 ? time : Math.min(job.startMicros, time);
    if (Json.text(event, "eventType").equals("COMPLETE")) {
      job.endMicros = time;
    }
    owners(job, event);
  }

  private static void owners(JobDraft job, JsonNode event) {
    for (JsonNode owner : event.path("job").path("facets").path("ownership").path("owners")) {
      String name = Json.text(owner, "name");
      if (!name.isEmpty()) {
        String id = name.startsWith("user:") ? name : "user:" + name;
        String full = Json.text(owner, "fullName");
        job.users.put(id, new TracedRun.User(id, full.isEmpty() ? name : full));
      }
    }
  }

  private void jobOf(RunDraft run, JsonNode event, JsonNode facets, String runId, long time) {
    JsonNode parent = facets.path("parent");
    boolean owned = event.path("job").path("facets").path("ownership").path("owners").size() > 0;
    String id;
    if (facets.has("graphmeta_run") && parent.isObject()) {
      id = Json.text(parent, "job", "name");
    } else if (parent.isObject()) {
      id = "job:" + Json.text(parent, "run", "runId");
    } else if (owned) {
      id = "job:" + runId;
    } else {
      return;
    }
    jobOfRun.put(run.id, id);
    JobDraft job = jobs.computeIfAbsent(id, key -> new JobDraft());
    if (!facets.has("graphmeta_run")) {
      job.name = parent.isObject() ? Json.text(parent, "job", "name") : run.name;
      job.startMicros = job.startMicros == 0 ? time : Math.min(job.startMicros, time);
      owners(job, event);
    }
  }

  private static void programs(RunDraft run, JsonNode own) {
    for (JsonNode executable : own.path("executables")) {
      List<String> storedIn = new ArrayList<>();
      executable.path("storedIn").forEach(file -> storedIn.add(Json.text(file, "name")));
      run.program(
          new TracedRun.Program(
              Json.text(executable, "id"), storedIn.stream().distinct().toList()));
    }
  }

  private static List<Dataset> datasets(JsonNode event, String key, String facets, String relation)
      throws IOException {
    List<Dataset> datasets = new ArrayList<>();
    for (JsonNode each : event.path(key)) {
      String own = Json.text(each, facets, "graphmeta_use", "relation");
      String writer = Json.text(each, "facets", "graphmeta_version", "writer");
      datasets.add(new Dataset(version(each), writer, own.isEmpty() ? relation : own));
    }
    return datasets;
  }

  private static RunDraft.Version version(JsonNode dataset) throws IOException {
    JsonNode facets = dataset.path("facets");
    JsonNode own = facets.path("graphmeta_version");
    String id = fileId(required(dataset, "namespace"), required(dataset, "name"));
    RunDraft.Version version =
        new RunDraft.Version(
            id, own.isObject() ? Json.text(facets, "version", "datasetVersion") : "");
    if (own.has("start") || own.has("writer")) {
      version.startMicros = Moments.micros(required(own, "start"));
      version.endMicros = Moments.micros(required(own, "end"));
    }
    own.path("doubts").forEach(doubt -> version.doubts.add(doubt.asText()));
    for (JsonNode origin : own.path("origins")) {
      switch (Json.text(origin, "relation")) {
        case "renamedFrom" -> version.renamedFrom.add(Json.text(origin, "name"));
        case "continues" -> version.continues = true;
        default -> {}
      }
    }
    JsonNode change = facets.path("lifecycleStateChange");
    if (!own.isObject() && Json.text(change, "lifecycleStateChange").equals("RENAME")) {
      JsonNode before = change.path("previousIdentifier");
      version.renamedFrom.add(fileId(required(before, "namespace"), required(before, "name")));
    }
    return version;
  }

  /** By OpenLineage's rules of naming, files of a machine have the namespace {@code file}. */
  private static String fileId(String namespace, String name) {
    boolean isPath = namespace.equals(FILES) || namespace.startsWith(FILES + "://");
    return isPath ? name : namespace + "/" + name;
  }

  private static String required(JsonNode node, String... keys) throws IOException {
    String text = Json.text(node, keys);
    if (text.isEmpty()) {
      throw new IOException("no text in '" + String.join(".", keys) + "', which an event needs");
    }
    return text;
  }
}
