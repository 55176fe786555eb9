package io.graphmeta.node;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.shard.retention.ExpiredRows;
import io.graphmeta.storage.Family;
import java.util.List;

/** All shards of a database, for who drops versions of them. Belongs to one thread. */
public interface RetainedShards {
  /** How many there are. */
  int count();

  /** All names. */
  SchemaImage names();

  /** The stamp at and below which all shards tell all that they ever will. */
  long settled();

  /** Bytes of the files of all stores. */
  long bytesOnDisk();

  /** What the database is, for a copy of it at a stamp. */
  BackedUpDatabase databaseAt(long stamp);

  /** Calls a visitor for the rows of a shard and family that are below horizons, by rising keys. */
  void expired(int shard, Family family, Horizons horizons, ExpiredRows.Visitor visitor);

  /**
   * Has all shards refuse views below horizons, since an archive will be all that has what these
   * see. On disk when it returns.
   */
  void note(String archive, Horizons horizons);

  /** Removes rows that an archive has, after they were noted. */
  void drop(String archive, int shard, Family family, List<byte[]> keys);

  /** All rows are removed that an archive has: gives back their room. */
  void end(String archive);
}
