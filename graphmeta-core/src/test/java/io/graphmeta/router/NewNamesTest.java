package io.graphmeta.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NewNamesTest {
  private static final int LIMIT = 4096;

  private final NewNames names = new NewNames();
  private final List<SchemaName> defined = new ArrayList<>();
  private SchemaImage schema = SchemaImage.EMPTY;

  private int id(String name) {
    return names.id(() -> schema, NameKind.VERTEX_LABEL, name);
  }

  private int key(String name) {
    return names.id(() -> schema, NameKind.PROPERTY_KEY, name);
  }

  private void define(String name, int id) {
    defined.add(new SchemaName(NameKind.VERTEX_LABEL, id, name, false));
    schema = SchemaImage.of(defined);
  }

  @Test
  void allTransactionsFindTheSameIdAndNamesDifferentOnes() {
    assertThat(id("file")).isEqualTo(1);
    assertThat(id("job")).isEqualTo(2);
    assertThat(id("file")).isEqualTo(1);
    assertThat(names.id(() -> schema, NameKind.EDGE_LABEL, "read")).isEqualTo(1);
  }

  @Test
  void aDefinedNameHasItsIdAndItsIdIsNotGivenAgain() {
    assertThat(id("file")).isEqualTo(1);
    define("job", 1); // another client was first
    assertThat(id("job")).isEqualTo(1);
    assertThat(id("file")).isEqualTo(2);
    assertThat(id("user")).isEqualTo(3);
  }

  @Test
  void idsBehindDefinedNamesAreSkipped() {
    define("a", 1);
    define("b", 2);
    define("c", 4);
    assertThat(id("x")).isEqualTo(3);
    assertThat(id("y")).isEqualTo(5);
  }

  @Test
  void theNameUsedLongestAgoIsForgottenWhenThereAreTooMany() {
    for (int i = 0; i < NameKind.VERTEX_LABEL.maxId(); i++) {
      id("name" + i);
    }
    int second = id("name1");
    assertThat(id("name0")).isEqualTo(1); // used since the second one was
    id("name2");
    assertThat(id("one more")).isEqualTo(4); // that of the fourth name, used longest ago
    assertThat(id("name1")).isEqualTo(second);
  }

  @Test
  void asManyNamesAsTheLimitAreKeptAndOneMoreForgetsOne() {
    for (int i = 1; i <= LIMIT; i++) {
      assertThat(key("key" + i)).isEqualTo(i);
    }
    assertThat(key("key1")).isEqualTo(1);
    assertThat(key("one more")).isEqualTo(2); // that of the second name, used longest ago
    assertThat(key("key2")).isEqualTo(3);
  }

  @Test
  void definedNamesTakeNoPlaceAmongThem() {
    for (int i = 1; i <= LIMIT; i++) {
      key("key" + i);
    }
    for (int i = 2; i <= LIMIT; i++) {
      defined.add(new SchemaName(NameKind.PROPERTY_KEY, i, "key" + i, false));
    }
    schema = SchemaImage.of(defined);
    assertThat(key("one more")).isEqualTo(LIMIT + 1);
    assertThat(key("key1")).isEqualTo(1);
  }

  @Test
  void namesBeyondTheLastIdAreRefused() {
    for (int i = 1; i <= NameKind.VERTEX_LABEL.maxId(); i++) {
      defined.add(new SchemaName(NameKind.VERTEX_LABEL, i, "name" + i, false));
    }
    schema = SchemaImage.of(defined);
    assertThatThrownBy(() -> id("one more"))
        .hasMessageContaining("'one more' would be one more than the limit of")
        .hasMessageContaining(Integer.toString(NameKind.VERTEX_LABEL.maxId()));
    assertThat(id("name7")).isEqualTo(7);
  }

  @Test
  void everythingIsForgottenWhenTheGraphIsCleared() {
    assertThat(id("a")).isEqualTo(1);
    assertThat(id("b")).isEqualTo(2);
    names.clear();
    assertThat(id("b")).isEqualTo(1);
  }
}
