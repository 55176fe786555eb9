package io.graphmeta.server.gremlin.view;

import io.graphmeta.provenance.folding.Box;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.picture.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of one box of a picture, filtered and in pages. The lineage is asked and folded
 * again, so that nothing is kept between two questions; a link of the page names the times.
 */
final class MembersQuestion implements ViewQuestion {
  private static final Set<String> NAMES =
      LineageAsked.namesAnd("key", "filter", "offset", "count");
  private static final int DEFAULT_COUNT = 50;
  private static final int MAX_COUNT = 1_000;
  private static final int MAX_OFFSET = 1_000_000;

  private final LineageAsked lineage;
  private final String key;
  private final @Nullable String filter;
  private final int offset;
  private final int count;

  MembersQuestion(String body, int searchMillis) {
    Asked asked = Asked.of(body, NAMES);
    this.lineage = new LineageAsked(asked, false, searchMillis);
    this.key = asked.needed("key");
    this.filter = asked.text("filter");
    this.offset = asked.number("offset", 0, 0, MAX_OFFSET);
    this.count = asked.number("count", DEFAULT_COUNT, 1, MAX_COUNT);
  }

  @Override
  public List<Script> scripts() {
    return lineage.scripts();
  }

  @Override
  public Map<String, Object> answer(List<Outcome> outcomes) {
    FoldedLineage folded = lineage.fold(lineage.overlay(outcomes));
    Box box =
        folded.boxes().stream()
            .filter(each -> each.key().equals(key))
            .findFirst()
            .orElseThrow(
                () ->
                    Refusal.invalid(
                        "There is no box '"
                            + VisibleText.of(key)
                            + "' in this lineage; ask for the picture again"));
    String wanted = filter == null ? "" : filter.toLowerCase(Locale.ROOT);
    List<Object> found = new ArrayList<>();
    for (int position : box.members()) {
      Map<String, Object> member = MemberJson.of(folded.overlay().lineage().nodes().get(position));
      if (String.valueOf(member.get("text")).toLowerCase(Locale.ROOT).contains(wanted)) {
        found.add(member);
      }
    }
    int from = Math.min(offset, found.size());
    return new Members()
        .put("key", key)
        .put("count", box.count())
        .put("found", found.size())
        .put("partial", folded.overlay().lineage().partial())
        .list("members", found.subList(from, Math.min(found.size(), from + count)))
        .toMap();
  }
}
