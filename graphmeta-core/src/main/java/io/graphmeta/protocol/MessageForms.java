package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.GraphMetaException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All kinds of messages that go one way, by type and by number. Immutable. */
final class MessageForms<M> {
  private final Map<Class<?>, MessageForm<? extends M>> byType = new HashMap<>();
  private final Map<Integer, MessageForm<? extends M>> byNumber = new HashMap<>();

  MessageForms(List<MessageForm<? extends M>> forms) {
    for (MessageForm<? extends M> form : forms) {
      if (byType.put(form.type(), form) != null || byNumber.put(form.number(), form) != null) {
        throw GraphMetaException.internal("Message kind " + form.number() + " is there twice");
      }
    }
  }

  /** The numbers of all kinds. */
  Map<Integer, MessageForm<? extends M>> byNumber() {
    return Map.copyOf(byNumber);
  }

  /** Appends the body of a message behind its kind and what {@code head} appends. */
  void write(M message, ByteWriter out, Runnable head) {
    MessageForm<? extends M> form = byType.get(message.getClass());
    if (form == null) {
      throw GraphMetaException.internal("No form for " + message.getClass().getSimpleName());
    }
    out.putByte(form.number());
    head.run();
    form.write(message, out);
  }

  /** Reads the body of a message of a kind. */
  M read(int kind, ByteReader in) {
    MessageForm<? extends M> form = byNumber.get(kind);
    if (form == null) {
      throw Fields.corrupt("Message kind " + kind + " is unknown");
    }
    return form.reader().apply(in);
  }
}
