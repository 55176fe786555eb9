package io.graphmeta.bench.peers.runner.everyday;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A graph under everyday use. Its class has a public constructor without arguments, unless it is
 * used through Gremlin. Vertices are told by their number, the elements of which {@link Data} has.
 */
public interface EverydayGraph {
  /** Opens the graph of an empty directory, to be filled. */
  void create(Path directory) throws IOException;

  /** Opens the graph of a directory that was filled. */
  void open(Path directory) throws IOException;

  /** Ends the opening. */
  void close() throws IOException;

  /** The directory holds the graph; if not, it is filled at each opening. */
  default boolean isPersistent() {
    return true;
  }

  /** Begins a session of the calling thread. */
  Session session();

  /** What threads have to hold while they read beside a write, or write; null if nothing. */
  default @Nullable ReadWriteLock turns() {
    return null;
  }

  /** What one thread does. Reads see what was committed before. */
  interface Session extends AutoCloseable {
    /** Adds a data set. */
    void addVertex(int number) throws IOException;

    /** Adds a data set, and a link to it from another that is there. */
    void addLinked(int source, int number) throws IOException;

    /** Adds a link between two data sets that are there. */
    void addEdge(int source, int destination, int number) throws IOException;

    /** Adds the directory that files are created in, which has the number 0. */
    void addDirectory() throws IOException;

    /** Adds a file to the directory. */
    void addFile(int number) throws IOException;

    /** Makes what was added last. */
    void commit() throws IOException;

    /** Reads the text of a data set. */
    String read(int number) throws IOException;

    /** Reads the size of a file. */
    long readSize(int number) throws IOException;

    /** Counts what the links from a data set lead to. */
    long countOut(int number) throws IOException;

    /** Counts the files of the directory. */
    long countFiles() throws IOException;

    /** Reads all properties of all links of a data set; the sum of {@link Data#look}. */
    long readLinks(int number) throws IOException;

    /** Finds paths of three links from a data set that meet none twice, up to the limit. */
    long countPaths(int number) throws IOException;

    /** Counts distinct data sets after some steps. */
    long countDistinct(int number, int steps) throws IOException;

    @Override
    void close() throws IOException;
  }
}
