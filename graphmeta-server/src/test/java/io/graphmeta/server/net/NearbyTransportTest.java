package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.transport.Transport;
import io.graphmeta.transport.Transport.Addressed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which reads go to replicas, and what becomes of those that these do not answer. */
class NearbyTransportTest {
  private static final List<String> NODES = List.of("n1", "n2", "n3");
  private static final Map<String, String> RACKS = Map.of("n1", "west", "n2", "east", "n3", "west");
  private static final Response OF_LEADER = new Response.Stamped(1);
  private static final Response OF_REPLICA = new Response.Stamped(2);

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<Request> led = new ArrayList<>();
  private final List<ReplicaCalls.Directed> near = new ArrayList<>();
  private final Map<Integer, Long> settled = new HashMap<>(Map.of(0, 100L, 1, 200L));
  private final Map<String, ErrorCode> failing = new HashMap<>();
  private final List<Integer> notesAsked = new ArrayList<>();
  private boolean failingNotes;

  private final Transport leaders =
      (shard, call) -> {
        led.add(call.request());
        if (call.request() instanceof Request.NoteSettled) {
          notesAsked.add(shard);
          if (failingNotes) {
            return CompletableFuture.failedFuture(
                new GraphMetaException(ErrorCode.UNAVAILABLE, "planted"));
          }
        }
        return CompletableFuture.completedFuture(OF_LEADER);
      };

  private final ReplicaCalls calls =
      new ReplicaCalls() {
        @Override
        public List<String> nodes(int shard) {
          return NODES;
        }

        @Override
        public List<CompletableFuture<Response>> sendAllTo(List<Directed> directed) {
          return directed.stream().map(this::answer).toList();
        }

        private CompletableFuture<Response> answer(Directed call) {
          near.add(call);
          ErrorCode code = failing.get(call.node());
          if (code != null) {
            return CompletableFuture.failedFuture(new GraphMetaException(code, "planted"));
          }
          long stamp = settled.get(call.shard());
          return CompletableFuture.completedFuture(
              call.call().request() instanceof Request.ReadReplica
                  ? new Response.ReplicaState(0, 1, 1, 1, 1, 1, stamp, List.of())
                  : OF_REPLICA);
        }
      };

  private final NearbyTransport transport =
      new NearbyTransport(leaders, calls, 2, "client-1", "east", () -> RACKS, timer);

  @AfterEach
  void end() {
    transport.close();
    timer.shutdownNow();
  }

  private static Call read(long snapshot) {
    return new Call(
        1,
        1000,
        new Request.ReadVertices(
            new long[] {1}, new ReadView(5, 5, snapshot), Detail.PROPERTIES, 0));
  }

  private void learn() {
    assertThat(transport.settledNearby(0)).isZero();
    transport.look();
    near.clear();
  }

  @Test
  void theStampIsTheLeastOfAllShardsAndOnlyGrows() {
    transport.look();
    assertThat(near).as("nobody reads the past").isEmpty();
    learn();
    assertThat(transport.settledNearby(0)).isEqualTo(100);
    settled.put(0, 50L);
    transport.look();
    assertThat(transport.settledNearby(0)).isEqualTo(100);
    settled.put(0, 300L);
    transport.look();
    assertThat(transport.settledNearby(0)).isEqualTo(200);
  }

  /** A shard at rest notes nothing of its own accord. */
  @Test
  void leadersAreAskedToNoteWhatReplicasDoNotTell() {
    learn();
    assertThat(led).as("nobody wants a stamp").isEmpty();
    assertThat(transport.settledNearby(150)).isEqualTo(100);
    transport.look();
    assertThat(led).containsExactly(new Request.NoteSettled(150));
    assertThat(notesAsked).as("the other one is that far").containsExactly(0);
    settled.put(0, 160L);
    transport.look(); // which learns that
    transport.look();
    assertThat(transport.settledNearby(120)).isEqualTo(160);
    assertThat(led).hasSize(2);
    transport.settledNearby(250);
    transport.look();
    assertThat(led).endsWith(new Request.NoteSettled(250), new Request.NoteSettled(250));
  }

  @Test
  void whereLeadersCannotNoteReplicasAreAskedAllTheSame() {
    learn();
    failingNotes = true;
    transport.settledNearby(150);
    settled.put(0, 150L);
    transport.look();
    assertThat(transport.settledNearby(150)).isEqualTo(150);
  }

  @Test
  void viewsUpToItGoToAReplicaOnTheOwnRackAndAllElseToTheLeaders() {
    learn();
    Call write = new Call(1, 1000, new Request.ReadWatermark());
    List<CompletableFuture<Response>> answers =
        transport.sendAll(
            List.of(
                new Addressed(0, read(100)),
                new Addressed(1, read(101)),
                new Addressed(0, write),
                new Addressed(1, read(99))));
    assertThat(answers.stream().map(CompletableFuture::join))
        .containsExactly(OF_REPLICA, OF_LEADER, OF_LEADER, OF_REPLICA);
    assertThat(near).extracting(ReplicaCalls.Directed::node).containsOnly("n2");
    assertThat(near)
        .allMatch(each -> each.call().request() instanceof Request.FollowerRead)
        .hasSize(2);
    assertThat(led).hasSize(2);
    assertThat(transport.answered()).isEqualTo(2);
  }

