package io.graphmeta.server.ingest.darshan;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/**
 * Turns a region of the file into its content. A region is one or more complete compressed streams
 * in a row; their contents are joined. Stops at the first byte beyond the limit, so a small file
 * can't fill the memory. Used by one thread.
 */
final class RegionDecoder {
  private static final int CHUNK_BYTES = 64 << 10;

  private final LogFile file;
  private final Compression compression;
  private final int maxRegionBytes;
  private boolean beyondLimit;

  RegionDecoder(LogFile file, Compression compression, int maxRegionBytes) {
    this.file = file;
    this.compression = compression;
    this.maxRegionBytes = maxRegionBytes;
  }

  /** The content of a region; empty if the region is. */
  byte[] decode(Region region) throws IOException {
    if (region.length() > maxRegionBytes) {
      throw tooLarge(region, "holds " + region.length() + " bytes in the file");
    }
    byte[] stored = file.read(region.offset(), (int) region.length(), "the " + region.name());
    return switch (compression) {
      case ZLIB -> inflate(region, stored);
      case BZIP2 -> bunzip2(region, stored);
      case GZIP -> gunzip(region, stored);
      case STORED -> stored;
    };
  }

  /** The content of a region; empty if it is larger than the limit. */
  Optional<byte[]> decodeWithinLimit(Region region) throws IOException {
    beyondLimit = false;
    try {
      return Optional.of(decode(region));
    } catch (DarshanFormatException e) {
      if (beyondLimit) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private byte[] inflate(Region region, byte[] compressed) throws IOException {
    Content content = new Content(region);
    byte[] chunk = new byte[CHUNK_BYTES];
    int streamStart = 0;
    Inflater inflater = new Inflater();
    try {
      while (streamStart < compressed.length) {
        inflater.reset();
        inflater.setInput(compressed, streamStart, compressed.length - streamStart);
        while (!inflater.finished()) {
          int count = inflater.inflate(chunk);
          if (count == 0 && !inflater.finished()) {
            throw damaged(
                region, streamStart + inflater.getBytesRead(), "ends inside a zlib stream");
          }
          content.append(chunk, count);
        }
        streamStart += (int) inflater.getBytesRead();
      }
    } catch (DataFormatException e) {
      throw damaged(
          region, streamStart + inflater.getBytesRead(), "is damaged (" + e.getMessage() + ")");
    } finally {
      inflater.end();
    }
    return content.toByteArray();
  }

  private byte[] bunzip2(Region region, byte[] compressed) throws IOException {
    Content content = new Content(region);
    byte[] chunk = new byte[CHUNK_BYTES];
    if (compressed.length > 0) {
      try (BZip2CompressorInputStream in =
          new BZip2CompressorInputStream(new ByteArrayInputStream(compressed), true)) {
        for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
          content.append(chunk, count);
        }
      } catch (DarshanFormatException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        // The decoder answers some damaged streams with an ArrayIndexOutOfBoundsException.
        throw damaged(region, 0, "is damaged (" + e.getMessage() + ")");
      }
    }
    return content.toByteArray();
  }

  private byte[] gunzip(Region region, byte[] compressed) throws IOException {
    Content content = new Content(region);
    byte[] chunk = new byte[CHUNK_BYTES];
    ByteArrayInputStream bytes = new ByteArrayInputStream(compressed);
    try (GzipCompressorInputStream in = new GzipCompressorInputStream(bytes, true)) {
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        content.append(chunk, count);
      }
    } catch (DarshanFormatException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw damaged(
          region, compressed.length - bytes.available(), "is damaged (" + e.getMessage() + ")");
    }
    return content.toByteArray();
  }

  private DarshanFormatException damaged(Region region, long consumed, String what) {
    return file.corrupt(
        region.offset() + consumed,
        "the "
            + region.name()
            + " "
            + what
            + ", expected complete "
            + compression
            + " streams in its "
            + region.length()
            + " bytes");
  }

  private DarshanFormatException tooLarge(Region region, String found) {
    beyondLimit = true;
    return file.corrupt(
        region.offset(),
        "the "
            + region.name()
            + " "
            + found
            + ", expected at most "
            + maxRegionBytes
            + " (raise the reader's limit maxRegionBytes if the log is sound)");
  }

  /** Collects content up to the limit. */
  private final class Content {
    private final Region region;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Content(Region region) {
      this.region = region;
    }

    void append(byte[] chunk, int count) throws DarshanFormatException {
      if (count > maxRegionBytes - bytes.size()) {
        throw tooLarge(region, "holds more than " + maxRegionBytes + " bytes when decompressed");
      }
      bytes.write(chunk, 0, count);
    }

    byte[] toByteArray() {
      return bytes.toByteArray();
    }
  }
}
