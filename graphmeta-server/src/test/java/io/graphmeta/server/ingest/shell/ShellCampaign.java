package io.graphmeta.server.ingest.shell;

import io.graphmeta.server.ingest.darshan.RecordedProcess;
import io.graphmeta.server.ingest.shell.Disk.Content;
import io.graphmeta.server.ingest.shell.Disk.Inode;
import io.graphmeta.server.ingest.shell.Disk.Label;
import io.graphmeta.server.ingest.shell.Disk.Read;
import io.graphmeta.server.ingest.shell.Disk.Run;
import io.graphmeta.server.ingest.shell.Disk.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Random scripts of a few jobs at a time, on few files, so that names are used again and again.
 * What happens is played moment by moment on a {@link Disk} and counted as Darshan would.
 *
 * <p>Jobs of one round may overlap; between rounds the machine rests, so that the truth of that
 * moment is clear.
 */
final class ShellCampaign {
  /** Long enough that no recorded time of one round reaches into the next. */
  private static final long REST_MICROS = 400_000;

  private static final long BEGIN_MICROS = 1_767_225_600_000_000L;

  /** What there was at the end of a round. */
  record Round(long atMicros, Map<String, Content> contents, List<Path> logs) {}

  /** A process that is being played. */
  private final class Process {
    final Run run;
    final RecordedProcess log;
    final String commandLine;
    final long job;
    long now;

    Process(String commandLine, String kind, long job, long beginMicros) {
      this.run = disk.run(nextPid++, kind, beginMicros);
      long late = 3_000 + random.nextInt(16_000);
      this.log = new RecordedProcess(beginMicros, late);
      this.commandLine = commandLine;
      this.job = job;
      this.now = beginMicros + late + 100;
    }

    long soon() {
      now += 20 + random.nextInt(random.nextInt(10) == 0 ? 30_000 : 300);
      return now;
    }

    /** Ends it: its log is written. */
    void end() {
      logs.add(write());
    }

    private Path write() {
      try {
        return log.write(directory, job, run.pid, commandLine, soon());
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  /** Something that happens at a moment. */
  private record Event(long atMicros, long order, Runnable action) {}

  /** Commands whose bytes are counted, with some that read and remove: here sizes tell much. */
  private static final int[] COUNTED = {3, 4, 4, 4, 7, 7, 7, 7, 9, 10};

  private final Random random;
  private final Path directory;
  private final boolean counted;
  private final Disk disk = new Disk();
  private final List<Round> rounds = new ArrayList<>();
  private final List<String> story = new ArrayList<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atMicros).thenComparingLong(Event::order));
  private List<Path> logs = new ArrayList<>();
  private long nextPid = 100;
  private long nextJob = 1;
  private long order;
  private long now = BEGIN_MICROS;

  ShellCampaign(long seed, Path directory) {
    this.random = new Random(seed);
    this.directory = directory;
    this.counted = random.nextInt(3) == 0;
  }

  Disk disk() {
    return disk;
  }

  /** What was played, for messages. */
  String story() {
    return String.join("\n", story);
  }

  List<Round> play() {
    int files = 3 + random.nextInt(4);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      names.add("/data/" + (char) ('a' + i));
    }
    int count = 3 + random.nextInt(4);
    for (int round = 0; round < count; round++) {
      int jobs = 1 + random.nextInt(3);
      for (int i = 0; i < jobs; i++) {
        long job = nextJob++;
        long begin = now + random.nextInt(i == 0 ? 1 : 150_000);
        Process shell = new Process("/bin/sh /jobs/" + job + ".sh", "sh", job, begin);
        List<String> commands = round == 0 && i == 0 ? names : List.of();
        script(shell, names, commands.size() + 1 + random.nextInt(4), commands);
      }
      while (!events.isEmpty()) {
        Event event = events.remove();
        now = event.atMicros;
        event.action.run();
      }
      now += REST_MICROS;
      Map<String, Content> contents = new LinkedHashMap<>();
      names.forEach(name -> contents.put(name, disk.content(name)));
      rounds.add(new Round(now - REST_MICROS / 2, contents, logs));
      logs = new ArrayList<>();
    }
    return rounds;
  }

