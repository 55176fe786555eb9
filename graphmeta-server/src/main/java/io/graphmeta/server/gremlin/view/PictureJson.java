package io.graphmeta.server.gremlin.view;

import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.folding.Box;
import io.graphmeta.provenance.folding.BoxLink;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.server.picture.LineagePicture;
import io.graphmeta.server.picture.Picture;
import io.graphmeta.server.picture.VisibleText;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A picture as a JSON object, with the first members of each box. Ids are as they are, for the next
 * question; everything to be read is visible. Used once.
 */
final class PictureJson {
  private static final int MOST_MEMBERS = Folding.MAX_OPENED;

  private final FoldedLineage folded;
  private final Picture picture;
  private final List<LineageNode> nodes;

  PictureJson(FoldedLineage folded, Picture picture) {
    this.folded = folded;
    this.picture = picture;
    this.nodes = folded.overlay().lineage().nodes();
  }

  Map<String, Object> toMap() {
    List<Object> boxes = new ArrayList<>();
    picture.shapes().forEach(shape -> boxes.add(box(shape)));
    List<Object> lines = new ArrayList<>();
    picture.lines().forEach(line -> lines.add(line(line)));
    List<Object> signs = new ArrayList<>();
    for (Picture.Sign sign : Picture.Sign.values()) {
      signs.add(List.of(sign.character(), sign.meaning()));
    }
    return new Members()
        .put("caption", picture.caption())
        .put("width", picture.width())
        .put("height", picture.height())
        .put("elements", picture.elements())
        .put("partial", picture.partial())
        .put("outOfTime", folded.overlay().lineage().outOfTime())
        .put("compared", picture.compared())
        .list("boxes", boxes)
        .list("lines", lines)
        .put("signs", signs)
        .toMap();
  }

  private Map<String, Object> box(Picture.Shape shape) {
    Box box = shape.box();
    List<Object> members = new ArrayList<>();
    box.members().stream()
        .limit(MOST_MEMBERS)
        .forEach(each -> members.add(MemberJson.of(nodes.get(each))));
    return new Members()
        .put("key", box.key())
        .put("kind", word(box.kind()))
        .put("presence", word(box.presence()))
        .put("start", box.isStart())
        .put("count", box.count())
        .put("built", box.built().isEmpty() ? null : box.built().size())
        .put("x", shape.x())
        .put("y", shape.y())
        .put("width", shape.width())
        .put("height", shape.height())
        .put("name", VisibleText.of(box.name()))
        .put("title", shape.title())
        .put("details", shape.details())
        .put("signs", shape.signs())
        .put("description", shape.description())
        .put("first", time(box.firstMicros()))
        .put("last", time(box.lastMicros()))
        .list("members", members)
        .toMap();
  }

  private Map<String, Object> line(Picture.Line line) {
    BoxLink link = line.link();
    Box.Kind source = folded.boxes().get(link.from()).kind();
    boolean ofFile = source == Box.Kind.FILE || source == Box.Kind.PROGRAM;
    return new Members()
        .put("from", link.from())
        .put("to", link.to())
        .put("relation", link.relation())
        .put("style", LineagePicture.lineStyle(link.relation()))
        .put("source", ofFile ? "file" : "process")
        .put("presence", word(link.presence()))
        .put("count", link.count())
        .put("back", line.goesBack())
        .put("path", line.path())
        .put("width", line.tenths() / 10.0)
        .toMap();
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static String time(long micros) {
    return Stamp.format(Stamp.startOfMicros(micros));
  }
}
