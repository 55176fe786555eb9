package io.graphmeta.server.ingest.darshan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the header: the frame of the log and where its regions lie. */
final class HeaderParser {
  private static final int VERSION_BYTES = 8;
  private static final int COMPRESSION_OFFSET = 16;

  /** Stands behind the version in all formats and tells the byte order. */
  static final long MAGIC = 6_567_223;

  private static final List<Compression> CODES =
      List.of(Compression.ZLIB, Compression.BZIP2, Compression.STORED);

  /** A slot of the header that has data. */
  record ModuleSlot(DarshanModule module, Region region) {}

  /** The header in full. */
  record Frame(
      DarshanHeader header,
      FormatVersion format,
      Region job,
      Region names,
      List<ModuleSlot> modules) {}

  private final LogFile file;

  HeaderParser(LogFile file) {
    this.file = file;
  }

  Frame parse() throws IOException {
    FormatVersion format = format();
    ByteBuffer header = ByteBuffer.wrap(file.read(0, format.headerBytes(), "the header"));
    header.order(byteOrder(header));
    Compression compression = compression(header.get(COMPRESSION_OFFSET));
    long partialFlags =
        format.partialFlagsAreLong()
            ? header.getLong(format.partialFlagsOffset())
            : Integer.toUnsignedLong(header.getInt(format.partialFlagsOffset()));
    Region names = region(header, format, format.namesMapOffset(), "names region");
    List<ModuleSlot> modules = modules(header, format, partialFlags);
    return new Frame(
        new DarshanHeader(format.text(), header.order(), compression, partialFlags != 0),
        format,
        jobRegion(header, format, names),
        names,
        modules);
  }

  private FormatVersion format() throws IOException {
    byte[] start = file.read(0, VERSION_BYTES, "the version");
    int end = 0;
    while (end < VERSION_BYTES && start[end] > ' ' && start[end] < 0x7f) {
      end++;
    }
    String text = new String(start, 0, end, StandardCharsets.US_ASCII);
    return FormatVersion.of(text)
        .orElseThrow(
            () ->
                file.corrupt(
                    0,
                    "format version \""
                        + text
                        + "\", expected a Darshan log of one of "
                        + FormatVersion.texts()
                        + ", or of "
                        + StreamFormat.texts()
                        + " whether compressed or not"));
  }

  private ByteOrder byteOrder(ByteBuffer header) throws DarshanFormatException {
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      if (header.order(order).getLong(VERSION_BYTES) == MAGIC) {
        return order;
      }
    }
    throw file.corrupt(
        VERSION_BYTES,
        "magic number "
            + header.order(ByteOrder.LITTLE_ENDIAN).getLong(VERSION_BYTES)
            + ", expected "
            + MAGIC
            + " in either byte order");
  }

  private Compression compression(byte code) throws DarshanFormatException {
    if (code < 0 || code >= CODES.size()) {
      throw file.corrupt(
          COMPRESSION_OFFSET,
          "compression "
              + Byte.toUnsignedInt(code)
              + ", expected 0 (zlib), 1 (bzip2) or 2 (stored)");
    }
    return CODES.get(code);
  }

  private List<ModuleSlot> modules(ByteBuffer header, FormatVersion format, long partialFlags)
      throws DarshanFormatException {
    List<ModuleSlot> found = new ArrayList<>();
    List<String> names = format.slotNames();
    for (int slot = 0; slot < format.slotCount(); slot++) {
      String name = slot < names.size() ? names.get(slot) : "SLOT-" + slot;
      Region region =
          region(header, format, format.moduleMapsOffset() + 16 * slot, "region of module " + name);
      if (!region.isEmpty()) {
        int version = header.getInt(format.moduleVersionsOffset() + 4 * slot);
        boolean partial = (partialFlags >>> slot & 1) != 0;
        boolean decoded = FileModule.byName(name).isPresent();
        found.add(
            new ModuleSlot(
                new DarshanModule(name, version, region.length(), partial, decoded), region));
      }
    }
    return List.copyOf(found);
  }

  /** The map of a region; each must lie behind the header and inside the file. */
  private Region region(ByteBuffer header, FormatVersion format, int at, String name)
      throws DarshanFormatException {
    long offset = header.getLong(at);
    long length = header.getLong(at + Long.BYTES);
    if (length == 0) {
      return new Region(name, Math.max(0, offset), 0);
    }
    if (offset < format.headerBytes() || length < 0 || offset > file.sizeBytes() - length) {
      throw file.corrupt(
          at,
          "the "
              + name
              + " starts at "
              + Long.toUnsignedString(offset)
              + " and holds "
              + Long.toUnsignedString(length)
              + " bytes, expected it between "
              + format.headerBytes()
              + " and the file's end at "
              + file.sizeBytes()
              + " (a log that was cut off, or damaged)");
    }
    return new Region(name, offset, length);
  }

  /**
   * The job region has no map: it fills the space up to the first other region, or to the end of
   * the file.
   */
  private Region jobRegion(ByteBuffer header, FormatVersion format, Region names)
      throws DarshanFormatException {
    long end = names.offset();
    for (int slot = 0; end == 0 && slot < format.slotCount(); slot++) {
      end = header.getLong(format.moduleMapsOffset() + 16 * slot);
    }
    if (end == 0) {
      end = file.sizeBytes();
    }
    if (end <= format.headerBytes() || end > file.sizeBytes()) {
      throw file.corrupt(
          format.headerBytes(),
          "the job region ends at "
              + Long.toUnsignedString(end)
              + ", expected between "
              + format.headerBytes()
              + " and the file's end at "
              + file.sizeBytes()
              + " (a log that was cut off, or damaged)");
    }
    return new Region("job region", format.headerBytes(), end - format.headerBytes());
  }
}