  private void at(long micros, Runnable action) {
    events.add(new Event(micros, order++, action));
  }

  /** Runs commands one after the other; the first files are made anew. */
  private void script(Process shell, List<String> names, int left, List<String> first) {
    if (left == 0) {
      at(shell.soon(), shell::end);
      return;
    }
    shell.now += random.nextBoolean() ? random.nextInt(2_000) : random.nextInt(90_000);
    at(
        shell.now,
        () -> {
          List<String> rest = first.isEmpty() ? first : first.subList(1, first.size());
          long end =
              first.isEmpty()
                  ? command(shell, names)
                  : model(shell, null, first.get(0), false, false);
          shell.now = Math.max(shell.now, end) + 50;
          script(shell, names, left - 1, rest);
        });
  }

  private String any(List<String> names) {
    return names.get(random.nextInt(names.size()));
  }

  private @Nullable String existing(List<String> names) {
    List<String> there = names.stream().filter(disk::exists).toList();
    return there.isEmpty() ? null : any(there);
  }

  /** One command; returns when it ends. */
  private long command(Process shell, List<String> names) {
    String source = existing(names);
    String target = any(names);
    boolean append = random.nextInt(6) < (counted ? 4 : 3);
    int kind = counted ? COUNTED[random.nextInt(COUNTED.length)] : random.nextInt(14);
    if (source == null) {
      return model(shell, null, target, append, false);
    }
    return switch (kind) {
      case 0, 1 -> redirected(shell, "cat", source, target, append);
      case 2 -> redirected(shell, "sort", source, target, append);
      case 3 -> redirected(shell, "grep", source, target, append);
      case 4, 5 -> echo(shell, target, append);
      case 6 -> awk(shell, source, target, append);
      case 7 -> model(shell, source, target, append, random.nextBoolean());
      case 8 -> sedInPlace(shell, source);
      case 9 -> move(shell, source, target);
      case 10 -> remove(shell, source);
      case 11 -> tee(shell, source, target, append);
      case 12 -> copy(shell, source, target);
      default -> renamer(shell, source, existing(names), target);
    };
  }

  private Process child(Process shell, String commandLine, String kind) {
    story.add(shell.now + " job " + shell.job + ": " + commandLine + "  [" + nextPid + "]");
    return new Process(commandLine, kind, shell.job, shell.now);
  }

  private long bytes() {
    return random.nextInt(6) == 0 ? 0 : 1 + random.nextInt(500);
  }

  /**
   * {@code program SOURCE > TARGET}: the shell opens the target, the program's output is unseen.
   */
  private long redirected(
      Process shell, String program, String source, String target, boolean append) {
    if (source.equals(target)) {
      return shell.now;
    }
    shell.log.open(target, shell.now, true);
    shell.log.again(target, "DUPS", shell.now);
    shell.log.close(target, shell.now);
    Process child = child(shell, program + " " + source, program);
    story.add("    " + (append ? ">> " : "> ") + target + " by " + shell.run);
    Version version = new Version(new Label(target, shell.run.pid), child.run, append, false);
    Inode out = disk.open(target, version, shell.now);
    long read = child.soon();
    at(read, () -> read(child, program, source, read));
    long write = child.soon();
    long size = bytes();
    at(write, () -> out.write(version, size, write));
    long end = child.soon();
    at(end, child::end);
    return end;
  }

