package io.graphmeta.server.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.server.ingest.sacct.SacctOptions;
import io.graphmeta.server.ingest.sacct.SacctReader;
import io.graphmeta.server.ingest.sacct.SacctRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The sample campaign: its logs, and what truly happened. */
final class Campaign {
  /** A version of a file by who made it: the job, 0 for what was there before. */
  record Made(String path, long job) {}

  final Path directory = Path.of("src/main/sample/campaign").toAbsolutePath();
  final JsonNode truth;
  private final Map<String, JsonNode> files = new HashMap<>();

  Campaign() throws IOException {
    truth = new ObjectMapper().readTree(Files.readString(directory.resolve("truth.json")));
    truth.get("files").forEach(file -> files.put(file.get("path").asText(), file));
  }

  JsonNode answer(String name) {
    return truth.get("answers").get(name);
  }

  List<Path> logs() throws IOException {
    return DarshanIngest.logs(
        List.of(directory.resolve("logs"), directory.resolve("logs_partial")));
  }

  List<SacctRecord> accounting() throws IOException {
    List<SacctRecord> records = new ArrayList<>();
    try (SacctReader reader =
        SacctReader.open(directory.resolve("sacct.txt"), SacctOptions.defaults())) {
      for (Optional<SacctRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
        records.add(next.get());
      }
    }
    return records;
  }

  LoadResult load(GraphDatabase database, List<Path> logs, ProcessGranularity granularity)
      throws IOException {
    try (DatabaseLoad load = new DatabaseLoad(database, Campaign::failed)) {
      for (Path log : logs) {
        load.add(log.toString(), DarshanIngest.read(log, granularity));
      }
      return load.finish().plus(new SacctIngest(database).load(accounting()));
    }
  }

  private static void failed(String source, String reason) {
    throw new AssertionError(source + ": " + reason);
  }

  /** Whether the campaign knows a file: those of the system are not in the truth. */
  boolean knows(String path) {
    return files.containsKey(path);
  }

  JsonNode file(String path) {
    return files.get(path);
  }

  /** Who made the versions [path, version] of a list. */
  Set<Made> made(JsonNode versions) {
    Set<Made> made = new HashSet<>();
    versions.forEach(version -> made.add(made(version.get(0).asText(), version.get(1).asInt())));
    return made;
  }

  Made made(String path, int version) {
    JsonNode job = files.get(path).get("versions").get(version - 1).get("job");
    return new Made(path, job.isNull() ? 0 : job.asLong());
  }
}
