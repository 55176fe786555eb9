package io.graphmeta.server.replication;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.StorageEngine;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.slf4j.LoggerFactory;

/**
 * The replicas of a process, and the port at which those of other nodes reach them. Opened with all
 * replicas that it has, by one thread; others may come and go then. Safe for use by many threads.
 */
public final class ReplicaServer implements AutoCloseable {
  /** What the engine carries along prints a stack trace for each stream that a lost node breaks. */
  private static final Logger CARRIED = Logger.getLogger("org.apache.ratis.thirdparty");

  static {
    CARRIED.setLevel(Level.SEVERE);
  }

  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(ReplicaServer.class);

  private final ReplicaSettings settings;
  private final GroupLogs logs;
  private final MemberTerms others;
  private final Map<RaftGroupId, Replica> replicas = new ConcurrentHashMap<>();
  private final RaftServer server;
  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();

  /** Drops what comes when it is ended: the next process goes on with it. */
  private final ThreadPoolExecutor disk = thread("graphmeta-replicas-to-disk");

  /** Copies one store after the other, so that a node that comes back is not drowned by them. */
  private final ThreadPoolExecutor copies = thread("graphmeta-replica-copies");

  /**
   * A replica that a server is to have.
   *
   * @param shard number of the shard
   * @param generation of its group: how often it has lost its majority, and gone on without
   * @param members of its group when the log is made, this node among them; none for a node that
   *     the group is to take in
   * @param store without a log of its own; it stays open when the server closes
   * @param leadership is told when it leads
   */
  public record Hosted(
      int shard,
      int generation,
      List<ReplicaAddress> members,
      StorageEngine store,
      Leadership leadership) {
    /** Copies the members. */
    public Hosted {
      members = List.copyOf(members);
    }
  }

  private ReplicaServer(
      ReplicaSettings settings, List<Hosted> hosted, MemberTerms others, boolean isNew)
      throws IOException {
    this.settings = settings;
    this.others = others;
    this.logs = new GroupLogs(settings.directory(), settings.cluster());
    hosted.forEach(this::goOnAlone);
    if (isNew) {
      hosted.forEach(this::begin);
    }
    hosted.forEach(this::put);
    logs.mendVotes();
    RaftProperties properties = RaftOptions.properties(settings);
    server =
        RaftServer.newBuilder()
            .setServerId(RaftPeerId.valueOf(settings.self().name()))
            .setProperties(properties)
            .setParameters(RaftOptions.parameters(settings))
            .setOption(RaftStorage.StartupOption.RECOVER)
            .setStateMachineRegistry(this::machine)
            .build();
    RaftOptions.requireSafe(server.getProperties(), settings);
  }

