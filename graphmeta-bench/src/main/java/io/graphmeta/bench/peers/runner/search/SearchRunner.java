package io.graphmeta.bench.peers.runner.search;

import io.graphmeta.bench.peers.runner.CommandLoop;
import io.graphmeta.bench.peers.runner.ProcessorClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The process of one subject. Arguments: the class of a {@link SearchSubject}, an empty directory,
 * the number of files. The commands, of which each is answered by {@code ok}, what was asked for,
 * and the nanoseconds by the clock and of the processors:
 *
 * <ul>
 *   <li>{@code create}: an empty graph;
 *   <li>{@code add}: all files and processes, and half of the changes; then this is the moment of
 *       the past;
 *   <li>{@code change}: the rest of the changes;
 *   <li>{@code commit FROM COUNT}: further changes, each committed by itself;
 *   <li>{@code ask QUESTION now|past FROM COUNT}: so many questions; answered with the number of
 *       results and a sum over all of them;
 *   <li>{@code past}: whether questions about the past are answered;
 *   <li>{@code bytes}: on disk.
 * </ul>
 */
public final class SearchRunner {
  private static final int PER_COMMIT = 1_000;

  /** Questions go round the files in steps that meet all of them. */
  private static final int STEP = 7_919;

  private final SearchSubject subject;
  private final Path directory;
  private final SearchData data;

  private SearchRunner(SearchSubject subject, Path directory, SearchData data) {
    this.subject = subject;
    this.directory = directory;
    this.data = data;
  }

  /** Serves commands until {@code quit} or the end of standard input. */
  public static void main(String[] arguments) throws Exception {
    CommandLoop loop = new CommandLoop();
    Object subject = Class.forName(arguments[0]).getConstructor().newInstance();
    SearchRunner runner =
        new SearchRunner(
            (SearchSubject) subject,
            Files.createDirectories(Path.of(arguments[1])),
            new SearchData(Integer.parseInt(arguments[2])));
    loop.serve(runner::reply);
  }

  /** Threads that merge come and go while much is written; a question is short. */
  private long cpuNanos(boolean isShort) {
    long ofProcess = isShort ? ProcessorClock.nanos() : ProcessorClock.wholeNanos();
    return ofProcess + subject.otherCpuNanos();
  }

  private String reply(String command) throws Exception {
    String[] words = command.split(" ");
    long startNanos = System.nanoTime();
    boolean isShort = words[0].equals("ask");
    long startCpuNanos = cpuNanos(isShort);
    String answer = answer(words);
    long nanos = System.nanoTime() - startNanos;
    return "ok\t" + answer + '\t' + nanos + '\t' + (cpuNanos(isShort) - startCpuNanos);
  }

  private String answer(String[] words) throws Exception {
    switch (words[0]) {
      case "create" -> subject.create(directory, data);
      case "add" -> add();
      case "change" -> {
        changeUpTo(data.changes() / 2, data.changes());
        subject.settle();
      }
      case "commit" -> {
        int from = data.changes() + Integer.parseInt(words[1]);
        for (int change = from; change < from + Integer.parseInt(words[2]); change++) {
          subject.change(change, change + 1);
        }
      }
      case "ask" -> {
        return ask(
            SearchQuestion.valueOf(words[1]),
            words[2].equals("past"),
            Integer.parseInt(words[3]),
            Integer.parseInt(words[4]));
      }
      case "past" -> {
        return Boolean.toString(subject.hasPast());
      }
      case "bytes" -> {
        return Long.toString(subject.bytes(directory));
      }
      default -> throw new IllegalArgumentException("Unknown command " + words[0]);
    }
    return "done";
  }

  private void add() throws Exception {
    for (int from = 0; from < data.files(); from += PER_COMMIT) {
      subject.addFiles(from, Math.min(data.files(), from + PER_COMMIT));
    }
    for (int from = 0; from < data.processes(); from += PER_COMMIT) {
      subject.addProcesses(from, Math.min(data.processes(), from + PER_COMMIT));
    }
    changeUpTo(0, data.changes() / 2);
    subject.settle();
    subject.rememberMoment();
  }

  private void changeUpTo(int first, int end) throws Exception {
    for (int from = first; from < end; from += PER_COMMIT) {
      subject.change(from, Math.min(end, from + PER_COMMIT));
    }
  }

  private String ask(SearchQuestion question, boolean past, int from, int count) throws Exception {
    long results = 0;
    long sum = 0;
    int among = question == SearchQuestion.WORD ? data.processes() : data.files();
    for (int i = from; i < from + count; i++) {
      long[] found = subject.ask(question, (int) ((long) i * STEP % among), past);
      results += found.length;
      sum = 31 * sum + (question == SearchQuestion.LARGEST ? hash(found) : sum(found));
    }
    return results + " results, " + Long.toHexString(sum);
  }

  private static long hash(long[] found) {
    return Arrays.hashCode(found);
  }

  private static long sum(long[] found) {
    return LongStream.of(found).sum();
  }
}