  @Test
  void whatAReplicaDoesNotAnswerTheLeaderIsAsked() {
    learn();
    failing.put("n2", ErrorCode.NOT_LEADER);
    Call read = read(100);
    assertThat(transport.send(0, read).join()).isEqualTo(OF_LEADER);
    assertThat(led).containsExactly(read.request());
    assertThat(transport.answered()).isZero();
  }

  /** For the one that leads a read may have to wait until there is one. */
  @Test
  void whereANodeIsAwayTheOthersAreAskedBeforeTheLeader() {
    learn();
    failing.put("n2", ErrorCode.UNAVAILABLE);
    assertThat(transport.send(0, read(100)).join()).isEqualTo(OF_REPLICA);
    assertThat(nodesAsked()).hasSize(2).startsWith("n2").doesNotHaveDuplicates();
    near.clear();
    assertThat(transport.send(0, read(100)).join()).isEqualTo(OF_REPLICA);
    assertThat(nodesAsked()).as("the node is passed over").hasSize(1).doesNotContain("n2");
    assertThat(led).isEmpty();
  }

  @Test
  void whereAllNodesAreAwayEachIsAskedOnceAndThenTheLeader() {
    learn();
    NODES.forEach(node -> failing.put(node, ErrorCode.UNREACHABLE));
    assertThat(transport.send(0, read(100)).join()).isEqualTo(OF_LEADER);
    assertThat(nodesAsked()).containsExactlyInAnyOrderElementsOf(NODES);
    near.clear();
    assertThat(transport.send(0, read(100)).join()).isEqualTo(OF_LEADER);
    assertThat(nodesAsked()).as("none was there a moment ago").hasSize(1);
  }

  private List<String> nodesAsked() {
    return near.stream().map(ReplicaCalls.Directed::node).toList();
  }

  private static Call start() {
    Plan plan =
        new Plan(
            new PlanSource.Given(ElementKind.VERTEX),
            List.of(),
            ResultRange.ALL,
            new PlanResult.Elements());
    return new Call(
        1,
        1000,
        new Request.StartTraversal(
            new TraversalId(1, 1),
            plan,
            new PlanNames(Map.of(), Map.of(), Map.of()),
            new ReadView(5, 5, 100),
            List.of(),
            Manner.STEPWISE));
  }

  @Test
  void aTraversalGoesToTheReplicasThatWereChosenWhenItBegan() {
    assertThat(transport.nearby(1)).as("nobody has looked yet").isNull();
    learn();
    assertThat(transport.nearby(101)).isNull();
    Transport chosen = transport.nearby(100);
    assertThat(chosen.send(1, start()).join()).isEqualTo(OF_REPLICA);
    failing.put("n1", ErrorCode.UNAVAILABLE);
    Call end = new Call(1, 1000, new Request.EndTraversal(new TraversalId(1, 1)));
    chosen.send(0, end).join();
    assertThat(near).extracting(ReplicaCalls.Directed::node).containsExactly("n2", "n2");
    assertThat(near.get(0).call().request())
        .isEqualTo(new Request.FollowerTraversal(start().request(), List.of("n2", "n2")));
    assertThat(near.get(1).call().request())
        .as("does not say again which replicas they are")
        .isEqualTo(new Request.FollowerTraversal(end.request(), List.of()));
    assertThat(led).isEmpty();
    assertThat(transport.chosen()).isEqualTo(1);
  }

  @Test
  void aTraversalThatAReplicaDoesNotAnswerForIsLostThere() {
    learn();
    Transport chosen = transport.nearby(100);
    failing.put("n2", ErrorCode.NOT_LEADER);
    assertLost(chosen, ErrorCode.TRAVERSAL_LOST);
    failing.put("n2", ErrorCode.UNAVAILABLE);
    assertLost(chosen, ErrorCode.UNAVAILABLE);
    near.clear();
    transport.nearby(100).send(0, start()).join();
    assertThat(near)
        .as("the node is passed over")
        .extracting(ReplicaCalls.Directed::node)
        .doesNotContain("n2")
        .hasSize(1);
    assertThat(led).isEmpty();
  }

  private static void assertLost(Transport chosen, ErrorCode code) {
    assertThatThrownBy(() -> chosen.send(0, start()).join())
        .cause()
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void othersSpreadOverTheReplicas() {
    List<String> chosen = new ArrayList<>();
    for (int client = 0; client < 40; client++) {
      NearbyTransport other =
          new NearbyTransport(leaders, calls, 2, "client-" + client, "", () -> RACKS, timer);
      other.settledNearby(0);
      other.look();
      chosen.add(near.get(near.size() - 1).node());
    }
    assertThat(chosen).contains("n1", "n2", "n3");
  }
}