  /** Reads a whole file in the way of a program. */
  private void read(Process process, String program, String path, long atMicros) {
    Inode inode = disk.inode(path);
    if (inode == null) {
      return;
    }
    Content content = inode.content();
    boolean counted = false;
    switch (program) {
      case "sort" -> {
        process.log.openStream(path, atMicros);
        process.log.again(path, "FILENOS", atMicros);
        process.log.flushStream(path, atMicros);
        process.log.closeStream(path, atMicros);
      }
      case "sed" -> {
        process.log.openStream(path, atMicros);
        process.log.closeStream(path, atMicros);
      }
      case "cat", "cp" -> {
        // Copied inside the kernel.
        process.log.open(path, atMicros, false);
        process.log.close(path, atMicros);
      }
      default -> {
        process.log.open(path, atMicros, false);
        process.log.readAll(path, content.bytes(), atMicros);
        process.log.close(path, atMicros);
        counted = content.bytes() > 0;
      }
    }
    process.run.reads.add(new Read(path, content, atMicros, counted));
  }

  /** A command of the shell itself. */
  private long echo(Process shell, String target, boolean append) {
    long size = bytes();
    story.add(
        shell.now
            + " job "
            + shell.job
            + ": echo "
            + (append ? ">> " : "> ")
            + target
            + " ["
            + size
            + "] by "
            + shell.run);
    long at = shell.now;
    shell.log.open(target, at, true);
    shell.log.again(target, "DUPS", at);
    shell.log.close(target, at);
    Version version = new Version(new Label(target, shell.run.pid), shell.run, append, true);
    Inode inode = disk.open(target, version, at);
    if (size > 0) {
      shell.log.write(target, size, at);
      inode.write(version, size, at);
    }
    return at;
  }

  /** {@code print > "TARGET"}: a stream with counted calls. */
  private long awk(Process shell, String source, String target, boolean append) {
    if (source.equals(target)) {
      return shell.now;
    }
    Process child =
        child(shell, "awk {print" + (append ? " >> " : " > ") + target + "} " + source, "awk");
    long begin = child.soon();
    at(begin, () -> read(child, "awk", source, begin));
    long write = child.soon();
    long size = 1 + bytes();
    at(
        write,
        () -> {
          Version version = new Version(new Label(target, child.run.pid), child.run, append, false);
          Inode inode = disk.open(target, version, write);
          child.log.openStream(target, write);
          child.log.writeStream(target, size - 1 - Math.min(size - 1, size / 20), write);
          child.log.closeStream(target, write);
          inode.write(version, size, write);
        });
    long end = child.soon();
    at(end, child::end);
    return end;
  }

  /** A program that reads and writes through the kernel's interface. */
  private long model(
      Process shell, @Nullable String source, String target, boolean append, boolean seeks) {
    Process child =
        child(shell, "/bin/model " + (append ? "-a " : "") + source + " " + target, "model");
    if (source != null && !source.equals(target)) {
      long read = child.soon();
      at(read, () -> read(child, "model", source, read));
    }
    long write = child.soon();
    long last = child.soon();
    long size = bytes();
    Inode[] inode = new Inode[1];
    Version version = new Version(new Label(target, child.run.pid), child.run, append, true);
    at(
        write,
        () -> {
          long before = disk.content(target).bytes();
          inode[0] = disk.open(target, version, write);
          child.log.open(target, write, true);
          if (append && seeks) {
            child.log.seekEnd(target, before);
          }
          inode[0].write(version, size, write);
          if (size > 0) {
            child.log.write(target, size, write);
          }
        });
    at(
        last,
        () -> {
          long more = bytes();
          if (more > 0 && size > 0) {
            inode[0].write(version, more, last);
            child.log.write(target, more, last);
          }
          child.log.close(target, last);
        });
    long end = child.soon();
    at(end, child::end);
    return end;
  }

