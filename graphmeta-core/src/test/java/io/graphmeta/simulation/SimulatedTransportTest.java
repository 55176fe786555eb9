package io.graphmeta.simulation;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import io.graphmeta.transport.TransportContractTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;

/**
 * The simulated transport in fair weather is a transport like any other. Its scheduler belongs to
 * the thread that makes it, which therefore runs the tests too.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SAME_THREAD)
final class SimulatedTransportTest extends TransportContractTest {
  private final Scheduler scheduler = new Scheduler(new SplittableRandom(1), new FiberThreads());

  private record Shard(int host, RequestHandler handler) implements SimulatedNetwork.Node {
    @Override
    public int incarnation() {
      return 1;
    }

    @Override
    public boolean isUp() {
      return true;
    }

    @Override
    public CompletableFuture<Response> handle(Call call) {
      return handler.handle(call);
    }
  }

  @Override
  protected Transport connect(List<RequestHandler> handlers) {
    List<Shard> shards = new ArrayList<>();
    for (RequestHandler handler : handlers) {
      shards.add(new Shard(shards.size(), handler));
    }
    SimulatedNetwork network =
        new SimulatedNetwork(
            scheduler,
            new SplittableRandom(2),
            new Trace(),
            shards,
            SimulatedNetwork.Weather.FAIR,
            true,
            false,
            new SimulatedConnections(scheduler, new SplittableRandom(3), handlers.size(), 0));
    return new SimulatedTransport(scheduler, network, shards.size(), "client");
  }

  @Override
  protected void later(Runnable action) {
    scheduler.after(1_000, action);
  }

  @Override
  protected void atOnce(int times, Runnable action) {
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      ends.add(end);
      scheduler.start(
          "caller " + i,
          () -> {
            action.run();
            end.complete(null);
          });
    }
    ends.forEach(scheduler::await);
  }
}
