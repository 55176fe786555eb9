package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.transport.Transport.Addressed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LeaderTransportTest {
  private static final int REPLICAS = 3;
  private static final int SHARDS = 2;
  private static final long PATIENCE_MILLIS = 400;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final NodeSettings settings =
      NodeSettings.of(Map.of(NodeSetting.WAIT_MILLIS.key(), PATIENCE_MILLIS));

  @AfterEach
  void end() {
    timer.shutdownNow();
  }

  /** Replicas that answer as they are told to; what they are asked is kept. */
  private static final class Replicas implements ReplicaCalls {
    final List<Directed> asked = new CopyOnWriteArrayList<>();
    private final Map<Integer, List<@Nullable ErrorCode>> behaviour;

    /** For each shard how each replica answers; null for one that leads. */
    Replicas(Map<Integer, List<@Nullable ErrorCode>> behaviour) {
      this.behaviour = behaviour;
    }

    @Override
    public List<String> nodes(int shard) {
      return List.of("0", "1", "2");
    }

    @Override
    public List<CompletableFuture<Response>> sendAllTo(List<Directed> calls) {
      asked.addAll(calls);
      return calls.stream().map(this::answer).toList();
    }

    private CompletableFuture<Response> answer(Directed call) {
      ErrorCode code = behaviour.get(call.shard()).get(Integer.parseInt(call.node()));
      return code == null
          ? CompletableFuture.completedFuture(new Response.Stamped(Integer.parseInt(call.node())))
          : CompletableFuture.failedFuture(new GraphMetaException(code, "planted " + code));
    }

    long askedOf(Request request) {
      return asked.stream().filter(each -> each.call().request() == request).count();
    }
  }

  private static Call call(Request request) {
    return new Call(1, 10_000, request);
  }

  private LeaderTransport over(Replicas replicas) {
    return new LeaderTransport(replicas, SHARDS, REPLICAS, settings, timer);
  }

  private static ErrorCode code(CompletableFuture<Response> answer) throws Exception {
    try {
      throw new AssertionError("answered " + answer.get(20, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return ((GraphMetaException) e.getCause()).code();
    }
  }

  /** A request that must not be done twice. */
  private static Request once() {
    return new Request.Define(SchemaImage.EMPTY);
  }

  @Test
  void whoLeadsIsFoundAndAskedFirstFromThenOn() throws Exception {
    List<@Nullable ErrorCode> last =
        new ArrayList<>(List.of(ErrorCode.NOT_LEADER, ErrorCode.UNAVAILABLE));
    last.add(null);
    List<@Nullable ErrorCode> first = new ArrayList<>();
    first.add(null);
    first.addAll(List.of(ErrorCode.NOT_LEADER, ErrorCode.NOT_LEADER));
    Replicas replicas = new Replicas(Map.of(0, last, 1, first));
    LeaderTransport transport = over(replicas);
    List<CompletableFuture<Response>> answers =
        transport.sendAll(List.of(new Addressed(0, call(once())), new Addressed(1, call(once()))));
    assertThat(answers.get(0).get()).isEqualTo(new Response.Stamped(2));
    assertThat(answers.get(1).get()).isEqualTo(new Response.Stamped(0));
    assertThat(replicas.asked).hasSize(4);
    assertThat(transport.leader(0)).isEqualTo("2");
    Request again = once();
    assertThat(transport.send(0, call(again)).get()).isEqualTo(new Response.Stamped(2));
    assertThat(replicas.asked).hasSize(5);
  }

  /**
   * Whatever replicas do: a request that was sent and not answered is sent again only if it may.
   */
  @Test
  void nothingIsDoneTwiceThatMustNotBe() throws Exception {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    ErrorCode[] codes = {
      ErrorCode.NOT_LEADER, ErrorCode.UNAVAILABLE, ErrorCode.UNREACHABLE, ErrorCode.CONFLICT
    };
    for (int round = 0; round < 60; round++) {
      List<@Nullable ErrorCode> behaviour = new ArrayList<>();
      for (int replica = 0; replica < REPLICAS; replica++) {
        behaviour.add(random.nextInt(4) == 0 ? null : codes[random.nextInt(codes.length)]);
      }
      Replicas replicas = new Replicas(Map.of(0, behaviour));
      boolean repeatable = random.nextBoolean();
      Request request = repeatable ? new Request.ReadStatus() : once();
      CompletableFuture<Response> answer = over(replicas).send(0, call(request));
      Object came;
      try {
        came = answer.get(20, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        came = ((GraphMetaException) e.getCause()).code();
      }
      String what = behaviour + ", repeatable " + repeatable + ", seed " + seed;
      Object expected = null;
      for (ErrorCode each : behaviour) {
        if (each == null
            || each == ErrorCode.CONFLICT
            || each == ErrorCode.UNREACHABLE && !repeatable) {
          expected = each == null ? new Response.Stamped(behaviour.indexOf(null)) : each;
          break;
        }
      }
      if (expected == null) { // no replica leads
        expected =
            behaviour.contains(ErrorCode.UNREACHABLE)
                ? ErrorCode.UNREACHABLE
                : ErrorCode.UNAVAILABLE;
        assertThat(replicas.askedOf(request)).as(what).isGreaterThan(2 * REPLICAS);
      } else {
        assertThat(replicas.askedOf(request)).as(what).isLessThanOrEqualTo(REPLICAS);
      }
      assertThat(came).as(what).isEqualTo(expected);
    }
  }

  @Test
  void aBeginDoesNotWaitForAnElection() throws Exception {
    List<@Nullable ErrorCode> none =
        List.of(ErrorCode.NOT_LEADER, ErrorCode.UNAVAILABLE, ErrorCode.NOT_LEADER);
    Replicas replicas = new Replicas(Map.of(0, none));
    Request begin = new Request.Snapshot(0);
    CompletableFuture<Response> answer = over(replicas).send(0, call(begin));
    assertThat(answer).as("without a pause").isDone();
    assertThat(code(answer)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(replicas.askedOf(begin)).isEqualTo(REPLICAS);
  }

  @Test
  void whatIsAskedAgainHasLessTimeAndEndsWithIt() throws Exception {
    List<@Nullable ErrorCode> none =
        List.of(ErrorCode.NOT_LEADER, ErrorCode.NOT_LEADER, ErrorCode.NOT_LEADER);
    Replicas replicas = new Replicas(Map.of(0, none));
    CompletableFuture<Response> answer =
        over(replicas).send(0, new Call(1, 60, new Request.ReadStatus()));
    assertThat(code(answer)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(replicas.asked)
        .allSatisfy(each -> assertThat(each.call().timeoutMillis()).isBetween(1L, 60L));
    assertThat(replicas.asked.get(replicas.asked.size() - 1).call().timeoutMillis())
        .isLessThan(60L);
  }
}
