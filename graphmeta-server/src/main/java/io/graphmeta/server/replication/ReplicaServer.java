package io.graphmeta.server.replication;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.StorageEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
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

  private final ReplicaSettings settings;
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
   * @param members of its group when the log is made, this node among them; none for a node that
   *     the group is to take in
   * @param store without a log of its own; it stays open when the server closes
   * @param leadership is told when it leads
   */
  public record Hosted(
      int shard, List<ReplicaAddress> members, StorageEngine store, Leadership leadership) {
    /** Copies the members. */
    public Hosted {
      members = List.copyOf(members);
    }
  }

  private ReplicaServer(ReplicaSettings settings, List<Hosted> hosted, MemberTerms others)
      throws IOException {
    this.settings = settings;
    this.others = others;
    hosted.forEach(this::put);
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
      ReplicaServer opened = new ReplicaServer(settings, hosted, others);
      boolean done = false;
      try {
        opened.start(hosted, isNew);
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
      settings.requireMembers(hosted.members());
    }
    RaftGroupId group = group(hosted.shard());
    Replica replica =
        new Replica(
            hosted.shard(),
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

  private RaftGroupId group(int shard) {
    String name = settings.cluster() + "/shard-" + shard;
    return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
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
      if (!known.contains(group(each.shard()))) {
        // One that the group is to take in has agreed to nothing yet.
        if (!isNew && !each.members().isEmpty()) {
          throw new IOException(
              "the log of shard "
                  + each.shard()
                  + " is not there; put it back, or let the cluster replace the node");
        }
        begin(each);
      }
    }
  }

  private void begin(Hosted hosted) throws IOException {
    RaftGroup group =
        RaftGroup.valueOf(group(hosted.shard()), ReplicaAddress.peers(hosted.members()));
    requireSuccess(
        server.groupManagement(
            GroupManagementRequest.newAdd(client, server.getId(), calls.incrementAndGet(), group)));
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
    if (replicas.containsKey(group(hosted.shard()))) {
      return;
    }
    Replica replica = put(hosted);
    replica.joined(server);
    try {
      begin(hosted);
    } catch (IOException e) {
      replicas.remove(replica.group());
      replica.end();
      throw failed("The log of shard " + hosted.shard() + " cannot be made", e);
    }
  }

  /**
   * Ends a replica that its group has no more, and removes its log; nothing if there is none. The
   * store stays open.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE} if the log cannot be removed
   */
  public synchronized void remove(int shard) {
    Replica replica = replicas.get(group(shard));
    if (replica != null) {
      try {
        requireSuccess(
            server.groupManagement(
                GroupManagementRequest.newRemove(
                    client,
                    server.getId(),
                    calls.incrementAndGet(),
                    replica.group(),
                    true,
                    false)));
      } catch (IOException e) {
        throw failed("The log of shard " + shard + " cannot be removed", e);
      }
      replicas.remove(replica.group());
      replica.end();
    }
  }

  private GraphMetaException failed(String what, IOException cause) {
    return new GraphMetaException(
        ErrorCode.STORAGE_FAILURE,
        what + " in " + settings.directory() + ": " + cause.getMessage(),
        cause);
  }

  /** The replica of a shard. */
  public Replica replica(int shard) {
    Replica replica = replicas.get(group(shard));
    if (replica == null) {
      throw GraphMetaException.invalid("This node hosts no replica of shard " + shard);
    }
    return replica;
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
