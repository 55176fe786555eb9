package io.graphmeta.server.ingest.darshan;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The bytes of a log on disk, each access checked against the file's size. Used by one thread. */
final class LogFile implements Closeable {
  private final Path path;
  private final FileChannel channel;
  private final long sizeBytes;

  private LogFile(Path path, FileChannel channel, long sizeBytes) {
    this.path = path;
    this.channel = channel;
    this.sizeBytes = sizeBytes;
  }

  static LogFile open(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      return new LogFile(path, channel, channel.size());
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /** Reads a part of the file into memory; the caller has checked its length against a limit. */
  byte[] read(long offset, int length, String what) throws IOException {
    if (offset < 0 || length < 0 || offset > sizeBytes - length) {
      throw corrupt(
          offset,
          what
              + " of "
              + length
              + " bytes reaches beyond the end, expected a file of more than "
              + sizeBytes
              + " bytes");
    }
    ByteBuffer buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, offset + buffer.position()) < 0) {
        throw corrupt(
            offset + buffer.position(),
            "the file became shorter while it was read, expected " + sizeBytes + " bytes");
      }
    }
    return buffer.array();
  }

  DarshanFormatException corrupt(long offset, String reason) {
    return new DarshanFormatException(path, offset, reason);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
