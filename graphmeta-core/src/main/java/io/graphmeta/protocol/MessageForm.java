package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * How one kind of message is written. Immutable.
 *
 * @param number the kind, as it stands before the body; never given to another kind
 * @param type the message
 * @param writer appends the body
 * @param reader reads the body; fails with {@code CORRUPTION} if there is no message in it
 */
record MessageForm<T>(
    int number,
    Class<T> type,
    BiConsumer<? super T, ByteWriter> writer,
    Function<ByteReader, ? extends T> reader) {
  void write(Object message, ByteWriter out) {
    writer.accept(type.cast(message), out);
  }
}
