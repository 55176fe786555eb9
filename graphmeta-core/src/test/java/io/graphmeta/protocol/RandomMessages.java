package io.graphmeta.protocol;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.placement.SplitState;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.storage.Family;
import io.graphmeta.transfer.FileEntry;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Random messages of any kind, made from the components of its record, so that a new kind has them
 * without a word here.
 */
public final class RandomMessages {
  private final Random random;

  public RandomMessages(long seed) {
    random = new Random(seed);
  }

  public Call call(Class<?> request) {
    return new Call(number(), number(), (Request) message(request));
  }

  public Response answer(Class<?> kind) {
    return (Response) message(kind);
  }

  private Object message(Class<?> kind) {
    RecordComponent[] components = kind.getRecordComponents();
    Object[] values = new Object[components.length];
    Class<?>[] types = new Class<?>[components.length];
    int size = Integer.MAX_VALUE;
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      boolean nullable =
          components[i].getAnnotatedType().isAnnotationPresent(Nullable.class)
              && random.nextBoolean();
      Object value =
          kind == Request.FollowerTraversal.class && types[i] == Request.class
              ? message(
                  random.nextBoolean() ? Request.RunLevel.class : Request.StartTraversal.class)
              : nullable ? null : value(components[i].getGenericType());
      if (i == 0 && value instanceof long[] keys) {
        size = keys.length;
      } else if (i == 0 && value instanceof List<?> keys) {
        size = keys.size();
      } else if (value instanceof FrontierPart part) {
        size = part.size();
      } else if (components[i].getName().equals("fromIndex")) {
        value = random.nextInt(size + 1);
      } else if (value instanceof Position position && size < Integer.MAX_VALUE) {
        value = new Position(random.nextInt(size + 1), position.key());
      } else if (components[i].getName().equals("labelId")) {
        value = random.nextInt(4096);
      } else if (components[i].getName().equals("virtualNode")) {
        value = random.nextInt(65_536);
      } else if (components[i].getName().equals("count")) {
        value = random.nextInt(1 << 20);
      } else if (i > 0 && value instanceof byte[][] && values[i - 1] instanceof byte[][] keys) {
        value = arrays(keys.length);
      }
      values[i] = value;
    }
    try {
      var constructor = kind.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(kind + " cannot be made", e);
    }
  }

  private IndexDefinition definition() {
    return new IndexDefinition(
        number(),
        text(),
        (ElementKind) value(ElementKind.class),
        random.nextInt(4096),
        random.nextInt(65_536),
        Set.of((IndexKind) value(IndexKind.class)));
  }

  private SplitState splitState() {
    SplitState state = SplitState.WHOLE;
    for (int i = size(); i > 0; i--) {
      state = state.with(random.nextInt(65_536), random.nextLong(Long.MAX_VALUE));
    }
    return state;
  }

  private Map<Integer, Long> stampsOfLabels(int labels) {
    Map<Integer, Long> stamps = new HashMap<>();
    for (int i = size(); i > 0; i--) {
      stamps.put(random.nextInt(labels), number());
    }
    return stamps;
  }

  private Object value(Type type) {
    if (type == long.class || type == Long.class) {
      return number();
    } else if (type == int.class || type == Integer.class) {
      return (int) number();
    } else if (type == boolean.class) {
      return random.nextBoolean();
    } else if (type == String.class) {
      return text();
    } else if (type == byte[].class) {
      return bytes();
    } else if (type == byte[][].class) {
      return arrays(size());
    } else if (type == long[].class) {
      return random.longs(size()).map(any -> number()).toArray();
    } else if (type == int[].class) {
      return random.ints(size()).map(any -> (int) number()).toArray();
    } else if (type == StagedRows.class) {
      return rows();
    } else if (type == SchemaImage.class) {
      return schema();
    } else if (type == ElementPage.class) {
      return page();
    } else if (type == TraversalPage.class) {
      return traversalPage();
    } else if (type == PathSteps.class) {
      return pathSteps();
    } else if (type == FrontierPart.class) {
      return frontierPart();
    } else if (type == Plan.class) {
      return new RandomPlans(random).plan();
    } else if (type == Condition.class) {
      return new RandomPlans(random).condition();
    } else if (type == IndexDefinition.class) {
      return definition();
    } else if (type == PlanNames.class) {
      return new PlanNames(ids(), ids(), ids());
    } else if (type == SplitState.class) {
      return splitState();
    } else if (type == Request.class) { // in a message to replicas
      return message(random.nextBoolean() ? Request.ReadVertices.class : Request.Expand.class);
    } else if (type == Horizons.class) {
      return new Horizons(stampsOfLabels(4096), stampsOfLabels(65_536));
    } else if (type == Position.class) {
      return new Position(random.nextInt(1000), bytes());
    } else if (type instanceof Class<?> constants && constants.isEnum()) {
      return constants.getEnumConstants()[random.nextInt(constants.getEnumConstants().length)];
    } else if (type == ViewSpan.class) {
      ReadView last = (ReadView) message(ReadView.class);
      return new ViewSpan(Math.min(number(), last.validAt()), last);
    } else if (type == ReadView.class
        || type == TransactionId.class
        || type == TraversalId.class
        || type == MoveId.class
        || type == HotPartition.class
        || type == VirtualNodeSize.class
        || type == SideSize.class
        || type == LevelWork.class
        || type == IndexState.class
        || type == FileEntry.class
        || type == Response.PartsDone.class
        || type == EdgeKey.class
        || type == AdjacencyStatistics.class) {
      return message((Class<?>) type);
    } else if (type instanceof ParameterizedType parameterized) {
      return collection((Class<?>) parameterized.getRawType(), parameterized);
    }
    throw new AssertionError("Say here how random values of " + type + " are made");
  }

  private Object collection(Class<?> raw, ParameterizedType type) {
    if (raw == Map.class) {
      Map<Family, Long> counts = new EnumMap<>(Family.class);
      for (Family family : Family.values()) {
        if (random.nextBoolean()) {
          counts.put(family, number());
        }
      }
      return counts;
    } else if (raw == Set.class) {
      Set<Integer> labels = new HashSet<>();
      for (int i = size(); i > 0; i--) {
        labels.add(random.nextInt(65_536));
      }
      return labels;
    } else if (raw == List.class) {
      List<Object> values = new ArrayList<>();
      for (int i = size(); i > 0; i--) {
        values.add(value(type.getActualTypeArguments()[0]));
      }
      return values;
    }
    throw new AssertionError("Say here how random values of " + type + " are made");
  }

  ElementPage page() {
    boolean edges = random.nextBoolean();
    ElementPage.Builder page = new ElementPage.Builder(random.nextInt(4), edges);
    for (int e = size(); e > 0; e--) {
      int source = random.nextInt(1 << random.nextInt(1, 31));
      if (edges) {
        page.beginEdge(source, number(), random.nextInt(65_536), number(), number());
      } else {
        page.beginVertex(source, number());
      }
      for (int row = random.nextInt(4); row > 0; row--) {
        byte[] value = bytes();
        long valid = number();
        long committed = random.nextBoolean() ? valid : number();
        page.addRow(random.nextInt(65_536), number(), valid, committed, value, value.length);
        if (random.nextInt(8) == 0) {
          page.dropRow();
        }
      }
      if (random.nextInt(8) == 0) {
        page.dropElement();
      }
    }
    for (int referral = size(); referral > 0; referral--) {
      page.refer(random.nextInt(1 << random.nextInt(1, 31)), random.nextInt(4096));
    }
    return page.build(random.nextBoolean() ? null : new Position(random.nextInt(1000), bytes()));
  }

  private TraversalPage traversalPage() {
    long[] vertices = random.longs(size()).toArray();
    List<EdgeKey> edges = edgeKeys();
    byte[][] tuples = arrays(size());
    long[] bulks = bulks(vertices.length + edges.size() + tuples.length);
    ElementPage rows = random.nextBoolean() ? page() : null;
    return new TraversalPage(number(), vertices, edges, tuples, bulks, random.nextBoolean(), rows);
  }

  private PathSteps pathSteps() {
    PathSteps.Builder steps = new PathSteps.Builder();
    List<PathSteps.Stop> stops = new ArrayList<>();
    for (int i = size(); i > 0; i--) {
      int source = random.nextInt(1000);
      int position = (int) number();
      switch (random.nextInt(3)) {
        case 0 -> steps.stays(source, position);
        case 1 -> steps.vertex(source, position, number());
        default ->
            steps.edge(source, position, (EdgeKey) message(EdgeKey.class), random.nextBoolean());
      }
      List<PathOperation> operations = new ArrayList<>();
      for (int each = random.nextInt(4); each > 0; each--) {
        operations.add((PathOperation) value(PathOperation.class));
      }
      stops.add(new PathSteps.Stop(position, random.nextBoolean(), operations));
    }
    for (int i = size(); i > 0; i--) {
      steps.sendOn(random.nextInt(1000), random.nextInt(1000), random.nextInt(64));
    }
    int next = random.nextInt(1000) - 1;
    return steps.build(stops, next, number(), (LevelWork) value(LevelWork.class));
  }

  private FrontierPart frontierPart() {
    long[] vertices = random.longs(size()).toArray();
    List<EdgeKey> edges = edgeKeys();
    boolean[] fromSource = new boolean[edges.size()];
    for (int i = 0; i < fromSource.length; i++) {
      fromSource[i] = random.nextBoolean();
    }
    return new FrontierPart(
        (int) number(), vertices, edges, fromSource, bulks(vertices.length + edges.size()));
  }

  private List<EdgeKey> edgeKeys() {
    List<EdgeKey> keys = new ArrayList<>();
    for (int i = size(); i > 0; i--) {
      keys.add((EdgeKey) message(EdgeKey.class));
    }
    return keys;
  }

  private long[] bulks(int size) {
    return random.longs(random.nextBoolean() ? 0 : size).map(any -> number()).toArray();
  }

  private Map<String, Integer> ids() {
    Map<String, Integer> ids = new HashMap<>();
    for (int i = size(); i > 0; i--) {
      ids.put(text(), random.nextInt(4096));
    }
    return ids;
  }

  private StagedRows rows() {
    StagedRows rows = new StagedRows(random.nextInt(100));
    for (int i = size(); i > 0; i--) {
      Family family = Family.values()[random.nextInt(Family.values().length)];
      byte[] value = bytes();
      if (random.nextBoolean()) {
        rows.add(family, bytes(), number(), value, value.length);
      } else {
        rows.addPlain(family, bytes(), value);
      }
    }
    return rows;
  }

  private SchemaImage schema() {
    List<SchemaName> names = new ArrayList<>();
    int[] ids = new int[NameKind.values().length];
    for (int i = size(); i > 0; i--) {
      NameKind kind = NameKind.values()[random.nextInt(ids.length)];
      ids[kind.ordinal()] += 1 + random.nextInt(3);
      String name = names.size() + ":" + text();
      names.add(new SchemaName(kind, ids[kind.ordinal()], name, random.nextBoolean()));
    }
    return SchemaImage.of(names);
  }

  private int size() {
    return random.nextInt(10) == 0 ? random.nextInt(300) : random.nextInt(5);
  }

  /** Of any length in bits, and of both signs. */
  private long number() {
    long value = random.nextLong() >>> random.nextInt(64);
    return random.nextInt(4) == 0 ? -value : value;
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = size(); i > 0; i--) {
      text.appendCodePoint(
          random.nextInt(5) > 0 ? random.nextInt(0x80) : random.nextInt(0xe000, 0x11_0000));
    }
    return text.toString();
  }

  private byte[][] arrays(int count) {
    byte[][] arrays = new byte[count][];
    Arrays.setAll(arrays, i -> bytes());
    return arrays;
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(20) == 0 ? random.nextInt(3000) : random.nextInt(20)];
    random.nextBytes(bytes);
    return bytes;
  }
}
