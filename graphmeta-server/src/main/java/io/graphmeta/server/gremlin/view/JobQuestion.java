package io.graphmeta.server.gremlin.view;

import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.picture.VisibleText;
import io.graphmeta.time.Stamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A job: what accounting says of it, its processes in time, and what they read and wrote. */
final class JobQuestion implements ViewQuestion {
  private static final Set<String> NAMES = Set.of("id", "asOf", "knownAt", "processes", "accesses");
  private static final int DEFAULT_PROCESSES = 1_000;
  private static final int MAX_PROCESSES = 10_000;
  private static final int DEFAULT_ACCESSES = 10_000;
  private static final int MAX_ACCESSES = 100_000;

  /** What accounting has, in the order of the page, and in its words. */
  private static final Map<String, String> FACTS = new LinkedHashMap<>();

  static {
    FACTS.put(Vocabulary.EXIT_CODE, "Exit code");
    FACTS.put(Vocabulary.ACCOUNT, "Account");
    FACTS.put(Vocabulary.PARTITION, "Partition");
    FACTS.put(Vocabulary.TASKS, "Tasks");
    FACTS.put(Vocabulary.SUBMIT, "Submitted");
    FACTS.put(Vocabulary.START, "Started");
    FACTS.put(Vocabulary.END, "Ended");
    FACTS.put(Vocabulary.WORK_DIR, "Directory");
    FACTS.put(Vocabulary.SUBMIT_LINE, "Submitted by");
  }

  private final Instant now;
  private final String id;
  private final TimesAsked times;
  private final int processes;
  private final int accesses;

  JobQuestion(String body, Instant now) {
    this.now = now;
    Asked asked = Asked.of(body, NAMES);
    this.id = asked.needed("id");
    this.times = TimesAsked.of(asked);
    this.processes = asked.number("processes", DEFAULT_PROCESSES, 1, MAX_PROCESSES);
    this.accesses = asked.number("accesses", DEFAULT_ACCESSES, 1, MAX_ACCESSES);
  }

  @Override
  public List<Script> scripts() {
    String job = times.source() + ".V(" + Quoting.gremlin(id) + ")";
    String programs = job + ".out('contains').hasLabel('process')";
    return List.of(
        new Script(
            job
                + ".hasLabel('job').project('properties', 'users').by(valueMap())"
                + ".by(__.in('ran').coalesce(values('name'), id()).fold())",
            false),
        new Script(
            programs
                + ".limit("
                + (processes + 1)
                + ").project('id', 'properties').by(T.id)"
                + ".by(valueMap('name', 'commandLine', 'start', 'end', 'ranks', 'incomplete'))",
            false),
        new Script(
            programs
                + ".as('program').union(identity(), out('contains').hasLabel('process'))"
                + ".outE('read', 'wrote').limit("
                + (accesses + 1)
                + ").project('program', 'file', 'label', 'properties').by(select('program').id())"
                + ".by(inV().id()).by(T.label)"
                + ".by(valueMap('start', 'end', 'bytes', 'operations', 'opens'))",
            false));
  }

  @Override
  public Map<String, Object> answer(List<Outcome> outcomes) {
    List<Map<String, Object>> jobs = Members.rows(outcomes.get(0).results());
    if (jobs.isEmpty()) {
      throw Refusal.invalid(
          "There is no job '"
              + VisibleText.of(id)
              + "'"
              + (times.asOf() == null ? "" : " at " + times.asOf())
              + "; expected the id of a job, as job:184251");
    }
    JobUse use = new JobUse();
    List<Map<String, Object>> programs = Members.rows(outcomes.get(1).results());
    programs.stream().limit(processes).forEach(use::program);
    List<Map<String, Object>> used = Members.rows(outcomes.get(2).results());
    used.stream().limit(accesses).forEach(use::access);
    Values properties = new Values(jobs.get(0).get("properties"));
    return new Members()
        .put("id", id)
        .put("now", Stamp.format(Stamp.startOfMicros(Stamp.epochMicros(now))))
        .put("text", VisibleText.of(id.replaceFirst("^job:", "")))
        .put("name", VisibleText.of(properties.text(Vocabulary.NAME)))
        .put("state", VisibleText.of(properties.text(Vocabulary.STATE)))
        .put("users", Members.shown(jobs.get(0).get("users")))
        .put("submitMicros", properties.micros(Vocabulary.SUBMIT))
        .put("startMicros", properties.micros(Vocabulary.START))
        .put("endMicros", properties.micros(Vocabulary.END))
        .put("nodes", properties.number(Vocabulary.NODES))
        .list("facts", facts(properties))
        .put("processesPartial", programs.size() > processes ? processes : null)
        .put("accessesPartial", used.size() > accesses ? accesses : null)
        .putAll(use.toMap())
        .put("gremlin", scripts().stream().map(Script::gremlin).toList())
        .put(
            "command",
            "graphmeta report --html job.html" + times.options() + " " + Quoting.shell(id))
        .toMap();
  }

  private static List<Object> facts(Values properties) {
    List<Object> facts = new ArrayList<>();
    FACTS.forEach(
        (key, name) -> {
          Object value = properties.get(key);
          if (value != null) {
            boolean isTime = properties.micros(key) != null;
            facts.add(
                new Members()
                    .put("name", name)
                    .put("value", Members.shown(value))
                    .put("isTime", isTime)
                    .toMap());
          }
        });
    return facts;
  }
}
