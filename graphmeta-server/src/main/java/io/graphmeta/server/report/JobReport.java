package io.graphmeta.server.report;

import io.graphmeta.provenance.Doubt;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is known of a job. Times are microseconds since 1970, 0 for none. Immutable.
 *
 * @param id id of the job
 * @param name its name; empty if not recorded
 * @param user who ran it; empty if not recorded
 * @param facts what accounting says of it, in the order of the page, by the words to show
 * @param programs its programs, the first to start first
 * @param uses what they read and wrote
 * @param inputs versions of files that were read and came from elsewhere
 * @param outputs versions of files that the job wrote
 * @param effects what rests on the outputs, the nearest first
 * @param partial whether a limit ended one of the lists
 * @param view as of which moment, in words
 * @param maker what made the report
 */
public record JobReport(
    String id,
    String name,
    String user,
    Map<String, String> facts,
    List<Program> programs,
    List<Use> uses,
    List<Version> inputs,
    List<Version> outputs,
    List<Effect> effects,
    boolean partial,
    String view,
    String maker) {

  /**
   * A program of the job, with all its ranks.
   *
   * @param executable its name
   * @param incomplete whether its log misses files or accesses
   * @param spanSeconds how long each of the spans is in which bytes are known to have been moved; 0
   *     if that is not known
   * @param readBySpan bytes read in each span
   * @param writtenBySpan bytes written in each span
   */
  public record Program(
      String id,
      String executable,
      String commandLine,
      long startMicros,
      long endMicros,
      long ranks,
      boolean incomplete,
      double spanSeconds,
      List<Long> readBySpan,
      List<Long> writtenBySpan) {}

  /**
   * What a program did with a file.
   *
   * @param program id of the program
   * @param file id of the file
   */
  public record Use(String program, String file, boolean wrote, long bytes, long operations) {}

  /**
   * A version of a file.
   *
   * @param file id of the file
   * @param beganMicros when its writing began; 0 for what was there before the first write
   * @param fate what became of it
   * @param writer id of the process that wrote it; empty if not recorded
   */
  public record Version(
      String file, long beganMicros, String fate, String writer, Set<Doubt> doubts) {}

  /**
   * Something that rests on what the job wrote.
   *
   * @param label label of the vertex
   * @param description command line of a program; of others the name
   * @param relation the edge by which it was reached
   * @param depth steps from the job
   */
  public record Effect(
      String id,
      String label,
      String description,
      long micros,
      String fate,
      String relation,
      int depth,
      Set<Doubt> doubts) {}
}
