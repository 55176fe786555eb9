package io.graphmeta.protocol;

import io.graphmeta.schema.SchemaImage;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All that a message says, as a text: two messages are the same if their texts are. */
public final class MessageText {
  private MessageText() {}

  public static String of(@Nullable Object value) {
    StringBuilder text = new StringBuilder();
    try {
      append(value, text);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
    return text.toString();
  }

  private static void append(@Nullable Object value, StringBuilder text)
      throws ReflectiveOperationException {
    if (value instanceof Record) {
      text.append(value.getClass().getSimpleName()).append('(');
      for (RecordComponent component : value.getClass().getRecordComponents()) {
        component.getAccessor().setAccessible(true);
        text.append(component.getName()).append('=');
        append(component.getAccessor().invoke(value), text);
      }
      text.append(')');
    } else if (value instanceof StagedRows rows) {
      text.append(rows.count()).append(" rows ");
      rows.forEach(
          (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) ->
              text.append(family)
                  .append(stamped)
                  .append(valid)
                  .append(Arrays.toString(Arrays.copyOfRange(buffer, slotAt, slotAt + slotLength)))
                  .append(
                      Arrays.toString(Arrays.copyOfRange(buffer, valueAt, valueAt + valueLength))));
    } else if (value instanceof ElementPage page) {
      append(page, text);
    } else if (value instanceof SchemaImage image) {
      append(image.entries(), text);
    } else if (value instanceof Map<?, ?> map) {
      text.append(new TreeMap<>(map));
    } else if (value instanceof java.util.Set<?> set) {
      text.append(new TreeSet<>(set));
    } else if (value instanceof Collection<?> values) {
      text.append('[');
      for (Object each : values) {
        append(each, text);
        text.append(',');
      }
      text.append(']');
    } else if (value != null && value.getClass().isArray()) {
      text.append('[');
      for (int i = 0; i < Array.getLength(value); i++) {
        append(Array.get(value, i), text);
        text.append(',');
      }
      text.append(']');
    } else {
      text.append(value).append(';');
    }
  }

  private static void append(ElementPage page, StringBuilder text)
      throws ReflectiveOperationException {
    append(page.next(), text);
    for (int referral = 0; referral < page.referrals(); referral++) {
      text.append(page.referredSource(referral)).append('>');
      text.append(page.referredShard(referral)).append(' ');
    }
    for (int e = 0; e < page.elements(); e++) {
      text.append('\n').append(page.source(e)).append(' ').append(page.owner(e));
      if (page.isOfEdges()) {
        text.append(' ').append(page.label(e)).append(' ').append(page.other(e));
        text.append(' ').append(page.sequence(e));
      }
      for (int row = page.firstRow(e); row < page.firstRow(e + 1); row++) {
        text.append("\n  ").append(page.propertyKey(row)).append(' ').append(page.valueId(row));
        text.append(' ').append(page.valid(row)).append(' ').append(page.committed(row));
        append(Arrays.copyOfRange(page.data(), page.valueStart(row), page.valueEnd(row)), text);
      }
    }
  }
}
