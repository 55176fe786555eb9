package io.graphmeta.server.ingest.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads JSON, strictly: a key that comes twice is an error, and so is what follows the value. */
final class Json {
  private static final int MOST_NESTED = 100;
  private static final ObjectMapper MAPPER =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MOST_NESTED).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Json() {}

  /**
   * An object.
   *
   * @throws IOException if it is no JSON or no object; the message is one line
   */
  static JsonNode object(byte[] text) throws IOException {
    JsonNode node;
    try {
      node = MAPPER.readTree(text);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IOException("no JSON: " + e.getOriginalMessage(), e);
    }
    if (!node.isObject()) {
      throw new IOException("no JSON object, expected one in braces");
    }
    return node;
  }

  /** The text under some keys, one within the other; empty if there is none. */
  static String text(JsonNode node, String... keys) {
    JsonNode inner = node;
    for (String key : keys) {
      inner = inner.path(key);
    }
    return inner.isValueNode() ? inner.asText("") : "";
  }

  /** The members of an array, or the one value in its place. */
  static List<JsonNode> several(JsonNode node) {
    List<JsonNode> all = new ArrayList<>();
    if (node.isArray()) {
      node.forEach(all::add);
    } else if (!node.isMissingNode() && !node.isNull()) {
      all.add(node);
    }
    return all;
  }
}
