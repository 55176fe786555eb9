package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.faults.Deadlines.Step;
import io.graphmeta.server.faults.GremlinServers.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.structure.T;

/**
 * Sessions that go from Gremlin Server to Gremlin Server, as those of users do behind a load
 * balancer that knows nothing of them, and take their tokens along. Each counts a vertex of its own
 * up, and reads at each server exactly what it was told before.
 */
final class ServedSessions implements Work {
  private static final int SESSIONS = 4;
  private static final String LABEL = "served";
  private static final Pattern NUMBER = Pattern.compile("\"g:Int64\",\"@value\":(-?\\d+)");

  private final GremlinServers servers;
  private final Deadlines deadlines;
  private final Queue<CountedSession> sessions = new ConcurrentLinkedQueue<>();
  private final List<CountedSession> all = new ArrayList<>();
  private final AtomicLong handed = new AtomicLong();
  private final AtomicLong unknowns = new AtomicLong();

  ServedSessions(GremlinServers servers, Deadlines deadlines) {
    this.servers = servers;
    this.deadlines = deadlines;
  }

  @Override
  public void begin(Client client) {
    client.graph.tx().rollback();
    if (!client.graph.traversal().V(LABEL + 0).hasNext()) {
      for (int number = 0; number < SESSIONS; number++) {
        String id = LABEL + number;
        client.graph.traversal().addV(LABEL).property(T.id, id).property("count", 0L).iterate();
      }
    }
    client.graph.tx().commit();
    for (int number = 0; number < SESSIONS; number++) {
      all.add(new CountedSession(LABEL + number, client.graph.sessionToken()));
    }
    sessions.addAll(all);
  }

  @Override
  public boolean run(Client client, Random random) {
    CountedSession session = sessions.poll();
    if (session == null) {
      return false; // all are at others now
    }
    try {
      read(session, random.nextInt(servers.count()));
      if (random.nextInt(4) > 0) {
        countUp(session, random.nextInt(servers.count()));
      }
      handed.incrementAndGet();
      return true;
    } finally {
      sessions.add(session);
    }
  }

  private void read(CountedSession session, int server) {
    Answer answer =
        deadlines.of(
            Step.QUERY,
            () ->
                servers.ask(
                    server, "g.V('" + session.vertex + "').values('count')", session.token));
    if (!answer.isDone()) {
      assertThat(answer.isRefused() || answer.isLost())
          .as("%s read at %d: %s", session.vertex, server, answer)
          .isTrue();
      throw new GraphMetaException(ErrorCode.UNAVAILABLE, answer.body());
    }
    Matcher number = NUMBER.matcher(answer.body());
    assertThat(number.find()).as("%s at %d: %s", session.vertex, server, answer).isTrue();
    session.requireTold(Long.parseLong(number.group(1)), "server " + server);
    session.token = answer.token();
  }

  private void countUp(CountedSession session, int server) {
    long next = session.next();
    String query = "g.V('" + session.vertex + "').property('count', " + next + "L)";
    Answer answer = deadlines.of(Step.QUERY, () -> servers.ask(server, query, session.token));
    if (answer.isDone()) {
      session.acknowledged(next, answer.token());
    } else if (answer.isRefused()) {
      throw new GraphMetaException(ErrorCode.UNAVAILABLE, answer.body());
    } else {
      session.unknown(next);
      unknowns.incrementAndGet();
      throw new GraphMetaException(ErrorCode.OUTCOME_UNKNOWN, answer.body());
    }
  }

  @Override
  public void assertHolds(Client client) {
    for (CountedSession session : all) {
      for (int server = 0; server < servers.count(); server++) {
        read(session, server);
      }
    }
  }

  @Override
  public String tally() {
    return String.format(
        "%d sessions handed on %d times between %d Gremlin Servers, %d outcomes unknown",
        SESSIONS, handed.get(), servers.count(), unknowns.get());
  }
}
