package io.graphmeta.bench.wire;

import io.graphmeta.bench.engine.ScratchDirectory;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.ReadView;
import io.graphmeta.node.HostedShard;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A page of a scan over made-up files with paths, owners, sizes and checksums.
 *
 * @param call what asks for it
 * @param page what a shard answers
 */
record FilePage(Call call, Response page) {
  /** A page of so many files, or as many as go into one. */
  static FilePage of(int files) throws IOException {
    try (ScratchDirectory scratch =
        new ScratchDirectory(Path.of(System.getProperty("java.io.tmpdir")))) {
      Path directory = scratch.path().resolve("files");
      GraphMetaConfig config = GraphMetaConfig.inDirectory(directory);
      long snapshot = write(config, files);
      Request scan =
          new Request.ScanVertices(
              0, ReadView.at(snapshot), Request.Detail.PROPERTIES, Request.Position.START);
      Call call = new Call(1, 30_000, scan);
      try (HostedShard shard =
          HostedShard.open(
              0, directory.resolve("shard-0"), false, config, InstantSource.system())) {
        return new FilePage(call, shard.handle(call).join());
      }
    }
  }

  private static long write(GraphMetaConfig config, int files) {
    SplittableRandom random = new SplittableRandom(1);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      try (GraphTransaction tx = database.begin()) {
        for (int file = 0; file < files; file++) {
          String owner = "user" + random.nextInt(40);
          String name = "checkpoint_" + random.nextInt(1000) + ".h5";
          tx.addVertex(
              "/scratch/" + owner + "/sweep" + random.nextInt(20) + "/step" + file + "/" + name,
              "file",
              Map.of(
                  "name",
                  name,
                  "owner",
                  owner,
                  "bytes",
                  random.nextLong(1L << 40),
                  "checksum",
                  Long.toHexString(random.nextLong())),
              Stamp.AT_COMMIT);
        }
        tx.commit();
      }
      try (GraphTransaction tx = database.begin()) {
        return tx.snapshot().snapshot();
      }
    }
  }
}
