package io.graphmeta.server.cluster;

import io.graphmeta.engine.ShardFiles;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.HostedShard;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.server.net.LeaderTransport;
import io.graphmeta.server.net.NodeSetting;
import io.graphmeta.server.net.NodeSettings;
import io.graphmeta.server.net.ReplicaCalls;
import io.graphmeta.server.replication.Leadership;
import io.graphmeta.transfer.Pace;
import io.graphmeta.transfer.StoreCopier;
import io.graphmeta.transport.Answers;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Copies the store of the replica that leads a shard, file by file. Used by one thread. */
final class LeaderCopy {
  private static final long ANSWER_MILLIS = 20_000;
  private static final SecureRandom NUMBERS = new SecureRandom();

  private final LeaderTransport leaders;
  private final ReplicaCalls calls;
  private final NodeSettings settings;
  private final BooleanSupplier isEnding;

  /**
   * A way to copy stores.
   *
   * @param isEnding whether it is to give up
   */
  LeaderCopy(
      LeaderTransport leaders,
      ReplicaCalls calls,
      NodeSettings settings,
      BooleanSupplier isEnding) {
    this.leaders = leaders;
    this.calls = calls;
    this.settings = settings;
    this.isEnding = isEnding;
  }

  /** Copies. */
  Leadership.Copy of(HostedShard shard) {
    // Only who leads answers this, and is found so. One that has led may be behind, so the very
    // node
    // that is copied is asked, too.
    leaders.await(leaders.send(shard.number(), call(new Request.ReadMembers())));
    Node leader = new Node(leaders.leader(shard.number()), shard.number());
    leader.ask(new Request.ReadMembers(), Response.Members.class);
    // The checkpoint comes later, and is not behind what is applied now.
    long applied = leader.ask(new Request.ReadTerm(), Response.Term.class).applied();
    ShardFiles files = new ShardFiles(leader, shard.number(), 0, this::requireGoesOn);
    Pace pace =
        new Pace(
            settings.number(NodeSetting.COPIED_BYTES_PER_SECOND),
            System::nanoTime,
            micros -> LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros)));
    try {
      new StoreCopier(files, pace, shard.copyDirectory(), bytes -> {}).run();
    } finally {
      files.letGo();
    }
    return new Leadership.Copy(applied, shard::takeCopy);
  }

  private void requireGoesOn() {
    if (isEnding.getAsBoolean()) {
      throw new GraphMetaException(ErrorCode.CLOSED, "The node stops");
    }
  }

  private static Call call(Request request) {
    return new Call(VirtualNodeMap.FIRST_EPOCH, ANSWER_MILLIS, request);
  }

  /** A replica of a shard on another node. */
  private final class Node implements ShardFiles.Asked {
    private final String node;
    private final int shard;

    Node(String node, int shard) {
      this.node = node;
      this.shard = shard;
    }

    @Override
    public CompletableFuture<Response> send(Request request) {
      return calls.sendAllTo(List.of(new ReplicaCalls.Directed(shard, node, call(request)))).get(0);
    }

    @Override
    public Response await(CompletableFuture<Response> sent) {
      try {
        return sent.join();
      } catch (CompletionException e) {
        throw Answers.error(e);
      }
    }

    @Override
    public long newCheckpoint() {
      return NUMBERS.nextLong();
    }
  }
}
