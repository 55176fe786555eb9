package io.graphmeta.search.lucene;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexedVersion;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * The index of a shard as two Lucene indexes: the versions that are open, and those that have
 * ended. Most questions are about the present and read the first alone.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A version has one document, in one of the two: each put removes what both have under its
 *       identity, unless the caller knows that they have nothing. Both are published as of one
 *       moment, so nobody misses a version on its way from one to the other.
 *   <li>Both are committed together or not at all ({@link PairedCommits}). A commit says up to
 *       which stamp it holds everything; more may be in it, which a replay puts again.
 *   <li>Only the thread that changes the index, and Lucene's threads for merges, open, write and
 *       close files. A thread that asks reads memory that files are mapped into, so it can be
 *       interrupted, which would close a file under all others otherwise.
 *   <li>After a failure of a file nothing works any more: the first failure is thrown again. What
 *       was committed is still there, or is damaged; opening tells.
 * </ul>
 *
 * <p>The thread that changes the index must not be interrupted itself.
 */
public final class LuceneIndex implements AttributeIndex {
  private static final String CURRENT = "current";
  private static final String HISTORY = "history";
  private static final byte[] NO_BYTES = {};
  private static final String CLOSED_MESSAGE = "The index of attributes was closed";

  private final String name;
  private final Directory currentFiles;
  private final Directory historyFiles;
  private final PairedCommits.Kept keptOfCurrent;
  private final PairedCommits.Kept keptOfHistory;
  private final IndexWriter current;
  private final IndexWriter history;
  private final VersionDocuments documents = new VersionDocuments();

  /** What was published before and is perhaps still asked. */
  private final List<Published> retired = new ArrayList<>();

  private volatile CommitState committed;
  private volatile Published published;
  private volatile boolean closed;
  private volatile @Nullable GraphMetaException failure;

  /**
   * The index in a directory, as it was committed last; an empty one if the directory is missing or
   * empty. All its files are read once, so damage is found here and not by those who ask.
   *
   * @throws GraphMetaException {@code CORRUPTION} if files are damaged or missing, {@code
   *     STORAGE_FAILURE} if the disk refuses, {@code ALREADY_OPEN}
   */
  public static LuceneIndex open(Path directory) {
    String name = "The index of attributes in " + directory;
    Directory current = null;
    try {
      current = new MMapDirectory(directory.resolve(CURRENT));
      return open(
          name, current, new MMapDirectory(directory.resolve(HISTORY)), Writers.mergesBeside());
    } catch (IOException e) {
      IOUtils.closeWhileHandlingException(current);
      throw LuceneErrors.of(name, e);
    }
  }

  /** An index that is kept in memory, and merges in the thread that changes it. */
  public static LuceneIndex inMemory() {
    return open(
        "The index of attributes in memory",
        new ByteBuffersDirectory(),
        new ByteBuffersDirectory(),
        SerialMergeScheduler::new);
  }

  /**
   * Deletes the index in a directory, which is not open, so that it can be built again.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE} if a file cannot be deleted
   */
  public static void discard(Path directory) {
    try {
      if (Files.exists(directory)) {
        IOUtils.rm(directory);
      }
    } catch (IOException e) {
      throw LuceneErrors.of("The index of attributes in " + directory, e);
    }
  }

  /** The index in two directories, which it closes. */
  static LuceneIndex open(
      String name, Directory current, Directory history, Supplier<MergeScheduler> merges) {
    Deque<Closeable> opened = new ArrayDeque<>();
    boolean done = false;
    try {
      LuceneIndex index = new LuceneIndex(name, current, history, merges, opened);
      done = true;
      return index;
    } catch (IOException | RuntimeException e) {
      throw LuceneErrors.of(name, e);
    } finally {
      if (!done) {
        // The last that was opened comes first.
        IOUtils.closeWhileHandlingException(opened);
        IOUtils.closeWhileHandlingException(current, history);
      }
    }
  }

