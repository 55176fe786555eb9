package io.graphmeta.gremlin.structure;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.PropertyTypes;
import io.graphmeta.model.TypedIds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.tinkerpop.gremlin.structure.io.gryo.GryoMapper;
import org.apache.tinkerpop.gremlin.structure.io.gryo.GryoVersion;
import org.apache.tinkerpop.shaded.kryo.Kryo;
import org.apache.tinkerpop.shaded.kryo.KryoException;
import org.apache.tinkerpop.shaded.kryo.io.Input;
import org.apache.tinkerpop.shaded.kryo.io.Output;
import org.jspecify.annotations.Nullable;

/**
 * Values and ids between users and the engine. What drivers of every language can read is stored as
 * it is. A program in Java may have its graph take more: arrays, and objects of the classes that it
 * names. Each of these is stored as a map of two entries, which no user can give:
 *
 * <pre>
 * ~java  the class: "int[]", "org.example.Station"
 * value  the elements of an array as a list, or an object in Gryo
 * </pre>
 *
 * A graph that was not told to take them reads them too: arrays as lists, objects as bytes. Objects
 * are made of stored bytes only if their class is named, by its fields; nothing that the bytes say
 * chooses a class. Safe for use by many threads.
 */
final class JavaTypes {
  /** What turns arrays on, beside any class. */
  static final String ARRAYS = "arrays";

  private static final String CLASS = "~java";
  private static final String VALUE = "value";
  private static final String ID_PREFIX = TypedIds.PREFIX + "@";

  private static final Map<String, Class<?>> ARRAY_ELEMENTS =
      Map.of(
          "boolean[]", boolean.class,
          "double[]", double.class,
          "float[]", float.class,
          "int[]", int.class,
          "long[]", long.class,
          "short[]", short.class,
          "String[]", String.class);

  private final boolean arrays;
  private final Map<String, Named> classes = new TreeMap<>();

  /** A class, and what reads and writes its objects. */
  private static final class Named {
    final Class<?> type;

    @GuardedBy("this")
    private final Kryo kryo;

    Named(Class<?> type) {
      this.type = type;
      this.kryo =
          GryoMapper.build().version(GryoVersion.V3_0).addCustom(type).create().createMapper();
    }

    synchronized byte[] written(Object object) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (Output out = new Output(bytes)) {
        kryo.writeObject(out, object);
      } catch (KryoException | IllegalArgumentException e) {
        throw GraphMetaException.invalid(
            "An object of "
                + type.getName()
                + " cannot be stored: "
                + e.getMessage()
                + "; expected fields of types that Gryo knows");
      }
      return bytes.toByteArray();
    }

    synchronized Object read(byte[] bytes) {
      try (Input in = new Input(new ByteArrayInputStream(bytes))) {
        return kryo.readObject(in, type);
      } catch (KryoException | IllegalArgumentException e) {
        throw new GraphMetaException(
            ErrorCode.CORRUPTION,
            "Stored bytes are no object of " + type.getName() + ", whose fields may have changed",
            e);
      }
    }
  }

  /**
   * Takes what a configuration names.
   *
   * @param names {@link #ARRAYS} and names of classes; none for the types of all drivers alone
   */
  JavaTypes(List<String> names) {
    arrays = !names.isEmpty();
    for (String name : names) {
      if (name.equals(ARRAYS)) {
        continue;
      }
      try {
        classes.put(name, new Named(Class.forName(name)));
      } catch (ClassNotFoundException e) {
        throw new GraphMetaException(
            ErrorCode.INVALID_CONFIGURATION,
            "Setting "
                + ProviderSetting.JAVA_TYPES.key()
                + " names class '"
                + name
                + "', which is not on the class path; expected '"
                + ARRAYS
                + "' or the full name of a class",
            e);
      }
    }
  }

  boolean takesArrays() {
    return arrays;
  }

  boolean takesObjects() {
    return !classes.isEmpty();
  }

  // Values

  /**
   * The stored form of a value.
   *
   * @throws GraphMetaException if the type is not taken
   */
  Object stored(String key, Object value) {
    Object java = javaValue(value);
    if (java != null) {
      return java;
    }
    if (value instanceof Map<?, ?> map && map.containsKey(CLASS)) {
      throw GraphMetaException.invalid(
          "Property '"
              + key
              + "' is a map with the key '"
              + CLASS
              + "', which is kept for the graph");
    }
    if (!PropertyTypes.isSupported(value)) {
      PropertyTypes.checked(key, value);
    }
    return value;
  }

  private @Nullable Object javaValue(Object value) {
    if (arrays && value.getClass().isArray()) {
      String name = value.getClass().getSimpleName();
      if (value instanceof byte[] bytes) {
        return form("byte[]", ByteBuffer.wrap(bytes.clone()));
      }
      if (ARRAY_ELEMENTS.get(name) != value.getClass().getComponentType()) {
        return null;
      }
      List<Object> elements = new ArrayList<>();
      for (int i = 0; i < Array.getLength(value); i++) {
        elements.add(Array.get(value, i));
      }
      return form(name, elements);
    }
    byte[] bytes = written(value);
    return bytes == null ? null : form(value.getClass().getName(), ByteBuffer.wrap(bytes));
  }

  private static Map<String, Object> form(String type, Object value) {
    Map<String, Object> form = new LinkedHashMap<>();
    form.put(CLASS, type);
    form.put(VALUE, value);
    return form;
  }

  /** The value of a stored form. */
  Object given(Object stored) {
    if (!(stored instanceof Map<?, ?> form) || !(form.get(CLASS) instanceof String type)) {
      return stored;
    }
    Object value = form.get(VALUE);
    if (value == null) {
      return stored;
    }
    if (arrays && value instanceof List<?> elements && ARRAY_ELEMENTS.containsKey(type)) {
      Object array = Array.newInstance(ARRAY_ELEMENTS.get(type), elements.size());
      for (int i = 0; i < elements.size(); i++) {
        Array.set(array, i, elements.get(i));
      }
      return array;
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      if (arrays && type.equals("byte[]")) {
        return bytes;
      }
      Object object = read(type, bytes);
      return object == null ? value : object;
    }
    return value;
  }

  // Ids

  /** The stored form of an id, or null for what cannot be one. */
  @Nullable String storedId(@Nullable Object id) {
    byte[] bytes = id == null ? null : written(id);
    return bytes == null || id == null
        ? TypedIds.stored(id)
        : ID_PREFIX
            + id.getClass().getName()
            + ":"
            + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The stored forms that an id may have, its own first. */
  List<String> idForms(@Nullable Object id) {
    String stored = storedId(id);
    return stored != null && stored.startsWith(ID_PREFIX) ? List.of(stored) : TypedIds.forms(id);
  }

  /** The id of a stored form; of a class that is not named, the stored form itself. */
  Object givenId(String stored) {
    if (!stored.startsWith(ID_PREFIX)) {
      return TypedIds.given(stored);
    }
    int end = stored.indexOf(':');
    String type = stored.substring(ID_PREFIX.length(), Math.max(end, ID_PREFIX.length()));
    if (!classes.containsKey(type)) {
      return stored;
    }
    Object id = read(type, Base64.getUrlDecoder().decode(stored.substring(end + 1)));
    return id == null ? stored : id;
  }

  // Objects

  private byte @Nullable [] written(Object object) {
    Named named = classes.isEmpty() ? null : classes.get(object.getClass().getName());
    return named == null || named.type != object.getClass() ? null : named.written(object);
  }

  private @Nullable Object read(String type, byte[] bytes) {
    Named named = classes.get(type);
    return named == null ? null : named.read(bytes);
  }
}
