package io.graphmeta.provenance;

/**
 * The default vocabulary of HPC metadata: labels, edge labels, property keys and the form of ids.
 * Ingest writes it, lineage reads it; users may add labels and properties of their own beside it.
 * Times of events are {@code OffsetDateTime} in UTC, to the microsecond.
 */
public final class Vocabulary {
  // Labels of vertices.

  /** Someone who runs jobs. Id {@code user:<uid>}; accounting adds the name. */
  public static final String USER = "user";

  /** A job of the batch system. Id {@code job:<job id>}. */
  public static final String JOB = "job";

  /** A program that ran in a job, with all its ranks, or one rank of it. */
  public static final String PROCESS = "process";

  /** A program by the path or name it is started with. Id {@code exe:<path or name>}. */
  public static final String EXECUTABLE = "executable";

  /** A file. Its id is its path, or {@code darshan:<hash>} where a log holds only its hash. */
  public static final String FILE = "file";

  /** A directory. Its id is its path. */
  public static final String DIRECTORY = "directory";

  /** What is asked for logs or accounting again and again. Id {@code source:<name>}. */
  public static final String SOURCE = "source";

  // Labels of edges.

  /** {@code user -ran-> job}, from the submission on. */
  public static final String RAN = "ran";

  /**
   * {@code job -contains-> process}, {@code process -contains-> process} (its ranks), {@code
   * directory -contains-> ...}.
   */
  public static final String CONTAINS = "contains";

  /** {@code process -exe-> executable}. */
  public static final String EXE = "exe";

  /**
   * {@code executable -storedIn-> file}: the file whose versions are the builds of the executable.
   */
  public static final String STORED_IN = "storedIn";

  /** {@code process -read-> file}. */
  public static final String READ = "read";

  /** {@code process -wrote-> file}: makes a version of the file. */
  public static final String WROTE = "wrote";

  /** {@code file -renamedFrom-> file}: the first took over the content of the second. */
  public static final String RENAMED_FROM = "renamedFrom";

  /** {@code process -deleted-> file}. */
  public static final String DELETED = "deleted";

  /**
   * {@code job -redirected-> file}: a shell of the job opened the file for what its programs print.
   */
  public static final String REDIRECTED = "redirected";

  // Keys of properties.

  /**
   * Name of a user, job, executable, file or directory without its path; of a process, that of its
   * executable.
   */
  public static final String NAME = "name";

  /** Numeric user id, on users. */
  public static final String UID = "uid";

  /**
   * First moment: of a job or process its start, of an access the first opening, of a rename or
   * deletion the earliest.
   */
  public static final String START = "start";

  /**
   * Last moment: of a job or process its end, of an access the last byte, of a rename or deletion
   * the latest.
   */
  public static final String END = "end";

  /** Bytes read or written, on accesses. */
  public static final String BYTES = "bytes";

  /** Number of calls that read or wrote, on accesses. */
  public static final String OPERATIONS = "operations";

  /** How often the file was opened, on accesses. */
  public static final String OPENS = "opens";

  /**
   * Highest offset read or written, plus one: the least size the file had. On accesses with bytes.
   */
  public static final String EXTENT_BYTES = "extentBytes";

  /**
   * How the access is known: a name of {@link Evidence} in small letters. On accesses, renames,
   * deletions.
   */
  public static final String EVIDENCE = "evidence";

  /** {@code true} on writes that look like an append. */
  public static final String APPENDED = "appended";

  /**
   * The interfaces the access was seen through: {@code posix}, {@code stdio} or {@code
   * posix+stdio}. On accesses.
   */
  public static final String INTERFACES = "interfaces";

  /**
   * Milliseconds by which recorded times may lie before the true ones. On edges whose log counts
   * whole seconds.
   */
  public static final String EARLY_MILLIS = "earlyMillis";

  /**
   * The process that renamed or redirected, by id. On {@code renamedFrom} and {@code redirected}.
   */
  public static final String BY_PROCESS = "process";

  /** Command line, on processes. */
  public static final String COMMAND_LINE = "commandLine";

  /** Number of ranks, on processes that stand for a program. */
  public static final String RANKS = "ranks";

  /** The rank, on processes that stand for one. */
  public static final String RANK = "rank";

  /** Operating system's process id, on processes, where the name of the log tells it. */
  public static final String PID = "pid";

  /** Name of the log file, on processes. */
  public static final String LOG = "log";

  /** {@code true} on processes whose log misses files or accesses for want of memory. */
  public static final String INCOMPLETE = "incomplete";

  /**
   * On processes whose log tells when bytes were moved: how many seconds each of the spans is long
   * that follow one another from the start.
   */
  public static final String SPAN_SECONDS = "spanSeconds";

  /** List of the bytes read in each span, on processes. */
  public static final String READ_BY_SPAN = "readBySpan";

  /** List of the bytes written in each span, on processes. */
  public static final String WRITTEN_BY_SPAN = "writtenBySpan";

  /**
   * State of a job: PENDING from its submission, RUNNING from its start, its last state from its
   * end.
   */
  public static final String STATE = "state";

  /** Submission of a job. */
  public static final String SUBMIT = "submit";

  /** Account a job is charged to. */
  public static final String ACCOUNT = "account";

  /** Partition a job ran in. */
  public static final String PARTITION = "partition";

  /** Exit code of a job, {@code status:signal}. */
  public static final String EXIT_CODE = "exitCode";

  /** Number of nodes of a job. */
  public static final String NODES = "nodes";

  /** Number of tasks of a job. */
  public static final String TASKS = "tasks";

  /** Working directory of a job. */
  public static final String WORK_DIR = "workDir";

  /** The line that submitted a job. */
  public static final String SUBMIT_LINE = "submitLine";

  /** Up to when a source was asked. */
  public static final String ASKED_UNTIL = "askedUntil";

  private static final String FILE_BY_HASH = "darshan:";

  private Vocabulary() {}

  /** The id of a user. */
  public static String userId(long uid) {
    return "user:" + uid;
  }

  /** The id of a job. */
  public static String jobId(String job) {
    return "job:" + job;
  }

  /**
   * The id of a file of whose path a log holds only the hash, as Darshan 2 does.
   *
   * @param hash the hash, as Darshan prints it
   */
  public static String fileByHashId(String hash) {
    return FILE_BY_HASH + hash;
  }

  /** Whether an id is made of the hash of a path. */
  static boolean isFileByHash(String id) {
    return id.startsWith(FILE_BY_HASH);
  }

  /** The id of an executable. */
  public static String executableId(String pathOrName) {
    return "exe:" + pathOrName;
  }
}
