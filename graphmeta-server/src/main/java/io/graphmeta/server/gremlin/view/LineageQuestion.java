package io.graphmeta.server.gremlin.view;

import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.server.picture.LineagePicture;
import io.graphmeta.server.picture.Picture;
import io.graphmeta.server.picture.VisibleText;
import io.graphmeta.time.Stamp;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A lineage as a picture: of one time, or of two laid over each other. As the impact of a version
 * it also tells who is affected.
 */
final class LineageQuestion implements ViewQuestion {
  private final Instant now;
  private final boolean impact;
  private static final int MOST_EARLIER = 200;

  private final LineageAsked asked;
  private final Map<String, Integer> earlier;

  LineageQuestion(String body, Instant now, boolean impact, int searchMillis) {
    this.now = now;
    this.impact = impact;
    Asked given = Asked.of(body, LineageAsked.namesAnd("earlier"));
    this.asked = new LineageAsked(given, impact, searchMillis);
    this.earlier = given.numbers("earlier", MOST_EARLIER);
  }

  @Override
  public List<Script> scripts() {
    return asked.scripts();
  }

  @Override
  public Map<String, Object> answer(List<Outcome> outcomes) {
    FoldedLineage folded = asked.fold(asked.overlay(outcomes));
    Picture picture = LineagePicture.of(folded, asked.caption(), asked.compared(), earlier);
    Map<String, Object> answer = new PictureJson(folded, picture).toMap();
    answer.put("id", asked.id());
    answer.put("label", VisibleText.of(folded.overlay().lineage().root().label()));
    // What a link has to name to lead to the same answer when more has been written.
    answer.put("now", Stamp.format(Stamp.startOfMicros(Stamp.epochMicros(now))));
    answer.put("forward", asked.forward());
    if (impact) {
      answer.put("affected", new Affected(folded.overlay().lineage()).toMap());
    }
    answer.put("gremlin", scripts().stream().map(Script::gremlin).toList());
    answer.put("command", asked.command());
    return answer;
  }
}
