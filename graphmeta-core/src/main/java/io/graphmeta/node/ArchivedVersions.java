package io.graphmeta.node;

import io.graphmeta.archive.Archive;
import io.graphmeta.archive.ArchiveDirectory;
import io.graphmeta.archive.ArchivedRows;
import io.graphmeta.archive.ArchivedVersion;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.rocksdb.RowFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the versions of an archive without a database, by the names in its manifest: those of
 * vertices, and those of edges once, from their sources. Belongs to one thread.
 */
public final class ArchivedVersions {
  private final Archive archive;
  private final SchemaImage names;
  private final Consumer<ArchivedVersion> receiver;
  private byte[] element = new byte[0];
  private @Nullable String givenId;

  private ArchivedVersions(Archive archive, Consumer<ArchivedVersion> receiver) {
    this.archive = archive;
    this.names = SchemaImage.of(archive.names());
    this.receiver = receiver;
  }

  /**
   * Calls a receiver for all versions of an archive, element by element in the order of their keys,
   * of each the newest versions first.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code CORRUPTION} if a file is not as it was
   *     written
   */
  public static void forEach(Path archives, Archive archive, Consumer<ArchivedVersion> receiver) {
    ArchiveDirectory directory = new ArchiveDirectory(archives, FileOperations.ON_DISK);
    directory.requireWhole(archive);
    for (Family family : new Family[] {Family.ATTRIBUTES, Family.OUT}) {
      for (ArchivedRows file : archive.files()) {
        if (file.family().equals(family.name())) {
          ArchivedVersions read = new ArchivedVersions(archive, receiver);
          RowFile.read(
              directory.of(archive.name()).resolve(file.fileName()),
              (key, value) -> read.row(family == Family.ATTRIBUTES, key, value));
        }
      }
    }
  }

  private void row(boolean isVertex, byte[] key, byte[] value) {
    ElementLayout layout = isVertex ? ElementLayout.VERTEX : ElementLayout.EDGE;
    byte[] own = Arrays.copyOf(key, layout.elementBytes());
    if (!Arrays.equals(own, element)) {
      element = own;
      givenId = null;
    }
    int propertyKey = layout.propertyKeyId(key);
    ByteReader in = new ByteReader(value, 0, value.length);
    int flags = in.getByte();
    boolean removed = (flags & RowValues.TOMBSTONE) != 0;
    String id = !removed && (flags & RowValues.HAS_ID) != 0 ? in.getText() : null;
    Map<String, Object> values = new LinkedHashMap<>();
    if (propertyKey == RowKeys.BODY) {
      givenId = id == null ? givenId : id;
      for (int count = in.remaining() == 0 ? 0 : in.getVarInt(); count > 0; count--) {
        String name = names.name(NameKind.PROPERTY_KEY, in.getVarInt());
        in.getVarInt();
        values.put(name, ValueCodec.read(in));
      }
    } else if (!removed) {
      values.put(names.name(NameKind.PROPERTY_KEY, propertyKey), ValueCodec.read(in));
    }
    receiver.accept(version(isVertex, key, layout, removed, values));
  }

  private ArchivedVersion version(
      boolean isVertex,
      byte[] key,
      ElementLayout layout,
      boolean removed,
      Map<String, Object> values) {
    long vertex = BigEndian.getLong(key, 0);
    EdgeKey edge = isVertex ? null : RowKeys.edgeKey(key, 0);
    int propertyKey = layout.propertyKeyId(key);
    return new ArchivedVersion(
        archive.name(),
        isVertex,
        edge == null ? GeneratedIds.ofVertex(vertex) : GeneratedIds.ofEdge(edge),
        givenId,
        edge == null
            ? names.name(NameKind.VERTEX_LABEL, VertexKeys.labelId(vertex))
            : names.name(NameKind.EDGE_LABEL, edge.labelId()),
        edge == null
            ? ""
            : GeneratedIds.ofVertex(edge.out()) + " " + GeneratedIds.ofVertex(edge.in()),
        propertyKey == RowKeys.BODY ? null : names.name(NameKind.PROPERTY_KEY, propertyKey),
        removed,
        layout.valid(key),
        layout.committed(key, key.length),
        values);
  }
}
