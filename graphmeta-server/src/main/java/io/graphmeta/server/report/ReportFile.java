package io.graphmeta.server.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file whole or not at all: beside its place first, and moved there when all of it is on
 * the disk. A file that is there stays as it is until then; where a link stands, the file that it
 * leads to is written. What is no file, such as a pipe or a device, is written into. Permissions
 * are those of the umask.
 */
public final class ReportFile {
  private ReportFile() {}

  /**
   * Writes a text.
   *
   * @throws IOException if it cannot be written; nothing is left behind then
   */
  public static void write(Path file, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        writeInto(file, bytes);
      } else {
        replace(Files.exists(file) ? file.toRealPath() : file, bytes);
      }
    } catch (AccessDeniedException e) {
      throw new FileSystemException(
          file.toString(), null, "no permission to write it, or in its directory");
    } catch (FileSystemException e) {
      String reason = e.getReason() == null ? "no file can be made there" : e.getReason();
      throw new FileSystemException(file.toString(), null, reason);
    } catch (IOException e) {
      throw new FileSystemException(file.toString(), null, e.getMessage());
    }
  }

  private static void writeInto(Path file, byte[] bytes) throws IOException {
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
      out.write(bytes);
    }
  }

  private static void replace(Path file, byte[] bytes) throws IOException {
    Path beside =
        file.resolveSibling(
            "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
    Files.deleteIfExists(beside); // One that a killed process of this number has left.
    try {
      try (FileChannel channel =
          FileChannel.open(beside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
          channel.write(left);
        }
        channel.force(true);
      }
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      Files.deleteIfExists(beside);
      throw e;
    }
  }
}
