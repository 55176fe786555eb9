package io.graphmeta.gremlin.service;

import static java.util.stream.Collectors.joining;

import io.graphmeta.engine.IndexCheck;
import io.graphmeta.engine.IndexStatus;
import io.graphmeta.engine.Indexes;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.search.IndexKind;
import io.graphmeta.time.Stamp;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.step.GValue;
import org.jspecify.annotations.Nullable;

/**
 * {@code graphmeta.index}: creates, drops, rebuilds, lists and checks the indexes over properties
 * of vertices and edges. A change is a transaction of its own, and no part of that of the
 * traversal.
 */
final class IndexService extends GraphService {
  static final String NAME = "graphmeta.index";

  private static final String DO = "do";
  private static final String INDEX = "name";
  private static final String KIND = "kind";
  private static final String ELEMENT = "element";
  private static final String LIST = "list";
  private static final String CREATE = "create";
  private static final String CHECK = "check";

  private static final List<CallParameter> PARAMETERS =
      List.of(
          new CallParameter(
              DO,
              "'list', 'create', 'drop', 'rebuild' or 'check'",
              "What to do. Default 'list'. Rebuilding drops an index and creates it again in one transaction;"
                  + " checking compares it with what is stored."),
          new CallParameter(
              INDEX,
              "LABEL.KEY, such as file.name or wrote.bytes, or LABEL.id of vertices",
              "The index. With 'list' and 'check' it alone; needed with all else."),
          new CallParameter(
              KIND,
              "one or more of 'exact', 'range', 'fragment', 'path', 'command' and 'words': a list, or a text with commas",
              "With 'create': what it can be asked. Default 'exact'."),
          new CallParameter(
              ELEMENT,
              "'vertex' or 'edge'",
              "With 'create': what the index is over. By default what has the label, and vertices if nothing has it yet."));

  IndexService(ServiceGraph graph) {
    super(graph, NAME, PARAMETERS);
  }

  /** Whether parameters, as given, ask for a list or a check. */
  static boolean onlyReads(Map<?, ?> parameters) {
    Object given = parameters.get(DO);
    Object what = given instanceof GValue<?> variable ? variable.get() : given;
    return given == null || LIST.equals(what) || CHECK.equals(what);
  }

  @Override
  List<?> answer(CallScope scope, CallArguments arguments) {
    scope.requireStart();
    Indexes indexes = scope.graph().database().indexes();
    String what = arguments.choice(DO, LIST, CREATE, "drop", "rebuild", CHECK);
    String name = arguments.text(INDEX);
    if (arguments.has(KIND) && !what.equals(CREATE)) {
      throw arguments.unfit(KIND, "expected with 'create' only");
    }
    if (arguments.has(ELEMENT) && !what.equals(CREATE)) {
      throw arguments.unfit(ELEMENT, "expected with 'create' only");
    }
    if (what.equals(LIST)) {
      return indexes.list().stream()
          .filter(each -> name == null || each.definition().name().equals(name))
          .map(IndexService::map)
          .toList();
    }
    if (what.equals(CHECK)) {
      return indexes.check(name, versions -> {}).stream().map(IndexService::map).toList();
    }
    scope.requireWrites();
    if (name == null) {
      throw arguments.missing(INDEX);
    }
    return List.of(
        map(
            switch (what) {
              case CREATE -> indexes.create(name, element(arguments), kinds(arguments));
              case "drop" -> indexes.drop(name);
              default -> indexes.rebuild(name);
            }));
  }

  private static @Nullable ElementKind element(CallArguments arguments) {
    return arguments.has(ELEMENT)
        ? ElementKind.valueOf(arguments.choice(ELEMENT, "vertex", "edge").toUpperCase(Locale.ROOT))
        : null;
  }

  private static Set<IndexKind> kinds(CallArguments arguments) {
    if (!arguments.has(KIND)) {
      return Set.of(IndexKind.EXACT);
    }
    Set<IndexKind> kinds = EnumSet.noneOf(IndexKind.class);
    for (String text : arguments.texts(KIND)) {
      for (String word : text.split(",", -1)) {
        IndexKind kind = kind(word.strip());
        if (kind == null) {
          throw arguments.unfit(
              KIND,
              "expected one or more of "
                  + Arrays.stream(IndexKind.values()).map(IndexKind::text).collect(joining(", ")));
        }
        kinds.add(kind);
      }
    }
    return kinds;
  }

  private static @Nullable IndexKind kind(String word) {
    return Arrays.stream(IndexKind.values())
        .filter(each -> each.text().equals(word))
        .findFirst()
        .orElse(null);
  }

  /** An index as the map of an answer. */
  static Map<String, Object> map(IndexStatus index) {
    Row row =
        new Row()
            .put(INDEX, index.definition().name())
            .put(ELEMENT, index.definition().element().name().toLowerCase(Locale.ROOT))
            .put("label", index.label())
            .put("key", index.key())
            .put(
                "kinds", index.definition().kinds().stream().sorted().map(IndexKind::text).toList())
            .time("since", Stamp.micros(index.definition().number()))
            .put("defined", index.defined());
    if (!index.shards().isEmpty()) {
      row.put("built", index.isBuilt());
    }
    return row.put("shards", index.shards().stream().map(IndexService::map).toList()).toMap();
  }

  /** What was found of an index as the map of an answer. */
  static Map<String, Object> map(IndexCheck check) {
    return new Row()
        .put(INDEX, check.name())
        .put("clean", check.isClean())
        .put("shards", check.shards().stream().map(IndexService::map).toList())
        .toMap();
  }

  private static Map<String, Object> map(IndexCheck.OnShard shard) {
    return new Row()
        .put("shard", shard.shard())
        .time("upTo", Stamp.micros(shard.upTo()))
        .put("versions", shard.versions())
        .put("missing", shard.missing())
        .put("wider", shard.wider())
        .put("surplus", shard.surplus())
        .put("examples", shard.examples())
        .put("notCompared", shard.left())
        .toMap();
  }

  private static Map<String, Object> map(IndexStatus.OnShard shard) {
    if (!shard.away().isEmpty()) {
      return new Row().put("shard", shard.shard()).put("away", shard.away()).toMap();
    }
    return new Row()
        .put("shard", shard.shard())
        .put("built", shard.built())
        .put("elements", shard.built() ? null : shard.elements())
        .put("behindMillis", shard.built() ? shard.behindMillis() : null)
        .put("bytesOnDisk", shard.bytesOnDisk())
        .put("fault", shard.fault())
        .toMap();
  }
}
