package io.graphmeta.server.ingest.darshan;

import io.graphmeta.server.ingest.darshan.HeaderParser.Frame;
import io.graphmeta.server.ingest.darshan.HeaderParser.ModuleSlot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads binary Darshan logs. Stateless, so safe for any number of threads. */
public final class DarshanReader {
  private DarshanReader() {}

  /**
   * Reads a log with the {@linkplain DarshanLimits#defaults() default limits}.
   *
   * @throws DarshanFormatException if the file is no log, damaged, cut off, or of an unknown format
   * @throws IOException if the file can't be read
   */
  public static DarshanLog read(Path path) throws IOException {
    return read(path, DarshanLimits.defaults());
  }

  /**
   * Reads a log.
   *
   * @throws DarshanFormatException if the file is no log, damaged, cut off, of an unknown format,
   *     or beyond a limit
   * @throws IOException if the file can't be read
   */
  public static DarshanLog read(Path path, DarshanLimits limits) throws IOException {
    try (LogFile file = LogFile.open(path)) {
      Optional<Compression> stream = StreamLogParser.compression(file);
      if (stream.isPresent()) {
        return new StreamLogParser(path, file, stream.get(), limits).parse();
      }
      Frame frame = new HeaderParser(file).parse();
      RegionDecoder decoder =
          new RegionDecoder(file, frame.header().compression(), limits.maxRegionBytes());
      ByteOrder order = frame.header().byteOrder();
      DarshanJob job =
          new JobParser(file, frame.job(), decoder.decode(frame.job()))
              .parse(frame.format(), order);
      Map<Long, String> names =
          new NamesParser(file, frame.names(), limits.maxRecords())
              .parse(decoder.decode(frame.names()), frame.format(), order);
      List<FileRecord> files = new ArrayList<>();
      for (ModuleSlot slot : frame.modules()) {
        Optional<FileModule> module = FileModule.byName(slot.module().name());
        if (module.isPresent()) {
          CounterLayout layout = layout(file, slot, module.get());
          ByteBuffer records = ByteBuffer.wrap(decoder.decode(slot.region())).order(order);
          addRecords(file, slot, layout, records, limits, names, files);
        }
      }
      List<DarshanModule> modules = frame.modules().stream().map(ModuleSlot::module).toList();
      Optional<Timeline> timeline =
          new TimelineReader(file, frame, decoder, limits.maxRecords()).read(names);
      return new DarshanLog(
          path, frame.header(), job, names, modules, List.copyOf(files), timeline);
    }
  }

  private static CounterLayout layout(LogFile file, ModuleSlot slot, FileModule module)
      throws DarshanFormatException {
    int version = slot.module().version();
    Optional<CounterLayout> layout = CounterLayout.of(module, version);
    if (layout.isEmpty()) {
      throw file.corrupt(
          slot.region().offset(),
          module
              + " records of version "
              + Integer.toUnsignedString(version)
              + ", expected one of "
              + CounterLayout.versions(module));
    }
    return layout.get();
  }

  private static void addRecords(
      LogFile file,
      ModuleSlot slot,
      CounterLayout layout,
      ByteBuffer records,
      DarshanLimits limits,
      Map<Long, String> names,
      List<FileRecord> files)
      throws DarshanFormatException {
    int recordBytes = layout.recordBytes();
    int count = records.limit() / recordBytes;
    if (count * recordBytes != records.limit()) {
      throw file.corrupt(
          slot.region().offset(),
          "the "
              + slot.region().name()
              + " holds "
              + records.limit()
              + " bytes when decompressed, expected a multiple of "
              + recordBytes
              + " (version "
              + layout.version()
              + ")");
    }
    if (count > limits.maxRecords()) {
      throw file.corrupt(
          slot.region().offset(),
          "the "
              + slot.region().name()
              + " holds "
              + count
              + " records, expected at most "
              + limits.maxRecords()
              + " (raise the reader's limit maxRecords if the log is sound)");
    }
    for (int i = 0; i < count; i++) {
      int offset = i * recordBytes;
      String path = names.get(records.getLong(offset));
      FileName name = path == null ? FileName.NONE : FileName.of(path);
      files.add(new FileRecord(layout, records, offset, name));
    }
  }
}
