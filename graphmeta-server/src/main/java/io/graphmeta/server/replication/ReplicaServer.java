package io.graphmeta.server.replication;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.StorageEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;

/**
 * The replicas of a process, and the port at which those of other nodes reach them. Opened once,
 * with all replicas that it has, by one thread; safe for use by many threads then.
 */
public final class ReplicaServer implements AutoCloseable {
  /** What the engine carries along logs in its own way what is nobody's business. */
  private static final Logger CARRIED = Logger.getLogger("org.apache.ratis.thirdparty");

  static {
    CARRIED.setLevel(Level.WARNING);
  }

  private final ReplicaSettings settings;
  private final Map<RaftGroupId, Replica> replicas = new ConcurrentHashMap<>();
  private final RaftServer server;

  /** Drops what comes when it is ended: the next process goes on with it. */
  private final ThreadPoolExecutor disk =
      new ThreadPoolExecutor(
          1,
          1,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(), // one for each replica at most
          work -> {
            Thread thread = new Thread(work, "graphmeta-replicas-to-disk");
            thread.setDaemon(true);
            return thread;
          },
          new ThreadPoolExecutor.DiscardPolicy());

  /**
   * A replica that a server is to have.
   *
   * @param shard number of the shard
   * @param members of its group, this node among them
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
    for (Hosted each : hosted) {
      settings.requireMembers(each.members());
      RaftGroup group = group(settings.cluster(), each.shard(), each.members());
      replicas.put(
          group.getGroupId(),
          new Replica(
              each.shard(), group, each.store(), each.leadership(), disk, others, settings));
    }
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
        opened.start(isNew);
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

  private static RaftGroup group(String cluster, int shard, List<ReplicaAddress> members) {
    String name = cluster + "/shard-" + shard;
    UUID identity = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    List<RaftPeer> peers = new ArrayList<>();
    for (ReplicaAddress member : members) {
      peers.add(RaftPeer.newBuilder().setId(member.name()).setAddress(member.text()).build());
    }
    return RaftGroup.valueOf(RaftGroupId.valueOf(identity), peers);
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

  private void start(boolean isNew) throws IOException {
    replicas.values().forEach(replica -> replica.joined(server));
    server.start();
    List<RaftGroupId> known = new ArrayList<>();
    server.getGroupIds().forEach(known::add);
    ClientId client = ClientId.randomId();
    long call = 1;
    for (Replica replica : replicas.values()) {
      if (!known.contains(replica.groupId())) {
        if (!isNew) {
          throw new IOException(
              "the log of shard "
                  + replica.shard()
                  + " is not there; put it back, or let the cluster replace the node");
        }
        RaftClientReply reply =
            server.groupManagement(
                GroupManagementRequest.newAdd(client, server.getId(), call++, replica.group()));
        if (!reply.isSuccess()) {
          throw new IOException(reply.getException());
        }
      }
    }
  }

  /** The replica of a shard. */
  public Replica replica(int shard) {
    return replicas.values().stream()
        .filter(replica -> replica.shard() == shard)
        .findAny()
        .orElseThrow(
            () -> GraphMetaException.invalid("This node hosts no replica of shard " + shard));
  }

  /** Follows no more. The stores stay open. */
  @Override
  public void close() {
    // The engine would wait for ever for an answer that its ended thread does not give.
    Threads.end(disk);
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
