package io.graphmeta.server.ingest;

import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.SearchConditions;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The indexes that the first load into a new graph creates over what loads write. */
final class SearchDefaults {
  private static final Map<String, Set<IndexKind>> INDEXES = new LinkedHashMap<>();

  static {
    Set<IndexKind> names = EnumSet.of(IndexKind.EXACT, IndexKind.FRAGMENT);
    Set<IndexKind> exact = EnumSet.of(IndexKind.EXACT);
    Set<IndexKind> range = EnumSet.of(IndexKind.RANGE);
    put(Vocabulary.FILE, SearchConditions.ID, EnumSet.of(IndexKind.PATH));
    put(Vocabulary.FILE, Vocabulary.NAME, names);
    put(Vocabulary.DIRECTORY, SearchConditions.ID, EnumSet.of(IndexKind.PATH));
    put(Vocabulary.DIRECTORY, Vocabulary.NAME, names);
    put(Vocabulary.PROCESS, Vocabulary.NAME, exact);
    put(Vocabulary.PROCESS, Vocabulary.COMMAND_LINE, EnumSet.of(IndexKind.COMMAND));
    put(Vocabulary.PROCESS, Vocabulary.START, range);
    put(Vocabulary.PROCESS, Vocabulary.END, range);
    put(Vocabulary.JOB, Vocabulary.NAME, EnumSet.of(IndexKind.EXACT, IndexKind.WORDS));
    put(Vocabulary.JOB, Vocabulary.STATE, exact);
    put(Vocabulary.JOB, Vocabulary.START, range);
    put(Vocabulary.JOB, Vocabulary.END, range);
    put(Vocabulary.USER, Vocabulary.NAME, exact);
  }

  private SearchDefaults() {}

  private static void put(String label, String key, Set<IndexKind> kinds) {
    INDEXES.put(label + "." + key, kinds);
  }

  /** Creates them, if the graph is new and the settings do not say otherwise. */
  static void create(GraphDatabase database) {
    boolean isWanted = database.config().get(Setting.SEARCH_DEFAULTS).equals("true");
    if (!isWanted || !database.vertexLabels().isEmpty() || !database.indexes().list().isEmpty()) {
      return;
    }
    INDEXES.forEach(
        (name, kinds) -> {
          try {
            database.indexes().create(name, kinds);
          } catch (GraphMetaException e) {
            if (e.code() != ErrorCode.ALREADY_EXISTS) { // another load may be the first too
              throw e;
            }
          }
        });
  }
}
