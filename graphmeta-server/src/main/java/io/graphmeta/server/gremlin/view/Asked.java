package io.graphmeta.server.gremlin.view;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.gremlin.rules.Excerpt;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.shaded.jackson.core.JsonProcessingException;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/**
 * The members of a question, checked: what is unknown, of another type or out of range is refused
 * with its name, its value and what is expected. Used by one thread.
 */
final class Asked {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_TEXT = 8192;
  private static final int MAX_NUMBER = 1_000_000;

  private final JsonNode object;

  private Asked(JsonNode object) {
    this.object = object;
  }

  /**
   * The question in a body.
   *
   * @param known names that it may have
   * @throws Refusal if it is not a JSON object, or has other members
   */
  static Asked of(String body, Set<String> known) {
    JsonNode object;
    try {
      object = JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw Refusal.malformed("The body is not JSON; expected an object such as {\"id\": \"/a\"}");
    }
    if (object == null || !object.isObject()) {
      throw Refusal.malformed("The body is no JSON object; expected one such as {\"id\": \"/a\"}");
    }
    for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw Refusal.invalid(
            "The member '"
                + Excerpt.of(name)
                + "' is unknown; expected "
                + String.join(", ", known.stream().sorted().toList()));
      }
    }
    return new Asked(object);
  }

  /** A text; null if it is absent or empty. */
  @Nullable String text(String name) {
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isTextual() || value.textValue().length() > MAX_TEXT) {
      throw unfit(name, "a text of at most " + MAX_TEXT + " characters");
    }
    return value.textValue().isEmpty() ? null : value.textValue();
  }

  /** A text that is needed. */
  String needed(String name) {
    String text = text(name);
    if (text == null) {
      throw Refusal.invalid("The member '" + name + "' is missing; expected a text");
    }
    return text;
  }

  /** One of some words; the first of them if none is given. */
  String choice(String name, String... words) {
    String text = text(name);
    if (text == null) {
      return words[0];
    }
    if (!List.of(words).contains(text)) {
      throw unfit(name, "one of " + String.join(", ", words));
    }
    return text;
  }

  /** A whole number in a range. */
  int number(String name, int byDefault, int least, int most) {
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      return byDefault;
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToInt()
        || value.intValue() < least
        || value.intValue() > most) {
      throw unfit(name, "a whole number from " + least + " to " + most);
    }
    return value.intValue();
  }

  /** A time in the form that all times of answers have; null if it is absent. */
  @Nullable String time(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      return Stamp.format(Stamp.viewpoint(text));
    } catch (GraphMetaException e) {
      throw unfit(name, "a time such as 2026-11-21T00:35:30Z");
    }
  }

  /** Texts; none if they are absent. */
  List<String> texts(String name, int most) {
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode each : value) {
      if (each.isTextual() && each.textValue().length() <= MAX_TEXT) {
        texts.add(each.textValue());
      }
    }
    if (!value.isArray() || texts.size() != value.size() || texts.size() > most) {
      throw unfit(name, "a list of at most " + most + " texts");
    }
    return texts;
  }

  /** Whole numbers from 0 to a million by their names; none if they are absent. */
  Map<String, Integer> numbers(String name, int most) {
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      return Map.of();
    }
    Map<String, Integer> numbers = new HashMap<>();
    for (Iterator<Map.Entry<String, JsonNode>> all = value.fields(); all.hasNext(); ) {
      Map.Entry<String, JsonNode> each = all.next();
      int number = each.getValue().isIntegralNumber() ? each.getValue().asInt() : -1;
      if (number >= 0 && number <= MAX_NUMBER) {
        numbers.put(each.getKey(), number);
      }
    }
    if (!value.isObject() || numbers.size() != value.size() || numbers.size() > most) {
      throw unfit(name, "an object of at most " + most + " whole numbers up to " + MAX_NUMBER);
    }
    return numbers;
  }

  private Refusal unfit(String name, String expected) {
    return Refusal.invalid(
        "The member '"
            + name
            + "' is "
            + Excerpt.of(String.valueOf(object.get(name)))
            + "; expected "
            + expected);
  }
}
