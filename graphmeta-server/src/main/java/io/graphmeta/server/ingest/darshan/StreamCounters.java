package io.graphmeta.server.ingest.darshan;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The records of format 2: record id, rank, end of the path in 16 bytes of which the last is zero,
 * 144 integer and 18 floating-point counters.
 */
final class StreamCounters {
  /** How much of a path a record holds at most. */
  static final int PATH_END_BYTES = 15;

  private static final int IDENTITY_BYTES = 2 * Long.BYTES;

  static final CounterLayout LAYOUT =
      CounterLayout.of(
          FileModule.CP,
          2,
          CounterLayout.names(
              "CP_",
              """
              INDEP_OPENS COLL_OPENS INDEP_READS INDEP_WRITES COLL_READS COLL_WRITES
              SPLIT_READS SPLIT_WRITES NB_READS NB_WRITES SYNCS
              POSIX_READS POSIX_WRITES POSIX_OPENS POSIX_SEEKS POSIX_STATS POSIX_MMAPS
              POSIX_FREADS POSIX_FWRITES POSIX_FOPENS POSIX_FSEEKS POSIX_FSYNCS POSIX_FDSYNCS
              INDEP_NC_OPENS COLL_NC_OPENS HDF5_OPENS
              COMBINER_NAMED COMBINER_DUP COMBINER_CONTIGUOUS COMBINER_VECTOR COMBINER_HVECTOR_INTEGER
              COMBINER_HVECTOR COMBINER_INDEXED COMBINER_HINDEXED_INTEGER COMBINER_HINDEXED
              COMBINER_INDEXED_BLOCK COMBINER_STRUCT_INTEGER COMBINER_STRUCT COMBINER_SUBARRAY
              COMBINER_DARRAY COMBINER_F90_REAL COMBINER_F90_COMPLEX COMBINER_F90_INTEGER
              COMBINER_RESIZED
              HINTS VIEWS MODE BYTES_READ BYTES_WRITTEN MAX_BYTE_READ MAX_BYTE_WRITTEN
              CONSEC_READS CONSEC_WRITES SEQ_READS SEQ_WRITES RW_SWITCHES
              MEM_NOT_ALIGNED MEM_ALIGNMENT FILE_NOT_ALIGNED FILE_ALIGNMENT
              MAX_READ_TIME_SIZE MAX_WRITE_TIME_SIZE
              """
                  + histogram("SIZE_READ_")
                  + histogram("SIZE_WRITE_")
                  + histogram("SIZE_READ_AGG_")
                  + histogram("SIZE_WRITE_AGG_")
                  + histogram("EXTENT_READ_")
                  + histogram("EXTENT_WRITE_")
                  + """
                  STRIDE1_STRIDE STRIDE2_STRIDE STRIDE3_STRIDE STRIDE4_STRIDE
                  STRIDE1_COUNT STRIDE2_COUNT STRIDE3_COUNT STRIDE4_COUNT
                  ACCESS1_ACCESS ACCESS2_ACCESS ACCESS3_ACCESS ACCESS4_ACCESS
                  ACCESS1_COUNT ACCESS2_COUNT ACCESS3_COUNT ACCESS4_COUNT
                  DEVICE SIZE_AT_OPEN FASTEST_RANK FASTEST_RANK_BYTES SLOWEST_RANK SLOWEST_RANK_BYTES
                  """),
          CounterLayout.names(
              "CP_F_",
              """
              OPEN_TIMESTAMP READ_START_TIMESTAMP WRITE_START_TIMESTAMP
              CLOSE_TIMESTAMP READ_END_TIMESTAMP WRITE_END_TIMESTAMP
              POSIX_READ_TIME POSIX_WRITE_TIME POSIX_META_TIME MPI_META_TIME MPI_READ_TIME MPI_WRITE_TIME
              MAX_READ_TIME MAX_WRITE_TIME
              FASTEST_RANK_TIME SLOWEST_RANK_TIME VARIANCE_RANK_TIME VARIANCE_RANK_BYTES
              """),
          IDENTITY_BYTES + PATH_END_BYTES + 1);

  private StreamCounters() {}

  private static String histogram(String prefix) {
    return String.join(
            " ",
            CounterLayout.names(
                prefix,
                "0_100 100_1K 1K_10K 10K_100K 100K_1M 1M_4M 4M_10M 10M_100M 100M_1G 1G_PLUS"))
        + "\n";
  }

  /**
   * What the record that starts at an offset tells of the path: a shorter text than fits is all of
   * it.
   */
  static FileName name(ByteBuffer records, int offset) {
    byte[] bytes = new byte[PATH_END_BYTES];
    records.get(offset + IDENTITY_BYTES, bytes);
    int length = RegionText.zeroByte(bytes, 0, bytes.length);
    String text = RegionText.decode(bytes, 0, length);
    if (text.isEmpty()) {
      return FileName.NONE;
    }
    return length < PATH_END_BYTES
        ? FileName.of(text)
        : new FileName(Optional.empty(), Optional.of(text));
  }
}
