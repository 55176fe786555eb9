package io.graphmeta.backup;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** An object store in memory, whose network breaks when it is told to. */
final class KeptObjects implements ObjectStore {
  final SortedMap<String, byte[]> objects = new TreeMap<>();

  /** How many more operations go well. */
  int left = Integer.MAX_VALUE;

  private void next() throws IOException {
    if (left-- <= 0) {
      throw new IOException("The network is gone, says the test");
    }
  }

  @Override
  public String place() {
    return "memory";
  }

  @Override
  public SortedMap<String, Long> list() throws IOException {
    next();
    SortedMap<String, Long> sizes = new TreeMap<>();
    objects.forEach((name, content) -> sizes.put(name, (long) content.length));
    return sizes;
  }

  @Override
  public void put(String name, Path file) throws IOException {
    next();
    objects.put(name, Files.readAllBytes(file));
    next(); // it is there, and the answer is lost
  }

  @Override
  public InputStream open(String name) throws IOException {
    next();
    byte[] content = objects.get(name);
    if (content == null) {
      throw new NoSuchFileException(name);
    }
    return new ByteArrayInputStream(content);
  }

  @Override
  public void delete(String name) throws IOException {
    next();
    objects.remove(name);
  }
}
