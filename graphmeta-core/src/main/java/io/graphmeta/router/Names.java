package io.graphmeta.router;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;

/**
 * What a client knows of the names, which one shard keeps. The image only grows: an answer that
 * comes late, behind a newer one, changes nothing. Safe for use by many threads.
 */
final class Names {
  private static final int SCHEMA_SHARD = 0;

  private final RequestSender shards;
  private final NewNames fresh = new NewNames();

  /** Changed with the lock held, read without. */
  private volatile SchemaImage image = SchemaImage.EMPTY;

  /** All names that are used at and below this snapshot are in the image. */
  private volatile long completeAt;

  /**
   * How often everything was removed, changed with the lock held. An answer to a request that was
   * sent before a removal tells nothing about the names since.
   */
  private volatile int clearings;

  Names(RequestSender shards) {
    this.shards = shards;
  }

  SchemaImage image() {
    return image;
  }

  /** Reads all names. */
  SchemaImage read() {
    return ask(new Request.ReadSchema());
  }

  /**
   * All names that commits at and below a snapshot use. They were defined before, so that an image
   * that is read afterwards has them.
   */
  SchemaImage at(long snapshot) {
    if (completeAt >= snapshot) {
      return image;
    }
    SchemaImage read = read();
    synchronized (this) {
      completeAt = Math.max(completeAt, snapshot);
    }
    return read;
  }

  /** The id that a name has, or is to get if it is not defined. */
  int newId(NameKind kind, String name) {
    return fresh.id(() -> image, kind, name);
  }

  /** Defines names with the ids that they have in an image. */
  void define(SchemaImage wanted) {
    SchemaImage answered;
    try {
      answered = ask(new Request.Define(wanted));
    } catch (GraphMetaException e) {
      if (e.code() == ErrorCode.CONFLICT) {
        read(); // so that the transaction, run again, finds what was defined by others
      }
      throw e;
    }
    for (SchemaName name : wanted.entries()) {
      if (answered.id(name.kind(), name.name()) != name.id()) {
        throw new GraphMetaException(
            ErrorCode.INTERNAL,
            "'" + name.name() + "' was defined with another id than " + name.id());
      }
    }
  }

  private SchemaImage ask(Request request) {
    int askedAfter = clearings;
    SchemaImage answered = shards.call(SCHEMA_SHARD, request, Response.Schema.class).image();
    synchronized (this) {
      if (askedAfter == clearings && image.isOlderThan(answered)) {
        image = answered;
      }
    }
    return answered;
  }

  /** Forgets all names, after all shards have. */
  void clear() {
    synchronized (this) {
      clearings++;
      image = SchemaImage.EMPTY;
      fresh.clear();
    }
    read();
  }
}
