package io.graphmeta.node;

import io.graphmeta.backup.FileOperations;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The place of the store of a replica in the directory of its database, where another store may
 * take it. Belongs to who has the store open.
 *
 * <p>A store is made, or copied, under a name of its own, and has the name of its shard last; so
 * what has that name is whole. One that is to go gets a third name before anything of it is
 * removed. A process that ends anywhere between leaves what {@link #recover} brings to one or the
 * other end.
 *
 * @param store where the store of the shard lies, or is to lie
 * @param marker writes into the directory of a store which shard of which database it is
 */
record StorePlace(Path store, Consumer<Path> marker) {
  private static final Pattern STORE = Pattern.compile("shard-(\\d+)");
  private static final String MAKING = ".making";
  private static final String MADE = ".made";
  private static final String GOING = ".going";

  /**
   * Ends what an earlier process has begun, in a directory that no process has open.
   *
   * @return the numbers of the shards of which there are stores, ascending
   */
  static List<Integer> recover(Path directory) throws IOException {
    List<Integer> shards = new ArrayList<>();
    for (Path entry : entries(directory)) {
      String name = entry.getFileName().toString();
      if (name.endsWith(MADE)) {
        Path store = entry.resolveSibling(name.substring(0, name.length() - MADE.length()));
        // Without a store it was about to take its place. With one nobody has begun to go on over
        // it.
        Path to = Files.exists(store) ? sibling(store, MAKING) : store;
        FileOperations.ON_DISK.deleteTree(to);
        move(entry, to);
      }
    }
    for (Path entry : entries(directory)) {
      Matcher store = STORE.matcher(entry.getFileName().toString());
      if (entry.getFileName().toString().endsWith(GOING)) {
        FileOperations.ON_DISK.deleteTree(entry);
      } else if (store.matches()) {
        shards.add(Integer.valueOf(store.group(1)));
      }
    }
    shards.sort(null);
    return shards;
  }

  private static List<Path> entries(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    }
  }

  /** Where a store is made that is to lie here; what an earlier process has made of it is there. */
  Path making() {
    try {
      Path making = sibling(store, MAKING);
      FileOperations.ON_DISK.createDirectories(making);
      return making;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Puts what was made in the place of the store that is there, if one is. Neither is open. */
  void take() {
    try {
      Path made = sibling(store, MADE);
      marker.accept(sibling(store, MAKING));
      move(sibling(store, MAKING), made);
      leave();
      move(made, store);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Removes the store that is there, if one is, and its index. It is not open. */
  void clear() {
    try {
      leave();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /**
   * Moves the store that is there, if one is, elsewhere, and removes what was to take its place.
   */
  static void moveFrom(Path store, Path to) {
    try {
      for (String end : List.of(MAKING, MADE, GOING)) {
        FileOperations.ON_DISK.deleteTree(sibling(store, end));
      }
      IndexFiles.beside(store).remove();
      if (Files.exists(store)) {
        move(store, to);
        FileOperations.ON_DISK.syncDirectory(Objects.requireNonNull(store.getParent()));
      }
    } catch (IOException e) {
      throw failure(store, e);
    }
  }

  private void leave() throws IOException {
    IndexFiles.beside(store).remove(); // it follows the changes of the store that goes
    if (Files.exists(store)) {
      Path going = sibling(store, GOING);
      FileOperations.ON_DISK.deleteTree(going);
      move(store, going);
      FileOperations.ON_DISK.deleteTree(going);
    }
  }

  private static Path sibling(Path store, String end) {
    return store.resolveSibling(store.getFileName() + end);
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    FileOperations.ON_DISK.syncDirectory(Objects.requireNonNull(to.getParent()));
  }

  private GraphMetaException failure(IOException cause) {
    return failure(store, cause);
  }

  private static GraphMetaException failure(Path store, IOException cause) {
    return new GraphMetaException(
        ErrorCode.STORAGE_FAILURE,
        "The store in " + store + " cannot be replaced: " + cause,
        cause);
  }
}