  /**
   * Begins to follow, and to lead where elected.
   *
   * @param others the way to the other members of their groups
   * @param isNew whether logs that are not there may be made. A replica that was there and comes
   *     with an empty log would have forgotten what it has agreed to
   * @throws GraphMetaException {@code STORAGE_FAILURE} if a log cannot be read or the port be had
   */
  public static ReplicaServer open(
      ReplicaSettings settings, List<Hosted> hosted, MemberTerms others, boolean isNew) {
    try {
      ReplicaServer opened = new ReplicaServer(settings, hosted, others, isNew);
      boolean done = false;
      try {
        opened.start(hosted, isNew);
        opened.tellOfHeap();
        done = true;
        return opened;
      } finally {
        if (!done) {
          opened.close();
        }
      }
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "The replicas in "
              + settings.directory()
              + " cannot be opened at "
              + settings.self().text()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static ThreadPoolExecutor thread(String name) {
    return new ThreadPoolExecutor(
        1,
        1,
        1,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(), // one for each replica at most
        work -> {
          Thread thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        },
        new ThreadPoolExecutor.DiscardPolicy());
  }

  private Replica put(Hosted hosted) {
    if (!hosted.members().isEmpty()) {
      settings.requireMembers(hosted.members(), hosted.generation() == 0);
    }
    RaftGroupId group = group(hosted);
    Replica replica =
        new Replica(
            hosted.shard(),
            hosted.generation(),
            group,
            hosted.store(),
            hosted.leadership(),
            disk,
            copies,
            others,
            settings);
    replicas.put(group, replica);
    return replica;
  }

  private RaftGroupId group(Hosted hosted) {
    return logs.group(hosted.shard(), hosted.generation());
  }

  private Optional<Replica> find(int shard) {
    return replicas.values().stream().filter(each -> each.shard() == shard).findAny();
  }

  /**
   * Goes on over the log of a former generation, of a replica that does not run, if it is the only
   * member of a later one that has no log yet.
   */
  private void goOnAlone(Hosted hosted) {
    int generation = hosted.generation();
    boolean isToGoOn =
        generation > 0
            && hosted.members().equals(List.of(settings.self()))
            && logs.generation(hosted.shard(), generation) < generation
            && (logs.generation(hosted.shard(), generation) >= 0
                || logs.hasBegun(hosted.shard(), generation));
    if (isToGoOn) {
      // The store first: with a log of the later generation it would count as empty.
      long applied = ReplicaMachine.goOn(hosted.store(), generation);
      logs.goOnAlone(hosted.shard(), generation, settings.self(), applied);
    }
  }

  /**
   * Makes the store of the only member of a later generation that has no log yet, nor one of a
   * former generation, the beginning of that group: it was restored.
   */
  private void begin(Hosted hosted) {
    int generation = hosted.generation();
    if (generation > 0
        && hosted.members().equals(List.of(settings.self()))
        && logs.generation(hosted.shard(), generation) < 0) {
      ReplicaMachine.begin(hosted.store(), generation);
    }
  }

  private ReplicaMachine machine(RaftGroupId group) {
    Replica replica = replicas.get(group);
    if (replica == null) {
      throw new GraphMetaException(
          ErrorCode.MISMATCHED_SETTINGS,
          "Directory "
              + settings.directory()
              + " has the log of a shard that this node does not host; move it elsewhere, or let"
              + " the node host the shard");
    }
    return replica.machine();
  }

  private void start(List<Hosted> hosted, boolean isNew) throws IOException {
    replicas.values().forEach(replica -> replica.joined(server));
    server.start();
    Set<RaftGroupId> known = new HashSet<>();
    server.getGroupIds().forEach(known::add);
    for (Hosted each : hosted) {
      if (!known.contains(group(each))) {
        // One that the group is to take in has agreed to nothing yet.
        if (!isNew && !each.members().isEmpty()) {
          throw new IOException(
              "the log of shard "
                  + each.shard()
                  + " is not there; put it back, or let the cluster replace the node");
        }
        begin(each, true);
      }
    }
  }

  private void begin(Hosted hosted, boolean isNew) throws IOException {
    RaftGroup group = RaftGroup.valueOf(group(hosted), ReplicaAddress.peers(hosted.members()));
    requireSuccess(
        server.groupManagement(
            GroupManagementRequest.newAdd(
                client, server.getId(), calls.incrementAndGet(), group, isNew)));
  }

  private static void requireSuccess(RaftClientReply reply) throws IOException {
    if (!reply.isSuccess()) {
      throw new IOException(reply.getException());
    }
  }

  /**
   * Begins a replica that a group is to take in; nothing if there is one.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE} if its log cannot be made
   */
  public synchronized void add(Hosted hosted) {
    if (find(hosted.shard()).isEmpty()) {
      begin(hosted, true, "made");
      tellOfHeap();
    }
  }

  private void tellOfHeap() {
    settings
        .heapWarning(replicas.size(), Runtime.getRuntime().maxMemory())
        .ifPresent(warning -> LOG.warn("{}", warning));
  }

  private void begin(Hosted hosted, boolean isNew, String what) {
    Replica replica = put(hosted);
    replica.joined(server);
    try {
      begin(hosted, isNew);
    } catch (IOException e) {
      replicas.remove(replica.group());
      replica.end();
      throw failed("The log of shard " + hosted.shard() + " cannot be " + what, e);
    }
  }

  /**
   * Ends the replica of a former generation, if it runs, and goes on over its store and its log as
   * the only member of a later one; nothing if it has. All that is in the log counts as agreed on.
   * What was cut off goes on when it is called again, or when the server is opened again with this
   * member.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE} if the log cannot be moved, or read
   */
  public synchronized void goOn(Hosted alone) {
    if (find(alone.shard()).map(Replica::generation).orElse(-1) < alone.generation()) {
      end(alone.shard());
      goOnAlone(alone);
      if (logs.generation(alone.shard(), alone.generation()) < alone.generation()) {
        throw failed(
            "Shard " + alone.shard() + " cannot go on", new IOException("its log is not there"));
      }
      begin(alone, false, "read");
    }
  }

  /**
   * Ends a replica, whose log stays; nothing if there is none. The store stays open, and nothing is
   * built over it any more.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE} if the log cannot be closed
   */
  public synchronized void end(int shard) {
    find(shard).ifPresent(replica -> end(replica, false));
  }

  /**
   * Ends a replica that its group has no more, and removes its log; nothing if there is none. The
   * store stays open.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE} if the log cannot be removed
   */
  public synchronized void remove(int shard) {
    find(shard).ifPresent(replica -> end(replica, true));
  }

  private void end(Replica replica, boolean isRemoved) {
    try {
      requireSuccess(
          server.groupManagement(
              GroupManagementRequest.newRemove(
                  client,
                  server.getId(),
                  calls.incrementAndGet(),
                  replica.group(),
                  isRemoved,
                  false)));
    } catch (IOException e) {
      throw failed(
          "The log of shard "
              + replica.shard()
              + (isRemoved ? " cannot be removed" : " cannot be closed"),
          e);
    }
    replicas.remove(replica.group());
    replica.endTerm();
  }

  private GraphMetaException failed(String what, IOException cause) {
    return new GraphMetaException(
        ErrorCode.STORAGE_FAILURE,
        what + " in " + settings.directory() + ": " + cause.getMessage(),
        cause);
  }

  /** The replica of a shard. */
  public Replica replica(int shard) {
    return find(shard)
        .orElseThrow(
            () -> GraphMetaException.invalid("This node hosts no replica of shard " + shard));
  }

  /** The generation of the group of which there is a replica of a shard; -1 if there is none. */
  public int generation(int shard) {
    return find(shard).map(Replica::generation).orElse(-1);
  }

  /** All replicas, by the numbers of their shards. */
  public List<Replica> replicas() {
    return replicas.values().stream().sorted(Comparator.comparingInt(Replica::shard)).toList();
  }

  /** Follows no more. The stores stay open. */
  @Override
  public void close() {
    // The engine would wait for ever for an answer that its ended thread does not give.
    Threads.end(disk);
    Threads.end(copies);
    try {
      server.close();
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "The replicas in " + settings.directory() + " were not closed well: " + e.getMessage(),
          e);
    } finally {
      replicas.values().forEach(Replica::end);
    }
  }
}
