package io.graphmeta.bench.peers.runner.everyday;

import io.graphmeta.bench.peers.runner.Schema;
import io.graphmeta.bench.workload.PathIds;
import io.graphmeta.bench.workload.Payload;
import java.util.List;
import java.util.Map;

/** The elements that all subjects are given: ids, texts and attributes by number. Stateless. */
public final class Data {
  /** Label of vertices with a text. */
  public static final String DATASET = "dataset";

  /** Label of edges between them, with a text. */
  public static final String LINK = "link";

  /** Label of the vertex that files are in. */
  public static final String DIRECTORY = "directory";

  /** Label of vertices with attributes. */
  public static final String FILE = "file";

  /** Label of edges from a directory to its files. */
  public static final String CONTAINS = "contains";

  /** The property of data sets and links. */
  public static final String PAYLOAD = "payload";

  /** The attributes of a file, and their types. */
  public static final Map<String, Class<?>> ATTRIBUTES =
      Map.of(
          "name",
          String.class,
          "owner",
          String.class,
          "group",
          String.class,
          "type",
          String.class,
          "mode",
          Integer.class,
          "size",
          Long.class,
          "created",
          Long.class,
          "modified",
          Long.class);

  /** The attribute that is read again. */
  public static final String SIZE = "size";

  static final Schema SCHEMA = schema();

  private static final int PAYLOAD_BYTES = 128;
  private static final Payload TEXTS = new Payload(PAYLOAD_BYTES, 42);
  private static final long CREATION_MILLIS = 1_700_000_000_000L;
  private static final int OWNERS = 100;
  private static final int GROUPS = 10;

  private Data() {}

  private static Schema schema() {
    List<String> attributes = ATTRIBUTES.keySet().stream().sorted().toList();
    Map<String, Class<?>> keys = new java.util.TreeMap<>(ATTRIBUTES);
    keys.put(PAYLOAD, String.class);
    return new Schema(
        true,
        keys,
        List.of(
            new Schema.VertexLabel(DATASET, List.of(PAYLOAD)),
            new Schema.VertexLabel(DIRECTORY, List.of(PAYLOAD)),
            new Schema.VertexLabel(FILE, attributes)),
        List.of(
            new Schema.EdgeLabel(LINK, DATASET, DATASET, List.of(PAYLOAD)),
            new Schema.EdgeLabel(CONTAINS, DIRECTORY, FILE, List.of())));
  }

  /** The id of a vertex. */
  public static String id(int number) {
    return PathIds.of(number);
  }

  /** The text of a vertex. */
  public static String vertexText(int number) {
    return TEXTS.text(number);
  }

  /** The text of an edge. */
  public static String edgeText(int number) {
    return TEXTS.text(~number);
  }

  /** The size of a file. */
  public static long size(int number) {
    return number * 4_096L + 17;
  }

  /** The attributes of a file, names and values in turn. */
  public static Object[] attributes(int number) {
    return new Object[] {
      "name",
      "rank" + number + ".h5",
      "owner",
      "user" + number % OWNERS,
      "group",
      "group" + number % GROUPS,
      "type",
      "hdf5",
      "mode",
      0644,
      SIZE,
      size(number),
      "created",
      CREATION_MILLIS + number,
      "modified",
      CREATION_MILLIS + 2L * number
    };
  }

  /** Looks at a text that was read. */
  public static long look(String text) {
    return look(text.length(), text.charAt(text.length() - 1));
  }

  private static long look(int length, char last) {
    return 31L * length + last;
  }

  /** What looking at the text of a vertex comes to. */
  static long vertexLook(int number) {
    return look(PAYLOAD_BYTES, TEXTS.lastCharacter(number));
  }

  /** What looking at the text of an edge comes to. */
  static long edgeLook(int number) {
    return look(PAYLOAD_BYTES, TEXTS.lastCharacter(~number));
  }
}
