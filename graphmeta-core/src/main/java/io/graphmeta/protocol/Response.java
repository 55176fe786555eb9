package io.graphmeta.protocol;

import io.graphmeta.schema.SchemaImage;
import org.jspecify.annotations.Nullable;

/** What a server answers. */
public sealed interface Response
    permits ElementPage,
        Response.Stamped,
        Response.Conflicted,
        Response.Leased,
        Response.Schema,
        Response.Rows,
        Response.Status {

  /** A stamp: of the snapshot or the commit. */
  record Stamped(long stamp) implements Response {}

  /**
   * A commit that came second.
   *
   * @param check position in the checks of the commit; -1 if the snapshot is older than the server
   *     can tell
   */
  record Conflicted(int check) implements Response {}

  /** The first of the leased numbers. */
  record Leased(long first) implements Response {}

  /** All names. */
  record Schema(SchemaImage image) implements Response {}

  /**
   * Raw rows.
   *
   * @param next where to go on, or null at the end
   */
  record Rows(byte[][] keys, byte[][] values, Request.@Nullable Position next)
      implements Response {}

  /** Sizes of a server. */
  record Status(long bytesOnDisk, long resolvedStamp) implements Response {}
}