  private long sedInPlace(Process shell, String path) {
    String temporary = "/data/sed" + nextPid;
    Process child = child(shell, "sed -i s/x/y/ " + path, "sed");
    long begin = child.soon();
    at(
        begin,
        () -> {
          if (!disk.exists(path)) {
            return;
          }
          read(child, "sed", path, begin);
          for (int i = 0; i < 3; i++) {
            child.log.again(path, "FILENOS", begin);
          }
          Version version =
              new Version(new Label(temporary, child.run.pid), child.run, false, false);
          Inode inode = disk.open(temporary, version, begin);
          child.log.open(temporary, begin, false);
          child.log.again(temporary, "FILENOS", begin);
          child.log.openStream(temporary, begin);
          inode.write(version, 1 + bytes(), begin);
          long renamed = child.soon();
          child.log.closeStream(temporary, renamed);
          child.log.rename(temporary, path);
          at(renamed, () -> disk.rename(temporary, path, child.run, renamed));
        });
    long end = child.now + 31_000;
    at(end, child::end);
    return end;
  }

  private long move(Process shell, String source, String target) {
    if (source.equals(target)) {
      return shell.now;
    }
    Process child = child(shell, "mv " + source + " " + target, "mv");
    long at = child.soon();
    at(at, () -> disk.rename(source, target, child.run, at));
    long end = child.soon();
    at(end, child::end);
    return end;
  }

  private long remove(Process shell, String path) {
    Process child = child(shell, "rm -f " + path, "rm");
    long at = child.soon();
    at(at, () -> disk.remove(path, at));
    long end = child.soon();
    at(end, child::end);
    return end;
  }

  /** {@code cat SOURCE | tee TARGET}: what goes through the pipe is in no log. */
  private long tee(Process shell, String source, String target, boolean append) {
    if (source.equals(target)) {
      return shell.now;
    }
    Process tee = child(shell, "tee " + (append ? "-a " : "") + target, "tee");
    Process cat = child(shell, "cat " + source, "cat");
    long open = tee.soon();
    Version version = new Version(new Label(target, tee.run.pid), cat.run, append, false);
    Inode[] inode = new Inode[1];
    at(
        open,
        () -> {
          inode[0] = disk.open(target, version, open);
          tee.log.openStream(target, open);
        });
    long read = cat.soon();
    at(read, () -> read(cat, "grep", source, read));
    long write = Math.max(tee.soon(), read + 10);
    tee.now = write;
    long size = bytes();
    at(
        write,
        () -> {
          inode[0].write(version, size, write);
          tee.log.again(target, "FILENOS", write);
          tee.log.flushStream(target, write);
          tee.log.closeStream(target, write);
        });
    at(cat.soon(), cat::end);
    long end = tee.soon();
    at(end, tee::end);
    return Math.max(cat.now, end);
  }

  private long copy(Process shell, String source, String target) {
    if (source.equals(target)) {
      return shell.now;
    }
    Process child = child(shell, "cp " + source + " " + target, "cp");
    long read = child.soon();
    at(
        read,
        () -> {
          if (!disk.exists(source)) {
            return;
          }
          read(child, "cp", source, read);
          boolean there = disk.exists(target);
          Version version = new Version(new Label(target, child.run.pid), child.run, false, false);
          Content content = disk.content(source);
          Inode inode = disk.open(target, version, read);
          child.log.open(target, read, !there);
          child.log.close(target, read);
          inode.write(version, content.bytes(), read);
        });
    long end = child.soon();
    at(end, child::end);
    return end;
  }

  /** Reads one file and renames another, which it had opened: the rename is counted. */
  private long renamer(Process shell, String list, @Nullable String source, String target) {
    if (source == null || source.equals(target) || list.equals(source) || list.equals(target)) {
      return shell.now;
    }
    Process child = child(shell, "/bin/renamer " + list + " " + source + " " + target, "renamer");
    long read = child.soon();
    at(read, () -> read(child, "renamer", list, read));
    long open = child.soon();
    at(
        open,
        () -> {
          if (disk.exists(source) && disk.content(source).bytes() > 0) {
            read(child, "renamer", source, open);
            child.log.rename(source, target);
            disk.rename(source, target, child.run, open);
          }
        });
    long end = child.soon();
    at(end, child::end);
    return end;
  }
}
