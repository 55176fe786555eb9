package io.graphmeta.storage.rocksdb;

import io.graphmeta.storage.rocksdb.CutFile.Cut;
import io.graphmeta.storage.rocksdb.CutFile.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;

/** Makes the cuts of a database those of another run of the system, as a loss of power does. */
public final class OtherBoot {
  private static final UUID OTHER = new UUID(1, 1);

  private OtherBoot() {}

  /** Does so for a database that is closed; what is not whole in the file stays so. */
  public static void pretend(Path directory, int shards) throws IOException {
    Path file = directory.resolve(CutFile.NAME);
    if (!Files.exists(file)) {
      return;
    }
    byte[] bytes = Files.readAllBytes(file);
    int length = CutFile.slotBytes(shards);
    for (int slot = 0; slot < 2 && bytes.length >= (slot + 1) * length; slot++) {
      Cut cut = Cut.decode(Arrays.copyOfRange(bytes, slot * length, (slot + 1) * length), shards);
      if (cut != null) {
        Place place = new Place(OTHER, cut.place().device(), cut.place().file());
        byte[] other = new Cut(cut.number(), place, cut.positions()).encode();
        System.arraycopy(other, 0, bytes, slot * length, length);
      }
    }
    Files.write(file, bytes);
  }
}
