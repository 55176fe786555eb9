package io.graphmeta.server.gremlin.view;

import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.folding.ElementKey;
import io.graphmeta.server.picture.VisibleText;
import io.graphmeta.time.Stamp;
import java.util.Locale;
import java.util.Map;

/** A member of a box as a JSON object. Pure. */
final class MemberJson {
  private MemberJson() {}

  static Map<String, Object> of(LineageNode node) {
    boolean isFile = node.fate() != null;
    return new Members()
        .put("id", node.id())
        .put("key", ElementKey.of(node))
        .put("text", VisibleText.of(isFile ? node.id() : node.description()))
        .put("label", VisibleText.of(node.label()))
        .put("from", isFile && node.writer() == null ? null : time(node.versionMicros()))
        .put("until", node.versionEndMicros() == 0 ? null : time(node.versionEndMicros()))
        .put("writer", node.writer() == null ? null : VisibleText.of(node.writer()))
        .put("fate", isFile ? String.valueOf(node.fate()).toLowerCase(Locale.ROOT) : null)
        .put("doubts", node.doubts().stream().sorted().map(doubt -> doubt.sentence()).toList())
        .toMap();
  }

  private static String time(long micros) {
    return Stamp.format(Stamp.startOfMicros(micros));
  }
}
