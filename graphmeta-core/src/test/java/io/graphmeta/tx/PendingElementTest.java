package io.graphmeta.tx;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.model.PropertyRecord;
import io.graphmeta.records.SlotResolver;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PendingElementTest {
  private static PendingElement created(long... begins) {
    PendingElement element = new PendingElement(true, "id", "file");
    for (long begin : begins) {
      element.addBody(begin, "id", new HashMap<>(Map.of("n", begin)));
    }
    return element;
  }

  private static PropertyRecord value(String key, Object value, long valid) {
    return PropertyRecord.single(key, value, PendingElement.comparable(valid), Stamp.MAX);
  }

  private static List<String> changes(PendingElement element) {
    List<String> changes = new ArrayList<>();
    element.forEachChange(
        (key, valueId, valid, property) ->
            changes.add(key + valueId + "@" + valid + (property == null ? " removed" : "")));
    return changes;
  }

  private static Map<String, Object> at(PendingElement element, long valid) {
    SlotResolver slots = new SlotResolver();
    element.offerTo(slots, valid);
    Map<String, Object> found = new HashMap<>();
    slots.resolve().forEach(property -> found.put(property.key(), property.value()));
    return found;
  }

  @Test
  void aSingleValueOfANewElementIsPartOfItsBody() {
    PendingElement element = created(Stamp.AT_COMMIT);
    element.change("name", 0, Stamp.AT_COMMIT, value("name", "a", Stamp.AT_COMMIT));
    assertThat(changes(element)).isEmpty();
    assertThat(element.bodies().get(0).properties()).containsEntry("name", "a");
    assertThat(at(element, Stamp.MAX)).containsEntry("name", "a");
  }

  @Test
  void otherValuesAreRowsOfTheirOwn() {
    PendingElement element = created(Stamp.AT_COMMIT);
    element.change("tag", 5, Stamp.AT_COMMIT, value("tag", "x", Stamp.AT_COMMIT));
    element.change("old", 0, 10, value("old", "y", 10));
    element.change("n", 0, Stamp.AT_COMMIT, null);
    // What stands in a row of its own already is changed there: its removal must not come back.
    element.change("n", 0, Stamp.AT_COMMIT, value("n", 7L, Stamp.AT_COMMIT));
    assertThat(changes(element)).containsExactly("tag5@0", "old0@10", "n0@0");
    assertThat(at(element, Stamp.MAX)).containsEntry("n", 7L);
    PendingElement stored = new PendingElement(false, null, "file");
    stored.change("name", 0, Stamp.AT_COMMIT, value("name", "a", Stamp.AT_COMMIT));
    assertThat(changes(stored)).containsExactly("name0@0");
  }

  @Test
  void showsWhatIsTrueAtAStamp() {
    PendingElement element = created(10, 20);
    element.change("name", 0, 30, value("name", "later", 30));
    element.change("n", 0, 40, null);
    assertThat(at(element, 9)).isEmpty();
    assertThat(at(element, 10)).containsExactlyEntriesOf(Map.of("n", 10L));
    assertThat(at(element, 25)).containsExactlyEntriesOf(Map.of("n", 20L));
    assertThat(at(element, 30)).containsOnly(Map.entry("n", 20L), Map.entry("name", "later"));
    assertThat(at(element, Stamp.MAX)).containsOnly(Map.entry("name", "later"));
    assertThat(element.isBackfilled()).isTrue();
    assertThat(created(Stamp.AT_COMMIT).isBackfilled()).isFalse();
    PendingElement stored = new PendingElement(false, null, "file");
    stored.change("name", 0, Stamp.AT_COMMIT, value("name", "a", Stamp.AT_COMMIT));
    assertThat(stored.isBackfilled()).isFalse();
    stored.change("name", 0, 30, null);
    assertThat(stored.isBackfilled()).isTrue();
    stored.change("other", 0, Stamp.AT_COMMIT, null);
    assertThat(stored.isBackfilled()).isTrue();
  }

  @Test
  void existsFromItsFirstBody() {
    assertThat(created(20, 10, Stamp.AT_COMMIT).lifetime())
        .isEqualTo(new Lifetime(10, Stamp.MAX, Stamp.MAX));
    assertThat(created(Stamp.AT_COMMIT).firstValid()).isEqualTo(Stamp.MAX);
  }

  @Test
  void whatBeginsAndEndsAtOnceIsNeverSeen() {
    PendingElement element = created(10, 20);
    assertThat(element.isNeverSeen(20)).isFalse();
    element.delete(20);
    assertThat(element.isDeleted()).isTrue();
    assertThat(element.deletedValid()).isEqualTo(20);
    assertThat(element.bodies()).extracting(PendingElement.Body::valid).containsExactly(10L);
    assertThat(created(Stamp.AT_COMMIT).isNeverSeen(Stamp.AT_COMMIT)).isTrue();
    assertThat(new PendingElement(false, null, "file").isNeverSeen(10)).isFalse();
  }
}