  private LuceneIndex(
      String name,
      Directory current,
      Directory history,
      Supplier<MergeScheduler> merges,
      Deque<Closeable> opened)
      throws IOException {
    this.name = name;
    currentFiles = current;
    historyFiles = history;
    PairedCommits.Opening opening = PairedCommits.find(history, current);
    committed = opening.state();
    keptOfCurrent = new PairedCommits.Kept(opening.state().number());
    keptOfHistory = new PairedCommits.Kept(opening.state().number());
    this.history = Writers.open(history, opening.history(), keptOfHistory, merges.get());
    opened.push(this.history::rollback);
    this.current = Writers.open(current, opening.current(), keptOfCurrent, merges.get());
    opened.push(this.current::rollback);
    if (opening.current() == null) {
      // From now on, files without a commit are damage.
      commit(committed);
    }
    DirectoryReader ofHistory = DirectoryReader.open(this.history);
    opened.push(ofHistory);
    DirectoryReader ofCurrent = DirectoryReader.open(this.current);
    opened.push(ofCurrent);
    checkFiles(ofHistory);
    checkFiles(ofCurrent);
    published = new Published(ofCurrent, ofHistory, committed.stamp());
  }

  private static void checkFiles(DirectoryReader reader) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
      leaf.reader().checkIntegrity();
    }
  }

  @Override
  public long committedStamp() {
    return committed.stamp();
  }

  @Override
  public List<IndexProgress> committedProgress() {
    return committed.progress();
  }

  @Override
  public void put(IndexedVersion version) {
    Identity identity = Identity.of(version);
    BytesRef term = identity.term();
    Document document = documents.of(version, identity, term);
    Term key = new Term(Identity.FIELD, term);
    change(
        () -> {
          if (version.isOpen()) {
            history.deleteDocuments(key);
            current.updateDocument(key, document);
          } else {
            current.deleteDocuments(key);
            history.updateDocument(key, document);
          }
        });
  }

  @Override
  public void add(IndexedVersion version) {
    Identity identity = Identity.of(version);
    Document document = documents.of(version, identity, identity.term());
    change(() -> (version.isOpen() ? current : history).addDocument(document));
  }

  @Override
  public void drop(long definition) {
    remove(definition, NO_BYTES);
  }

  @Override
  public void remove(long definition, byte[] keyPrefix) {
    change(
        () -> {
          PrefixQuery all =
              new PrefixQuery(new Term(Identity.FIELD, Identity.from(definition, keyPrefix)));
          current.deleteDocuments(all);
          history.deleteDocuments(all);
        });
  }

  @Override
  public void publish(long stamp) {
    change(
        () -> {
          Published before = published;
          DirectoryReader newCurrent = refreshed(before.current().reader(), current);
          DirectoryReader newHistory;
          try {
            newHistory = refreshed(before.history().reader(), history);
          } catch (IOException | RuntimeException e) {
            IOUtils.closeWhileHandlingException(newCurrent);
            throw e;
          }
          published = new Published(newCurrent, newHistory, stamp);
          retired.add(before);
          closeRetired();
        });
  }

  /** The reader that shows what was written; the same one, held once more, if nothing was. */
  private static DirectoryReader refreshed(DirectoryReader reader, IndexWriter writer)
      throws IOException {
    DirectoryReader newer = DirectoryReader.openIfChanged(reader, writer);
    if (newer == null) {
      reader.incRef();
      return reader;
    }
    return newer;
  }

  private void closeRetired() throws IOException {
    List<Published> asked = new ArrayList<>();
    for (Published each : retired) {
      if (!each.closeIfLeft()) {
        asked.add(each);
      }
    }
    retired.clear();
    retired.addAll(asked);
  }

  @Override
  public long publishedStamp() {
    requireUsable();
    return published.stamp();
  }

  @Override
  public void commit(List<IndexProgress> progress) {
    change(
        () -> {
          closeRetired();
          commit(new CommitState(committed.number() + 1, published.stamp(), List.copyOf(progress)));
        });
  }

  private void commit(CommitState state) throws IOException {
    keptOfCurrent.keepFrom(state.number());
    for (IndexWriter each : List.of(history, current)) {
      each.setLiveCommitData(state.data().entrySet());
      each.commit();
    }
    committed = state;
    keptOfHistory.keepFrom(state.number());
    history.deleteUnusedFiles();
  }

  @Override
  public @Nullable Candidates find(IndexClause clause, ViewSpan views, int most) {
    return answer(asked -> asked.vertices(clause, views, most));
  }

  @Override
  public @Nullable EdgeCandidates findEdges(IndexClause clause, ReadView view, int most) {
    return answer(asked -> asked.edges(clause, view, most));
  }

  @Override
  public @Nullable InOrder<Candidates> findInOrder(
      @Nullable IndexClause clause, OrderedPart part, ViewSpan views, int most) {
    return answer(asked -> asked.verticesInOrder(clause, part, views, most));
  }

  @Override
  public @Nullable InOrder<EdgeCandidates> findEdgesInOrder(
      @Nullable IndexClause clause, OrderedPart part, ReadView view, int most) {
    return answer(asked -> asked.edgesInOrder(clause, part, view, most));
  }

  @Override
  public @Nullable Candidates findExactly(IndexClause clause, ReadView view, int most) {
    return answer(asked -> asked.exactly(clause, view, most));
  }

  @Override
  public @Nullable ValueCounts countValues(
      IndexDefinition definition,
      @Nullable IndexClause clause,
      ReadView view,
      LongFunction<long @Nullable []> without,
      int most) {
    return answer(asked -> asked.countValues(definition, clause, view, without, most));
  }

  @Override
  public VersionPage versions(long definition, byte[] from, int most) {
    return ask(
        seen -> {
          List<LeafReaderContext> leaves = new ArrayList<>();
          for (Side side : seen.sides()) {
            leaves.addAll(side.reader().leaves());
          }
          return StoredVersions.page(leaves, definition, from, most, seen.stamp());
        });
  }

  @Override
  public IndexSizes sizes() {
    return ask(
        seen -> {
          Set<Long> definitions = new HashSet<>();
          for (Side side : seen.sides()) {
            StoredVersions.addDefinitions(side.reader(), definitions);
          }
          return new IndexSizes(
              seen.current().reader().numDocs(),
              seen.history().reader().numDocs(),
              bytes(currentFiles) + bytes(historyFiles),
              definitions);
        });
  }

  private static long bytes(Directory directory) throws IOException {
    long bytes = 0;
    for (String file : directory.listAll()) {
      try {
        bytes += directory.fileLength(file);
      } catch (NoSuchFileException e) {
        // A merge has deleted it since.
        continue;
      }
    }
    return bytes;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      for (Published each : retired) {
        each.close();
      }
      published.close();
      IOUtils.close(current::rollback, history::rollback, currentFiles, historyFiles);
    } catch (IOException | RuntimeException | Error e) {
      // All is given up anyway; what is committed stays as it is, and opening clears the rest.
      IOUtils.closeWhileHandlingException(
          current::rollback, history::rollback, currentFiles, historyFiles);
    }
  }

  /** What changes the index. */
  private interface Change {
    void run() throws IOException;
  }

  /** What asks the index. */
  private interface Question<T> {
    T answer(Published seen) throws IOException;
  }

  /** What the index may not be able to tell. */
  private interface OpenQuestion<T> {
    @Nullable T answer(PublishedSearch asked) throws IOException;
  }

  private <T> @Nullable T answer(OpenQuestion<T> question) {
    Optional<T> found =
        ask(seen -> Optional.ofNullable(question.answer(new PublishedSearch(seen, () -> closed))));
    return found.orElse(null);
  }

  private void change(Change change) {
    requireUsable();
    try {
      change.run();
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  private <T> T ask(Question<T> question) {
    Published seen;
    do {
      requireUsable();
      seen = published;
    } while (!seen.enter());
    try {
      return question.answer(seen);
    } catch (GraphMetaException e) {
      throw e;
    } catch (AlreadyClosedException e) {
      requireUsable();
      throw failed(e);
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    } finally {
      seen.leave();
    }
  }

  private GraphMetaException failed(Exception e) {
    GraphMetaException error = LuceneErrors.of(name, e);
    failure = error;
    return error;
  }

  private void requireUsable() {
    if (closed) {
      throw new GraphMetaException(ErrorCode.CLOSED, CLOSED_MESSAGE);
    }
    GraphMetaException before = failure;
    if (before != null) {
      throw before.again();
    }
  }
}
